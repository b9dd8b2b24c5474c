//! Which executor offers the tools of a step, and which runs its calls: the nearest, each time anew.

use std::sync::Arc;

use super::batch::{Batch, BatchOutcome};
use super::error::ExecutorError;
use crate::hooks::{Offer, ToolExecutor};
use crate::panic::{catch, catch_future};
use crate::registry::{ResolvedToolSet, Scope, ToolRegistry};

impl ToolRegistry {
    /// Runs the calls of one model step through the executor that is nearest to the scope of the batch.
    ///
    /// The executor is chosen when the batch is accepted, and settles it even if it is unmounted
    /// meanwhile.
    ///
    /// ```
    /// use dsh_tools::{Batch, NativeExecutor, ToolCall, ToolRegistry};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let registry = ToolRegistry::builder().executor(NativeExecutor::new()).build()?;
    /// let outcome = registry.execute_batch(Batch::new([ToolCall::new("1", "nope", "{}")])).await?;
    /// assert!(outcome.results[0].result().is_error());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// No executor is mounted; the batch has a log and no scope; or the executor broke. A call that fails
    /// is a result.
    ///
    /// # Cancel safety
    /// That of the executor; cancelling the token of the options and awaiting loses nothing.
    pub async fn execute_batch(&self, batch: Batch) -> Result<BatchOutcome, ExecutorError> {
        if batch.options.log.is_some() && batch.options.scope().is_none() {
            return Err(ExecutorError::LogWithoutScope);
        }
        let executor = nearest(self, batch.options.scope()).ok_or(ExecutorError::NotMounted)?;
        let run = catch_future("the tool executor", || executor.execute(self, batch));
        run.await.map_err(ExecutorError::Failed)?
    }
}

/// What the nearest executor offers a model in one step.
pub(crate) fn describe(
    registry: &ToolRegistry,
    scope: Option<&Scope>,
    tool_set: Option<&ResolvedToolSet>,
) -> Result<Offer, ExecutorError> {
    let tools = match (tool_set, scope) {
        (Some(tool_set), _) => tool_set.definitions().into(),
        (None, Some(scope)) => scope.definitions(),
        (None, None) => registry.definitions(),
    };
    match nearest(registry, scope) {
        Some(executor) => catch("the tool executor", || executor.describe(&tools))
            .and_then(|offer| offer)
            .map_err(ExecutorError::Failed),
        None if tools.is_empty() => Ok(Offer::default()),
        None => Err(ExecutorError::NotMounted),
    }
}

fn nearest(registry: &ToolRegistry, scope: Option<&Scope>) -> Option<Arc<dyn ToolExecutor>> {
    registry.snapshot_for(scope).executor().cloned()
}
