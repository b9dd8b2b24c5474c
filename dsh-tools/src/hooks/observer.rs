//! Sees the final result; changes nothing.

use crate::execution::Execution;
use crate::model::{CallResult, ToolResult};
use crate::record::DecisionRecord;

/// Sees every call once, when its result is final.
///
/// Observers are called one after the other and are expected to be quick. An error or a panic is
/// logged and changes nothing.
pub trait ResultObserver: Send + Sync + 'static {
    /// Takes note of a result.
    ///
    /// # Errors
    /// Logged, and otherwise without effect.
    fn observe(
        &self,
        execution: &Execution,
        result: &CallResult,
        record: &DecisionRecord,
    ) -> ToolResult<()>;
}

impl<F> ResultObserver for F
where
    F: Fn(&Execution, &CallResult, &DecisionRecord) -> ToolResult<()> + Send + Sync + 'static,
{
    fn observe(
        &self,
        execution: &Execution,
        result: &CallResult,
        record: &DecisionRecord,
    ) -> ToolResult<()> {
        self(execution, result, record)
    }
}
