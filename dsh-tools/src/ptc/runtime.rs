//! What runs programs: the seam behind which an engine stands.

use std::time::Duration;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::bindings::Bindings;
use crate::hooks::BoxFuture;
use crate::model::ToolResult;

/// Runs programs. It knows calls by name and JSON, and nothing of tools, policy or sessions.
///
/// Every run gets a fresh world: no state of another one, no environment, no files. What comes from a
/// program is hostile: it is checked again by whoever receives it.
pub trait CodeRuntime: Send + Sync + 'static {
    /// The language of its programs: `typescript` or `python`.
    fn language(&self) -> &str;

    /// How programs are kept apart from the host, in a word for people.
    fn isolation(&self) -> &str;

    /// How long a program may be given, if it can be said for each run. Default: it cannot.
    fn timeout(&self) -> Option<TimeoutLimits> {
        None
    }

    /// Runs one program to its end.
    ///
    /// Whatever becomes of the program is an [`Outcome`], also a cancellation, and comes when nothing of it
    /// runs any more.
    ///
    /// # Errors
    /// The runtime cannot run anything: it was disposed of, or its engine is missing.
    fn run(&self, program: Program) -> BoxFuture<'_, ToolResult<Outcome>>;
}

/// How long a program may be given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeoutLimits {
    /// What it gets when nothing is said.
    pub default: Duration,
    /// What it gets at most.
    pub max: Duration,
}

/// One program and what it is given.
#[derive(Debug)]
#[non_exhaustive]
pub struct Program {
    /// The body of an async function, in the language of the runtime.
    pub source: String,
    /// The functions it may call, under the global name `tools`.
    pub bindings: Bindings,
    /// Fires when the program has to end.
    pub cancellation: CancellationToken,
    /// What it may use up.
    pub budgets: Budgets,
}

/// What a program may use up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Budgets {
    /// How long it may compute; waiting for a call does not count. Default: a minute.
    pub compute: Duration,
    /// How long it may take with everything. Default: ten minutes.
    pub wall: Duration,
    /// How many bytes of JSON its printed lines and its value, or its failure, may have. Default: 64 MiB.
    pub output_bytes: u64,
    /// How many bytes its heap may have. Default: 512 MiB.
    pub heap_bytes: u64,
}

/// The argument of a call that a program made.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Argument {
    /// A JSON value.
    Value(Value),
    /// Nothing, or something that JSON has no form for.
    Missing,
    /// Reading it failed, a getter threw for example; with what was thrown.
    Unreadable(String),
}

/// What became of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// What it returned; none if it returned nothing or failed.
    pub value: Option<Value>,
    /// What it printed, an entry a call of the console; kept also when it failed.
    pub logs: Vec<String>,
    /// How it failed, if it did.
    pub failure: Option<Failure>,
}

/// How a program failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// What there is to say about it.
    pub message: String,
}

/// The kinds of failures of programs; exactly one applies, the first that was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FailureKind {
    /// It threw, or could not be parsed.
    Exception,
    /// A budget of time was used up.
    Timeout,
    /// It was cancelled, or the runtime was disposed of.
    Abort,
    /// What ran it ended: out of memory, an exit.
    WorkerExit,
    /// What it returned is no lossless JSON.
    InvalidOutput,
    /// What it printed and returned is too much.
    OutputLimit,
    /// The worker did not keep to the protocol.
    Protocol,
    /// The sandbox is not available here.
    SandboxUnavailable,
}

impl Default for Budgets {
    fn default() -> Self {
        Self {
            compute: Duration::from_mins(1),
            wall: Duration::from_mins(10),
            output_bytes: 64 << 20,
            heap_bytes: 512 << 20,
        }
    }
}

impl Budgets {
    /// Sets how long a program may compute.
    #[must_use]
    pub const fn with_compute(mut self, compute: Duration) -> Self {
        self.compute = compute;
        self
    }

    /// Sets how long a program may take with everything.
    #[must_use]
    pub const fn with_wall(mut self, wall: Duration) -> Self {
        self.wall = wall;
        self
    }

    /// Sets how many bytes a program may give out.
    #[must_use]
    pub const fn with_output_bytes(mut self, bytes: u64) -> Self {
        self.output_bytes = bytes;
        self
    }

    /// Sets how many bytes the heap of a program may have.
    #[must_use]
    pub const fn with_heap_bytes(mut self, bytes: u64) -> Self {
        self.heap_bytes = bytes;
        self
    }
}

impl Failure {
    /// A failure of this kind.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl FailureKind {
    /// The text form.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Exception => "exception",
            Self::Timeout => "timeout",
            Self::Abort => "abort",
            Self::WorkerExit => "worker-exit",
            Self::InvalidOutput => "invalid-output",
            Self::OutputLimit => "output-limit",
            Self::Protocol => "protocol",
            Self::SandboxUnavailable => "sandbox-unavailable",
        }
    }
}
