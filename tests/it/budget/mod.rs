//! What a model may be given of one result, and how it reads the rest.

mod cut;
mod kept;
mod random;

use std::sync::{Arc, OnceLock};

use dsh_tools::outbound::OutputBudget;
use dsh_tools::{
    CallOptions, CallResult, Completed, RegistryBuilder, ToolCall, ToolDefinition, ToolRegistry,
};
use serde_json::{Value, json};

/// A tool that gives this text.
fn gives(text: impl Into<String>) -> ToolDefinition {
    fixtures::constant("t", Value::from(text.into()))
}

fn registry(
    tool: ToolDefinition,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> ToolRegistry {
    more(ToolRegistry::builder().tool(tool)).build().unwrap()
}

async fn call(registry: &ToolRegistry) -> Completed {
    registry.execute(ToolCall::new("c1", "t", "{}"), CallOptions::new()).await
}

/// What comes of the tool under this budget.
async fn under(budget: OutputBudget, tool: ToolDefinition) -> CallResult {
    call(&registry(tool, |builder| budget.mount(builder))).await.into_result()
}

/// So many numbered lines of ten bytes.
fn lines(count: usize) -> String {
    (0..count).map(|number| format!("line {number:04}\n")).collect::<Vec<_>>().concat()
}

/// How many bytes of text a result has.
fn size(result: &CallResult) -> usize {
    fixtures::read(result).len()
}

/// The handle in a note.
fn handle(text: &str) -> String {
    let (_, rest) = text.split_once("{\"handle\": \"").unwrap();
    rest.split_once('"').unwrap().0.to_owned()
}

/// The registry of a tool that calls others: it is there once it is built.
#[derive(Clone, Default)]
struct Outer(Arc<OnceLock<ToolRegistry>>);

impl Outer {
    /// A tool that calls `t` under its own call and gives what that gave, so many times.
    fn tool(&self, times: usize) -> ToolDefinition {
        let registry = Arc::clone(&self.0);
        let parameters = json!({"type": "object"});
        ToolDefinition::from_fn("outer", "Calls others.", parameters, move |_, cx| {
            let registry = Arc::clone(&registry);
            async move {
                let mut all = String::new();
                for number in 0..times {
                    let call = ToolCall::new(format!("n{number}"), "t", "{}");
                    let options = CallOptions::new().nested_in(&cx);
                    let inner = registry.get().unwrap().execute(call, options).await;
                    all += &fixtures::read(inner.result());
                }
                Ok(all.into())
            }
        })
    }

    async fn call(self, registry: ToolRegistry) -> Completed {
        self.0.set(registry.clone()).unwrap();
        registry.execute(ToolCall::new("c1", "outer", "{}"), CallOptions::new()).await
    }
}
