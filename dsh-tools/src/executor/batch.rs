//! The calls of one model step, and what they came to.

use crate::context::CallOptions;
use crate::model::ToolCall;
use crate::stages::Completed;

/// The calls of one model step, in the order in which the model wrote them.
///
/// Hand the calls of a step over together: order, overlap and cancellation are decided in one place.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    pub(super) calls: Vec<ToolCall>,
    pub(super) options: CallOptions,
}

/// One result for every call of a batch, in call order.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BatchOutcome {
    /// One for every call, in call order.
    pub results: Vec<Completed>,
    /// Whether a success ended the turn.
    pub concluded: bool,
}

impl Batch {
    /// A batch of these calls, with default options.
    pub fn new(calls: impl IntoIterator<Item = ToolCall>) -> Self {
        Self { calls: calls.into_iter().collect(), options: CallOptions::new() }
    }

    /// The calls, in the order in which the model wrote them.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// What holds for every call of the batch.
    pub fn options(&self) -> &CallOptions {
        &self.options
    }

    /// The calls and what holds for each of them, for an executor.
    pub fn into_parts(self) -> (Vec<ToolCall>, CallOptions) {
        (self.calls, self.options)
    }

    /// Sets what holds for every call of the batch.
    #[must_use]
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }
}
