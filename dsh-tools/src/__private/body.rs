//! How a body is run.

use crate::body::{BodyFuture, Output};
use crate::model::{ToolError, ToolResult};

/// A body that is a future.
pub fn body(future: impl Future<Output = ToolResult<Output>> + Send + 'static) -> BodyFuture {
    Box::pin(future)
}

/// A body that blocks a thread.
pub fn blocking(run: impl FnOnce() -> ToolResult<Output> + Send + 'static) -> BodyFuture {
    Box::pin(async {
        match tokio::task::spawn_blocking(run).await {
            Ok(value) => value,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => std::panic::resume_unwind(payload),
                // The runtime is going down and did not start it.
                Err(_) => Err(ToolError::aborted()),
            },
        }
    })
}
