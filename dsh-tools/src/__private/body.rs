//! How a body is run.

use serde_json::Value;

use crate::body::BodyFuture;
use crate::model::{ToolError, ToolResult};

/// A body that is a future.
pub fn body(future: impl Future<Output = ToolResult<Value>> + Send + 'static) -> BodyFuture {
    Box::pin(future)
}

/// A body that blocks a thread.
pub fn blocking(run: impl FnOnce() -> ToolResult<Value> + Send + 'static) -> BodyFuture {
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
