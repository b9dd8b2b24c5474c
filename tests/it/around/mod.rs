//! The wrappers we ship that decide when and how often a body runs, on a paused clock.

mod limit;
mod repeat;
mod retry;

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use dsh_tools::{Annotations, CallOptions, ToolCall, ToolContext, ToolDefinition, ToolResult};
use serde_json::{Value, json};

fn times(n: u32) -> NonZeroU32 {
    NonZeroU32::new(n).unwrap()
}

/// A read-only tool, whose body is told which time it runs.
fn tool<Fut>(
    name: &'static str,
    body: impl Fn(u32, ToolContext) -> Fut + Send + Sync + 'static,
) -> ToolDefinition
where
    Fut: Future<Output = ToolResult<Value>> + Send + 'static,
{
    let runs = Arc::new(AtomicU32::new(0));
    ToolDefinition::from_fn(name, "For a test.", json!({"type": "object"}), move |_, cx| {
        body(runs.fetch_add(1, Ordering::SeqCst) + 1, cx)
    })
    .with_annotations(Annotations { read_only: Some(true), ..Annotations::NONE })
    .with_parallel(true)
}

fn call(name: &str) -> (ToolCall, CallOptions) {
    (ToolCall::new("c1", name, "{}"), CallOptions::new())
}
