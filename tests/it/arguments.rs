//! Bad arguments: one answer that says everything, and the body does not run.

use dsh_tools::{CallOptions, Schema, ToolCall, ToolDefinition, ToolRegistry, tool};
use fixtures::{Trace, code, read};
use serde::Deserialize;
use serde_json::json;

/// Where and what.
#[derive(Deserialize, Schema)]
struct Search {
    /// What to look for.
    _pattern: String,
    _limit: Option<u32>,
    _mode: Option<Mode>,
    #[serde(default)]
    _places: Vec<Place>,
}

#[derive(Deserialize, Schema)]
struct Place {
    _path: String,
}

#[derive(Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    WholeWord,
    Anywhere,
}

/// Look for something.
#[tool(register = false)]
fn search(args: Search) -> &'static str {
    drop(args);
    "ran"
}

/// Say something.
#[tool(register = false)]
fn idle() -> &'static str {
    "ran"
}

async fn answer(name: &str, arguments: &str) -> (Option<String>, String) {
    let registry = ToolRegistry::builder().function(search).function(idle).build().unwrap();
    let call = ToolCall::new("c1", name, arguments);
    let result = registry.execute(call, CallOptions::new()).await.into_result();
    (code(&result).map(str::to_owned), read(&result))
}

#[track_caller]
fn assert_invalid((code, text): (Option<String>, String), expected: &str) {
    assert_eq!(code.as_deref(), Some("INVALID_ARGS"));
    assert_eq!(text, format!("Error: invalid arguments: {expected}"));
}

#[tokio::test]
async fn every_problem_is_in_the_one_answer() {
    let arguments = json!({
        "_limt": 3,
        "_limit": -1,
        "_mode": "whole_wrod",
        "_places": [{"_path": "a"}, {"path": 7}, "b"],
    });
    assert_invalid(
        answer("search", &arguments.to_string()).await,
        "missing required property \"_pattern\", a string; \
         \"_limit\" must be at least 0; \
         \"_mode\" must be one of [\"whole_word\",\"anywhere\"], did you mean \"whole_word\"?; \
         missing required property \"_places[1]._path\", a string; \
         \"_places[1].path\" is not a declared property (additionalProperties: false), \
         did you mean \"_path\"?; \
         \"_places[2]\" must be an object, got a string; \
         \"_limt\" is not a declared property (additionalProperties: false), \
         did you mean \"_limit\"?",
    );
}

#[tokio::test]
async fn a_key_that_resembles_nothing_gets_the_accepted_ones() {
    assert_invalid(
        answer("search", r#"{"_pattern": "x", "colour": 1}"#).await,
        "\"colour\" is not a declared property (additionalProperties: false), \
         accepted: \"_pattern\", \"_limit\", \"_mode\", \"_places\"",
    );
    assert_invalid(
        answer("idle", r#"{"colour": 1}"#).await,
        "\"colour\" is not a declared property (additionalProperties: false), \
         no key is accepted here",
    );
}

#[tokio::test]
async fn values_are_not_echoed() {
    let (_, text) =
        answer("search", r#"{"_pattern": {"token": "s3cret"}, "_limit": "s3cret"}"#).await;
    assert!(text.contains("\"_pattern\" must be a string, got an object"), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn text_that_is_not_json_never_runs_a_tool() {
    let (code, text) = answer("idle", r#"{"a": 1"#).await;
    assert_eq!(code.as_deref(), Some("INVALID_ARGS"));
    assert_eq!(
        text,
        "Error: invalid arguments: \"arguments\" must be an object, \
         the text sent is not JSON: EOF while parsing an object at line 1 column 7"
    );
}

#[tokio::test]
async fn no_text_and_null_are_no_arguments_where_none_is_required() {
    for arguments in ["", "{}", "null"] {
        assert_eq!(answer("idle", arguments).await, (None, "ran".to_owned()), "{arguments:?}");
    }
    assert_invalid(answer("search", "").await, "missing required property \"_pattern\", a string");
    assert_invalid(answer("search", "null").await, "\"arguments\" must be an object, got null");
}

#[tokio::test]
async fn an_integer_may_be_written_with_a_point() {
    assert_eq!(answer("search", r#"{"_pattern": "x", "_limit": 3.0}"#).await.1, "ran");
    assert_eq!(answer("search", r#"{"_pattern": "x", "_limit": 1e2}"#).await.1, "ran");
}

#[tokio::test]
async fn negative_zero_is_refused_before_policy() {
    let (code, text) = answer("search", r#"{"_pattern": "x", "_limit": -0}"#).await;
    assert_eq!(code, None);
    assert_eq!(text, "Error: tool execution arguments must be losslessly JSON-serializable");
}

#[tokio::test]
async fn definitions_from_data_answer_in_the_words_of_the_spec() {
    use dsh_tools::schema::{Property, ValueSchema};
    let trace = Trace::default();
    let inner = trace.clone();
    let parameters = ValueSchema::object([Property::required("path", ValueSchema::string())]);
    let tool = ToolDefinition::from_fn("open", "Opens.", parameters, move |_, _| {
        inner.add("body");
        async { Ok(json!(null)) }
    });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = ToolCall::new("c1", "open", json!({"pth": 1}));
    let result = registry.execute(call, CallOptions::new()).await.into_result();
    assert_eq!(
        read(&result),
        "Error: invalid arguments: missing required property \"path\"; \
         \"pth\" is not a declared property (additionalProperties: false)"
    );
    let violations: Vec<_> =
        result.error().unwrap().violations().iter().map(|v| &*v.text).collect();
    assert_eq!(violations.len(), 2);
    assert_eq!(result.error().unwrap().info().unwrap().name, "ToolArgsError");
    assert_eq!(trace.lines(), Vec::<String>::new());
}
