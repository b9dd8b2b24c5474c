//! Telemetry: what is visible without being asked for, and what never is.

use dsh_tools::{CallOptions, ToolCall, ToolRegistry};
use serde_json::json;
use tracing::Level;

use crate::telemetry::Recording;

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
