//! Answers the question of a hook; nobody there means no.

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::BoxFuture;
use crate::definition::ToolDefinition;
use crate::execution::{CallToken, Execution};
use crate::model::{Annotations, Arguments, ArgumentsHash, ToolResult};

/// Asks whoever decides, a person at a terminal for example.
pub trait Approver: Send + Sync + 'static {
    /// The answer to one question, valid for exactly the call it shows.
    ///
    /// # Errors
    /// The call fails with the error and does not run.
    fn approve<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ToolResult<Approval>>;
}

impl<F> Approver for F
where
    F: for<'a> Fn(&'a ApprovalRequest) -> BoxFuture<'a, ToolResult<Approval>>
        + Send
        + Sync
        + 'static,
{
    fn approve<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ToolResult<Approval>> {
        self(request)
    }
}

/// An approver from a closure; without it the compiler does not infer the lifetimes.
///
/// ```
/// use dsh_tools::hooks::{Approval, approver_fn};
///
/// let never = approver_fn(|_request| Box::pin(async { Ok(Approval::Rejected) }));
/// # let _ = dsh_tools::ToolRegistry::builder().approver(never);
/// ```
pub fn approver_fn<F>(approver: F) -> F
where
    F: for<'a> Fn(&'a ApprovalRequest) -> BoxFuture<'a, ToolResult<Approval>>
        + Send
        + Sync
        + 'static,
{
    approver
}

/// One question: which call, and why it is asked.
#[derive(Clone, Debug)]
pub struct ApprovalRequest {
    execution: Execution,
    reason: Option<String>,
}

/// The answer to a question.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Approval {
    /// This call may run, this once; [`ApprovalRequest::allow_once`] makes it.
    AllowedOnce(Grant),
    /// This call may not run.
    Rejected,
    /// The question was withdrawn.
    Cancelled,
    /// Nobody could be asked.
    Unavailable,
}

/// Permission for one call with exactly the arguments that were shown.
#[derive(Debug, PartialEq, Eq)]
pub struct Grant {
    call: CallToken,
    arguments: ArgumentsHash,
}

impl Grant {
    /// Whether it was given for this call with these arguments.
    pub(crate) fn is_for(&self, execution: &Execution) -> bool {
        self.call == execution.token() && self.arguments == execution.arguments_hash()
    }
}

impl ApprovalRequest {
    pub(crate) fn new(execution: Execution, reason: Option<String>) -> Self {
        Self { execution, reason }
    }

    /// The answer that lets this call run, and no other.
    pub fn allow_once(&self) -> Approval {
        Approval::AllowedOnce(Grant {
            call: self.execution.token(),
            arguments: self.arguments_hash(),
        })
    }

    pub(crate) fn number(&self) -> u64 {
        self.execution.token().number()
    }

    /// The hash of the arguments that are shown, for channels that answer later.
    pub fn arguments_hash(&self) -> ArgumentsHash {
        self.execution.arguments_hash()
    }

    /// The tool that is called.
    pub fn tool_name(&self) -> &str {
        self.execution.name()
    }

    /// Identity of the call.
    pub fn call_id(&self) -> &str {
        self.execution.call_id()
    }

    /// The arguments the tool would run with.
    pub fn arguments(&self) -> &Value {
        self.execution.arguments()
    }

    pub(crate) fn raw_arguments(&self) -> &Arguments {
        self.execution.raw_arguments()
    }

    /// On whose behalf the call is made.
    pub fn agent(&self) -> Option<&str> {
        self.execution.agent()
    }

    /// Why it is asked, if the hook said so.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// What the tool says about its effects.
    pub fn annotations(&self) -> Annotations {
        self.execution.definition().map_or(Annotations::NONE, ToolDefinition::annotations)
    }

    /// Fires when the answer is no longer wanted.
    pub fn cancellation(&self) -> &CancellationToken {
        self.execution.cancellation()
    }
}
