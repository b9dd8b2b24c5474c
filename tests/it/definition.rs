//! Tools made without macros share registry, validation, policy and result.

use std::time::Duration;

use dsh_tools::schema::{Property, ValueSchema};
use dsh_tools::{
    Annotations, Arguments, CallOptions, Parameters, ToolCall, ToolDefinition, ToolError,
    ToolRegistry,
};
use fixtures::{Note, code, constant, read};
use serde_json::json;

#[tokio::test]
async fn a_typed_closure_is_a_tool() {
    let tool = ToolDefinition::typed("upper", "Says it loudly.", |note: Note, cx| async move {
        if note.text.is_empty() {
            return Err(
                ToolError::new(format!("{} got nothing", cx.tool_name())).with_code("EMPTY")
            );
        }
        Ok(note.text.to_uppercase())
    });
    assert_eq!(tool.to_json()["parameters"]["required"], json!(["text"]));
    assert_eq!(tool.output().to_json(), json!({"type": "string"}));

    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = |text: &str| ToolCall::new("c1", "upper", json!({ "text": text }));
    let loud = registry.execute(call("hi"), CallOptions::new()).await.into_result();
    assert_eq!((loud.value(), read(&loud)), (Some(&json!("HI")), "HI".to_owned()));
    let failed = registry.execute(call(""), CallOptions::new()).await.into_result();
    assert_eq!((code(&failed), read(&failed)), (Some("EMPTY"), "Error: upper got nothing".into()));
    assert_eq!(failed.value(), None);
}

#[tokio::test]
async fn parameters_from_elsewhere_are_shown_and_not_checked() {
    let schema = json!({"type": "object", "properties": {"q": {"$ref": "#/x"}}, "x": true});
    let tool =
        ToolDefinition::from_fn("remote", "Asks.", schema.clone(), |arguments, _| async move {
            Ok(arguments)
        });
    assert!(matches!(tool.parameters(), Parameters::Unchecked(_)));
    assert_eq!(tool.to_json()["parameters"], schema);
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = ToolCall::new("c1", "remote", json!({"anything": [1]}));
    let result = registry.execute(call, CallOptions::new()).await.into_result();
    assert_eq!(result.value(), Some(&json!({"anything": [1]})));
}

#[tokio::test]
async fn the_value_has_to_be_what_the_tool_declares() {
    let tool = constant("count", json!({"n": "three"}))
        .with_output(ValueSchema::object([Property::required("n", ValueSchema::integer())]));
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = ToolCall::new("c1", "count", "{}");
    let result = registry.execute(call, CallOptions::new()).await.into_result();
    assert_eq!(code(&result), Some("INVALID_TOOL_OUTPUT"));
    assert_eq!(
        read(&result),
        "Error: tool \"count\" returned invalid output: \"value.n\" must be an integer"
    );
}

#[tokio::test]
async fn a_lossy_value_is_an_invalid_output() {
    let registry = ToolRegistry::builder().tool(constant("zero", json!(-0.0))).build().unwrap();
    let call = ToolCall::new("c1", "zero", "{}");
    let result = registry.execute(call, CallOptions::new()).await.into_result();
    assert_eq!(
        read(&result),
        "Error: tool \"zero\" returned invalid output: value is not lossless JSON"
    );
}

#[tokio::test]
async fn a_renderer_says_what_a_model_reads() {
    let tool = constant("pair", json!([1, 2]))
        .with_render(|arguments, value| format!("{arguments} -> {value}"));
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = ToolCall::new("c1", "pair", json!({"x": 1}));
    let result = registry.execute(call, CallOptions::new()).await.into_result();
    assert_eq!(read(&result), "{\"x\":1} -> [1,2]");
    assert_eq!(result.value(), Some(&json!([1, 2])));
}

#[tokio::test]
async fn a_renderer_that_panics_fails_one_call() {
    let tool = constant("pair", json!(1)).with_render(|_, _| -> String { panic!("secret path") });
    let registry = ToolRegistry::builder().tool(tool).tool(constant("fine", json!(1)));
    let registry = registry.build().unwrap();
    let failed = registry.execute(ToolCall::new("1", "pair", "{}"), CallOptions::new()).await;
    assert_eq!(code(failed.result()), Some("INVALID_TOOL_OUTPUT"));
    assert!(read(failed.result()).contains("output.render failed: the renderer panicked"));
    assert!(!read(failed.result()).contains("secret"));
    let fine = registry.execute(ToolCall::new("2", "fine", "{}"), CallOptions::new()).await;
    assert!(!fine.result().is_error());
}

#[test]
fn everything_set_is_there() {
    let tool = constant("all", json!(1))
        .with_title("All")
        .with_annotations(Annotations { idempotent: Some(true), ..Annotations::NONE })
        .with_tag("a")
        .with_tag("b")
        .with_timeout(Duration::from_millis(1500))
        .with_grace(Duration::from_secs(1))
        .with_parallel_when(|arguments| arguments["safe"] == true);
    assert_eq!(
        (tool.name(), tool.title(), tool.description()),
        ("all", Some("All"), "Gives a value.")
    );
    assert!(tool.annotations().is_idempotent() && tool.annotations().is_destructive());
    assert_eq!(tool.tags().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(tool.timeout(), Some(Duration::from_millis(1500)));
    assert_eq!(tool.grace(), Some(Duration::from_secs(1)));
    assert!(tool.is_parallel(&Arguments::from(json!({"safe": true}))));
    assert!(!tool.is_parallel(&Arguments::from("not json")));
    let keys: Vec<_> = tool.to_json().as_object().unwrap().keys().cloned().collect();
    assert_eq!(keys, ["name", "description", "parameters"]);
}

#[test]
fn a_classifier_that_panics_serializes() {
    let tool = constant("x", json!(1)).with_parallel_when(|_| panic!("no"));
    assert!(!tool.is_parallel(&Arguments::default()));
}

#[test]
fn a_model_is_told_name_description_parameters_and_nothing_else() {
    let full = constant("t", json!(1))
        .with_title("T")
        .with_timeout(Duration::from_secs(1))
        .with_grace(Duration::from_secs(1))
        .with_tag("tag")
        .with_parallel_when(|_| true)
        .with_render(|_, _| "x")
        .with_meta(|_, _| Ok(json!(1)))
        .with_project_content(|_, _| Ok(None))
        .with_finalize_content(|_, _| Ok(None))
        .with_condition(|_: dsh_tools::hooks::ConditionContext| async { Ok(true) });
    let told = json!({
        "name": "t",
        "description": "Gives a value.",
        "parameters": {"type": "object", "properties": {}},
    });
    assert_eq!(full.to_json(), told);
    assert_eq!(full.clone().with_deferred_loading(false).to_json(), told);
    let mut late = told;
    late["deferLoading"] = json!(true);
    assert_eq!(full.with_deferred_loading(true).to_json(), late);
}

#[test]
fn parameters_that_are_not_lossless_are_refused_when_registered() {
    let parameters = json!({"type": "object", "properties": {"n": {"minimum": -0.0}}});
    let tool = ToolDefinition::from_fn("t", "T.", parameters, |_, _| async { Ok(json!(1)) });
    let error = ToolRegistry::builder().tool(tool).build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool `t` made at run time: tool \"t\" parameters must be lossless JSON before schema \
         projection"
    );
}

#[tokio::test]
async fn defaults_are_shown_and_not_applied() {
    let parameters = ValueSchema::compile_parameters(&json!({
        "n": {"type": "integer", "default": 3},
    }))
    .unwrap();
    let tool =
        ToolDefinition::from_fn("t", "T.", parameters, |arguments, _| async move { Ok(arguments) });
    assert_eq!(tool.to_json()["parameters"]["properties"]["n"]["default"], 3);
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let completed = registry.execute(ToolCall::new("c", "t", "{}"), CallOptions::new()).await;
    assert_eq!(completed.result().value(), Some(&json!({})));
}
