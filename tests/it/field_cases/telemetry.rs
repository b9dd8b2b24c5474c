//! Telemetry: what is visible without being asked for, and what never is.

use std::sync::Arc;

use dsh_tools::log::JsonLines;
use dsh_tools::{CallOptions, ToolCall, ToolDefinition, ToolRegistry};
use serde_json::json;
use tracing::Level;

use crate::telemetry::{Disk, Recording};

#[tokio::test]
async fn case_52_what_a_tool_is_given_by_the_host_is_in_no_record() {
    struct Token(&'static str);
    let (recording, _guard) = Recording::start(Level::TRACE);
    let tool =
        ToolDefinition::from_fn("who", "W.", json!({"type": "object"}), |_, cx| async move {
            let token = cx.shared_state::<Token>();
            Ok(json!(token.is_some_and(|token| token.0 == "t0ken")))
        });
    let registry = ToolRegistry::builder().state(Token("t0ken")).tool(tool).build().unwrap();
    let disk = Disk::default();
    let options = CallOptions::new().with_log(Arc::new(JsonLines::new(disk.clone())));
    let completed = registry.execute(ToolCall::new("c1", "who", "{}"), options).await;
    assert_eq!(completed.result().value(), Some(&json!(true)));
    let told = format!("{:?} {:?} {}", recording.spans(), recording.events(), disk.text());
    assert!(told.contains("who") && !told.contains("t0ken"), "{told}");
}

#[tokio::test]
async fn case_53_a_call_has_a_span_by_default_and_its_arguments_are_not_in_it() {
    let (recording, _guard) = Recording::start(Level::INFO);
    let tool = fixtures::constant("plain", json!("0ut"));
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    registry.execute(ToolCall::new("c1", "plain", r#"{"a": "1n"}"#), CallOptions::new()).await;
    assert_eq!(recording.only_span()["gen_ai.tool.name"], "plain");
    let told = format!("{:?} {:?}", recording.spans(), recording.events());
    assert!(!told.contains("0ut") && !told.contains("1n"), "{told}");
}
