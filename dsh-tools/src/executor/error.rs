//! Why a step could not be offered tools, or its batch not be run to its end.

use crate::model::ToolError;
use crate::stages::Completed;

/// Why tools could not be offered, or a batch not be run to its end.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExecutorError {
    /// No executor is mounted where the batch belongs. Nothing was run or logged.
    #[error("no tool executor is mounted in this scope or around it")]
    NotMounted,
    /// A log was given, and no scope whose session it could be. Nothing was run or logged.
    #[error("a batch with a session log needs the scope of the agent whose session it is")]
    LogWithoutScope,
    /// The session log broke. Nothing more was started then, and what ran was awaited.
    #[error("the session log broke, so the rest of the batch was not run: {error}")]
    Log {
        /// What the log said first.
        error: ToolError,
        /// The calls that have a result, in call order.
        completed: Vec<Completed>,
    },
    /// The executor broke.
    #[error("the tool executor failed: {0}")]
    Failed(ToolError),
}

impl ExecutorError {
    /// The stable code: `NO_TOOL_EXECUTOR`, `LOG_WITHOUT_SCOPE`, `LOG_FAILED`, `EXECUTOR_FAILED`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotMounted => "NO_TOOL_EXECUTOR",
            Self::LogWithoutScope => "LOG_WITHOUT_SCOPE",
            Self::Log { .. } => "LOG_FAILED",
            Self::Failed(_) => "EXECUTOR_FAILED",
        }
    }
}

/// A scope has at most one executor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a tool executor is already registered in this scope")]
pub struct ExecutorTaken;
