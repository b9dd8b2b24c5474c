//! What one stage of a call hands to the next.
//!
//! Each type is made only by the stage before it and taken by value: no stage can be skipped, run
//! twice, or looked back from.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::execution::Execution;
use crate::model::{CallResult, ToolError};
use crate::record::{DecisionRecord, Recorder};
use crate::registry::{Snapshot, ToolRegistry};

/// A call that policy has decided about; the next stage is [`dispatch`](Self::dispatch).
#[must_use = "a prepared call has no result yet"]
pub struct Prepared {
    pub(crate) run: Run,
    pub(crate) verdict: Verdict,
}

/// A call that has run, or that policy kept from running; the next stage is
/// [`complete`](Self::complete).
#[must_use = "a dispatched call has no final result yet"]
pub struct Dispatched {
    pub(crate) run: Run,
    pub(crate) outcome: Outcome,
    /// How long the stages so far took.
    pub(crate) worked: Duration,
}

/// A call with its final result.
#[derive(Clone, Debug)]
pub struct Completed {
    pub(crate) execution: Execution,
    pub(crate) result: CallResult,
    pub(crate) record: DecisionRecord,
    pub(crate) took: Duration,
}

/// What one call carries from stage to stage.
pub(crate) struct Run {
    pub(crate) registry: ToolRegistry,
    /// What the scope of the call saw when it came. Its hooks stay in force; guards and the tool are those
    /// that are there when it is their turn.
    pub(crate) snapshot: Arc<Snapshot>,
    pub(crate) execution: Execution,
    pub(crate) recorder: Recorder,
    /// Whether a model called directly what only programs may call.
    pub(crate) bypassed: bool,
}

/// What policy said before the call.
pub(crate) enum Verdict {
    /// The body may run.
    Dispatch,
    /// The call already came to something.
    Settled(Outcome),
}

/// What a call came to before it is completed.
pub(crate) enum Outcome {
    /// Post-execute hooks see it.
    Open(CallResult),
    /// Policy broke, so nothing but observers sees it.
    Final(CallResult),
}

impl Outcome {
    pub(crate) fn open(error: ToolError) -> Self {
        Self::Open(CallResult::failure(error))
    }

    pub(crate) fn last(error: ToolError) -> Self {
        Self::Final(CallResult::failure(error))
    }

    pub(crate) fn result(&self) -> &CallResult {
        match self {
            Self::Open(result) | Self::Final(result) => result,
        }
    }
}

impl Prepared {
    /// The call.
    pub fn execution(&self) -> &Execution {
        &self.run.execution
    }

    /// Whether the next stage will run the body.
    pub fn is_admitted(&self) -> bool {
        matches!(self.verdict, Verdict::Dispatch)
    }
}

impl Completed {
    /// The call.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }

    /// Identity of the call.
    pub fn call_id(&self) -> &str {
        self.execution.call_id()
    }

    /// The name that was called.
    pub fn name(&self) -> &str {
        self.execution.name()
    }

    /// What the call came to.
    pub fn result(&self) -> &CallResult {
        &self.result
    }

    /// What the call came to, by value.
    pub fn into_result(self) -> CallResult {
        self.result
    }

    /// What decided about the call.
    pub fn record(&self) -> &DecisionRecord {
        &self.record
    }

    /// How long the stages of the call took, without waiting for its turn in a batch.
    pub fn took(&self) -> Duration {
        self.took
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared")
            .field("execution", &self.run.execution)
            .field("admitted", &self.is_admitted())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Dispatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatched").field("execution", &self.run.execution).finish_non_exhaustive()
    }
}
