//! The span that the pipeline opens, and what `Trace` adds to it.

use std::time::Duration;

use dsh_tools::around::Trace;
use dsh_tools::hooks::around_fn;
use dsh_tools::{
    Batch, CallOptions, Execution, RegistryBuilder, ToolCall, ToolDefinition, ToolError,
    ToolRegistry,
};
use fixtures::{constant, registry, run, run_batch, say};
use serde_json::json;
use tracing::{Instrument, Level};

use super::Recording;
use super::recording::Fields;

fn fields(expected: &[(&'static str, &str)]) -> Fields {
    expected.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
}

fn failing(error: ToolError) -> ToolRegistry {
    let tool =
        ToolDefinition::from_fn("fails", "Fails.", json!({"type": "object"}), move |_, _| {
            let error = error.clone();
            async move { Err(error) }
        });
    ToolRegistry::builder().tool(tool).build().unwrap()
}

/// The span of one call of `note`, with what the test mounts.
async fn span_of_note(more: impl FnOnce(RegistryBuilder) -> RegistryBuilder) -> Fields {
    let (recording, _guard) = Recording::start(Level::INFO);
    run(&registry(&fixtures::Trace::default(), more), say("s3cret")).await;
    recording.only_span()
}

#[tokio::test]
async fn a_call_has_a_span_with_the_names_of_the_conventions_and_nothing_private() {
    let (recording, _guard) = Recording::start(Level::INFO);
    run(&registry(&fixtures::Trace::default(), |b| b), say("s3cret")).await;
    assert_eq!(
        recording.only_span(),
        fields(&[
            ("gen_ai.agent.name", "main"),
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.call.id", "c1"),
            ("gen_ai.tool.name", "note"),
            ("gen_ai.tool.type", "function"),
            ("otel.kind", "internal"),
            ("otel.name", "execute_tool note"),
        ])
    );
    let span = &recording.spans()[0];
    let metadata = span.metadata;
    assert_eq!((metadata.name(), metadata.target()), ("execute_tool", "dsh_tools"));
    assert_eq!((*metadata.level(), span.parent.as_deref()), (Level::INFO, None));
    assert!(span.is_closed());
}

#[tokio::test]
async fn a_failure_is_told_by_its_code() {
    for (error, expected) in [
        (ToolError::new("no ticket 4711").with_code("TICKET_MISSING"), "TICKET_MISSING"),
        (ToolError::new("no ticket 4711"), "_OTHER"),
    ] {
        let (recording, _guard) = Recording::start(Level::INFO);
        run(&failing(error), ToolCall::new("c1", "fails", "{}")).await;
        let span = recording.only_span();
        assert_eq!(span["error.type"], expected);
        assert_eq!(span["otel.status_code"], "ERROR");
        assert!(!format!("{span:?}").contains("4711"), "{span:?}");
    }
}

#[tokio::test]
async fn a_wrapper_that_breaks_and_a_late_cancellation_are_failures_of_the_span() {
    let broken = around_fn(|_, _| Box::pin(async { Err(ToolError::new("no")) }));
    assert_eq!(span_of_note(|b| b.around("broken", broken)).await["error.type"], "_OTHER");

    let cancel = around_fn(|execution: &Execution, next| {
        execution.cancellation().cancel();
        next.run()
    });
    let span = span_of_note(|b| b.around("cancel", cancel)).await;
    assert_eq!(span["error.type"], "ABORTED_BEFORE_DISPATCH");
}

#[tokio::test]
async fn a_name_that_no_tool_has_is_not_in_the_name_of_the_span() {
    let (recording, _guard) = Recording::start(Level::INFO);
    run(&registry(&fixtures::Trace::default(), |b| b), ToolCall::new("c1", "nope", "{}")).await;
    let span = recording.only_span();
    assert_eq!((&*span["otel.name"], &*span["gen_ai.tool.name"]), ("execute_tool", "nope"));
    assert_eq!(span["error.type"], "UNKNOWN_TOOL");
}

#[tokio::test]
async fn what_may_be_private_is_added_only_where_it_is_asked_for() {
    const PRIVATE: [&str; 3] =
        ["gen_ai.tool.description", "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"];
    for (trace, expected) in [
        (Trace::new(), [None, None, None]),
        (Trace::new().with_descriptions(), [Some("Says a text back."), None, None]),
        (Trace::new().with_arguments(), [None, Some(r#"{"text":"s3cret"}"#), None]),
        (Trace::new().with_results(), [None, None, Some("\"s3cret\"")]),
    ] {
        let span = span_of_note(|b| b.around("trace", trace)).await;
        assert_eq!(PRIVATE.map(|name| span.get(name).map(String::as_str)), expected);
    }
}

#[tokio::test]
async fn arguments_are_recorded_as_they_were_sent() {
    let (recording, _guard) = Recording::start(Level::INFO);
    let registry =
        registry(&fixtures::Trace::default(), |b| b.around("trace", Trace::new().with_arguments()));
    run(&registry, ToolCall::new("c1", "note", r#"{ "text": "#)).await;
    assert_eq!(recording.only_span()["gen_ai.tool.call.arguments"], r#"{ "text": "#);
}

#[tokio::test]
async fn trace_fills_in_the_span_of_the_call_also_below_a_span_of_another_wrapper() {
    let (recording, _guard) = Recording::start(Level::INFO);
    let other = around_fn(|_, next| {
        Box::pin(async move { next.run().instrument(tracing::info_span!("other")).await })
    });
    let registry = registry(&fixtures::Trace::default(), |b| {
        b.around("other", other).around("trace", Trace::new().with_results())
    });
    run(&registry, say("hi")).await;
    let spans = recording.spans();
    assert_eq!(spans[0].fields["gen_ai.tool.call.result"], "\"hi\"");
    assert_eq!(spans[1].parent.as_deref(), Some("execute_tool note"));
}

#[tokio::test(start_paused = true)]
async fn the_body_runs_inside_the_span_also_after_it_waited() {
    let (recording, _guard) = Recording::start(Level::INFO);
    let tool =
        ToolDefinition::from_fn("waits", "Waits.", json!({"type": "object"}), |_, _| async {
            tracing::info!("before");
            tokio::time::sleep(Duration::from_secs(1)).await;
            tracing::info!("after");
            Ok(json!(null))
        });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    run(&registry, ToolCall::new("c1", "waits", "{}")).await;
    assert_eq!(
        recording.events(),
        ["INFO execute_tool waits: before {}", "INFO execute_tool waits: after {}"]
    );
}

#[tokio::test]
async fn calls_of_a_batch_are_below_the_span_of_the_step_and_nested_ones_below_their_caller() {
    let (recording, _guard) = Recording::start(Level::INFO);
    let registry = ToolRegistry::builder().tool(constant("inner", json!(1))).build().unwrap();
    let inside = registry.clone();
    let outer =
        ToolDefinition::from_fn("outer", "Calls.", json!({"type": "object"}), move |_, cx| {
            let inside = inside.clone();
            async move {
                let call = ToolCall::new("c2", "inner", "{}");
                let nested = inside.execute(call, CallOptions::new().nested_in(&cx)).await;
                Ok(nested.result().value().cloned().unwrap_or_default())
            }
        });
    registry.register(outer).unwrap().keep();
    let batch = Batch::new([ToolCall::new("c1", "outer", "{}")]);
    run_batch(&registry, batch).instrument(tracing::info_span!("step")).await;
    let parents: Vec<_> = recording.spans().into_iter().map(|span| span.parent).collect();
    assert_eq!(parents, [None, Some("step".to_owned()), Some("execute_tool outer".to_owned())]);
}

#[tokio::test]
async fn a_level_that_nobody_listens_to_has_no_spans() {
    let (recording, _guard) = Recording::start(Level::WARN);
    let trace = Trace::new().with_arguments().with_results().with_descriptions();
    let registry = registry(&fixtures::Trace::default(), |b| b.around("trace", trace));
    assert!(!run(&registry, say("hi")).await.result().is_error());
    assert!(recording.spans().is_empty());
}

#[tokio::test(start_paused = true)]
async fn every_call_leaves_its_decisions_also_one_that_was_denied() {
    let (recording, _guard) = Recording::start(Level::DEBUG);
    let registry = registry(&fixtures::Trace::default(), |b| {
        b.guard("night", |_: &Execution| Ok(Some("come back tomorrow".into())))
    });
    run(&registry, say("s3cret")).await;
    assert!(recording.spans().is_empty());
    let decisions = r#""guard        night                deny: come back tomorrow (0.0ns)\n""#;
    assert_eq!(
        recording.events(),
        [format!(
            "DEBUG : tool call ended {{\"call\": \"c1\", \"decisions\": {decisions}, \
             \"outcome\": \"error\", \"tool\": \"note\"}}"
        )]
    );
}
