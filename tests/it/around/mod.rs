//! The wrappers we ship, on a paused clock.

mod limit;
mod repeat;
mod retry;

use std::time::Duration;

use dsh_tools::{
    Annotations, Batch, CallOptions, Completed, ToolCall, ToolContext, ToolDefinition,
    ToolRegistry, ToolResult,
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

/// Runs calls as one batch and gives what each came to, with its id.
async fn run_batch(registry: &ToolRegistry, names: &[&str]) -> Vec<String> {
    let calls = names.iter().enumerate();
    let calls = calls.map(|(index, name)| ToolCall::new(index.to_string(), *name, "{}"));
    let outcome = fixtures::run_batch(registry, Batch::new(calls)).await;
    let summary = |one: &Completed| format!("{} {}", one.call_id(), came_to(one));
    outcome.results.iter().map(summary).collect()
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
