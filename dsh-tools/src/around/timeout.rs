//! Enforces the timeout a tool declares.

use tokio::time::{Duration, sleep};

use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ErrorCode, ToolError, ToolResult};

/// Cancels a call when the timeout its tool declares has passed.
///
/// The body is asked to end and awaited, so a body that ignores its token is as late as it likes,
/// unless its tool declares a grace. Whatever it then returns is replaced by a `TOOL_TIMEOUT`
/// failure. A call whose caller cancelled first is not a timeout.
///
/// ```
/// use dsh_tools::{ToolRegistry, around::Timeout};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = ToolRegistry::builder().around("timeout", Timeout).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Timeout;

impl Around for Timeout {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        match execution.definition().and_then(ToolDefinition::timeout) {
            Some(timeout) => Box::pin(within(timeout, next)),
            None => next.run(),
        }
    }
}

async fn within(timeout: Duration, next: AroundNext<'_>) -> ToolResult<CallResult> {
    let deadline = next.cancellation().child_token();
    let mut run = next.run_with(deadline.clone());
    tokio::select! {
        biased;
        result = &mut run => return result,
        () = next.cancelled() => return run.await,
        () = sleep(timeout) => deadline.cancel(),
    }
    // The body has to come to its end before anything is answered; an error of an inner wrapper
    // that broke while ending is no more telling than the timeout that ended it.
    let late = run.await;
    let contexts = late.map(|result| result.contexts().to_vec()).unwrap_or_default();
    Ok(CallResult::failure(timed_out(timeout)).with_contexts(contexts))
}

fn timed_out(timeout: Duration) -> ToolError {
    ToolError::named(
        "ToolTimeoutError",
        ErrorCode::ToolTimeout,
        format!("tool call timed out after {}ms", timeout.as_secs_f64() * 1000.0),
    )
}
