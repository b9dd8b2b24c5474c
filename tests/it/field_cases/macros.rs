//! What the macro makes, and what it refuses.

use std::path::Path;
use std::sync::Arc;

use dsh_tools::prelude::*;
use dsh_tools::{CallOptions, Execution, ToolCall};
use fixtures::read;
use serde_json::json;

/// What a user is told by the compiler; the case itself is a UI test.
#[track_caller]
fn refused(case: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/fail").join(case);
    assert!(file.with_extension("rs").exists(), "no {case}.rs");
    let told = std::fs::read_to_string(file.with_extension("stderr")).unwrap();
    assert!(told.contains(text), "{told}");
}

/// Is there.
#[cfg(not(windows))]
#[tool(register = false)]
fn gated() -> bool {
    true
}

/// Is not there, with all that belongs to it.
#[cfg(any())]
#[tool(register = false)]
fn gated_away() -> NoSuchType {
    no_such_function()
}

#[test]
fn case_23_a_tool_behind_a_condition_goes_with_it() {
    assert!(ToolDefinition::of(gated).is_some());
}

#[tokio::test]
async fn case_25_a_hidden_tool_is_hidden_on_list_and_on_call() {
    let registry = ToolRegistry::builder().build().unwrap();
    let registration = registry.register(ToolDefinition::of(gated).unwrap()).unwrap();
    assert_eq!(registry.schemas().len(), 1);
    drop(registration);
    assert_eq!(registry.schemas().len(), 0);
    let call = ToolCall::new("c1", "gated", "{}");
    let completed = registry.execute(call, CallOptions::new()).await;
    assert_eq!(read(completed.result()), "Error: unknown tool \"gated\"");
}

trait Graph: Send + Sync + 'static {
    type Node: Schema + serde::de::DeserializeOwned + Send + 'static;

    fn neighbours(&self, node: Self::Node) -> usize;
}

struct Server<G>(G);

#[tools]
impl<G: Graph> Server<G> {
    /// Counts neighbours.
    #[tool]
    async fn neighbours(&self, #[arg] node: G::Node) -> usize {
        tokio::task::yield_now().await;
        self.0.neighbours(node)
    }
}

struct Lists(Vec<usize>);

impl Graph for Lists {
    type Node = usize;

    fn neighbours(&self, node: usize) -> usize {
        self.0.get(node).copied().unwrap_or(0)
    }
}

#[tokio::test]
async fn case_26_a_generic_server_has_tools_and_a_generic_tool_is_one_clear_error() {
    let server = Arc::new(Server(Lists(vec![3, 4])));
    let registry = ToolRegistry::builder().toolset(server).build().unwrap();
    let call = ToolCall::new("c1", "neighbours", json!({"node": 1}));
    assert_eq!(read(registry.execute(call, CallOptions::new()).await.result()), "4");
    let generic = "a tool cannot be generic, since nobody would choose the types";
    refused("signature/generic", generic);
    refused("methods/generic_method", generic);
    refused("signature/receiver", "a method is a tool only in an `impl` with `#[tools]`");
}

#[tokio::test]
async fn case_29_a_tool_made_at_run_time_shares_validation_and_policy() {
    let schema = dsh_tools::schema::ValueSchema::parse(&json!({
        "type": "object", "properties": {"n": {"type": "integer", "maximum": 3}},
    }))
    .unwrap();
    let tool = ToolDefinition::from_fn("made", "Made.", schema, |arguments, _| async move {
        Ok(arguments["n"].clone())
    });
    let registry = ToolRegistry::builder()
        .tool(tool)
        .guard("no two", |execution: &Execution| {
            Ok((execution.arguments()["n"] == 2).then(|| "two is taken".to_owned()))
        })
        .build()
        .unwrap();
    let mut answers = Vec::new();
    for n in [1, 2, 4] {
        let call = ToolCall::new("c1", "made", json!({ "n": n }));
        answers.push(read(registry.execute(call, CallOptions::new()).await.result()));
    }
    assert_eq!(
        answers,
        ["1", "Error: two is taken", "Error: invalid arguments: \"n\" must be at most 3"]
    );
}

#[test]
fn case_8_and_31_a_tagged_enum_as_the_arguments_is_refused_while_compiling() {
    refused("argument_type/enum_root", "object");
}

#[test]
fn case_11_raw_json_as_the_arguments_is_refused_while_compiling() {
    refused("argument_type/json_root", "the arguments of a tool are an object");
}

#[test]
fn case_12_and_19_a_type_without_a_schema_is_named_at_its_field() {
    refused("argument_type/field_without_schema", "has no schema");
}

/// A tool of a crate whose host lists what it wants, as one must where nothing registers itself.
#[tool(register = false)]
fn listed() -> bool {
    true
}

#[test]
fn case_34_tools_are_found_without_registering_themselves() {
    let registry = ToolRegistry::builder().function(listed).function(gated).build().unwrap();
    let names: Vec<_> = registry.definitions().iter().map(|d| d.name().to_owned()).collect();
    assert_eq!(names, ["gated", "listed"]);
}
