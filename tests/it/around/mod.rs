//! The wrappers we ship, on a paused clock.

mod retry;

use std::time::Duration;

use dsh_tools::{
    Annotations, CallOptions, Completed, ToolCall, ToolContext, ToolDefinition, ToolRegistry,
    ToolResult,
};
use fixtures::{code, read};
use serde_json::{Value, json};

const MS: fn(u64) -> Duration = Duration::from_millis;

const IDEMPOTENT: Annotations = Annotations { idempotent: Some(true), ..Annotations::NONE };

/// A tool that may be called again and may overlap.
fn tool<Fut>(
    name: &'static str,
    body: impl Fn(ToolContext) -> Fut + Send + Sync + 'static,
) -> ToolDefinition
where
    Fut: Future<Output = ToolResult<Value>> + Send + 'static,
{
    ToolDefinition::from_fn(name, "For a test.", json!({"type": "object"}), move |_, cx| body(cx))
        .with_annotations(IDEMPOTENT)
        .with_parallel(true)
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("c1", name, "{}")
}

/// Runs one call for nobody.
async fn run(registry: &ToolRegistry, name: &str) -> Completed {
    registry.execute(call(name), CallOptions::new()).await
}

/// The code of a failure, or what is read.
fn came_to(completed: &Completed) -> String {
    let result = completed.result();
    code(result).map_or_else(|| read(result), str::to_owned)
}

/// Who decided what, in order.
fn steps(completed: &Completed) -> Vec<String> {
    let steps = completed.record().steps().iter();
    steps.map(|step| format!("{}: {}", step.by, step.decision)).collect()
}
