//! Secrets do not go out, whoever put them where.

use std::error::Error;
use std::sync::Arc;

use dsh_tools::hooks::{PostDecision, outbound_fn, post_execute_fn};
use dsh_tools::log::{Event, session_log_fn};
use dsh_tools::outbound::Redact;
use dsh_tools::schema::{Property, ValueSchema};
use dsh_tools::{
    CallOptions, CallResult, Completed, ContentBlock, ErrorInfo, Execution, RegistryBuilder, Stage,
    ToolCall, ToolContext, ToolDefinition, ToolError, ToolRegistry,
};
use fixtures::{Trace, code, constant, read};
use serde_json::{Value, json};

/// What no result may have.
const KEY: &str = "sk-abc123";

fn redact() -> Redact {
    Redact::new().with_pattern("api key", "sk-[a-z0-9]+").unwrap()
}

async fn run(
    tool: ToolDefinition,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> Completed {
    let registry = more(ToolRegistry::builder().tool(tool)).build().unwrap();
    registry.execute(ToolCall::new("c1", "t", "{}"), CallOptions::new()).await
}

async fn redacted(tool: ToolDefinition) -> CallResult {
    run(tool, |builder| builder.outbound("redact", redact())).await.into_result()
}

async fn text(redact: Redact, text: &str) -> String {
    let completed = run(constant("t", json!(text)), |b| b.outbound("redact", redact)).await;
    read(completed.result())
}

fn fails(error: impl Fn() -> ToolError + Send + Sync + 'static) -> ToolDefinition {
    ToolDefinition::from_fn("t", "Fails.", json!({"type": "object"}), move |_, _: ToolContext| {
        let error = error();
        async move { Err(error) }
    })
}

#[track_caller]
fn assert_clean(result: &CallResult) {
    let all = serde_json::to_string(result).unwrap() + &format!("{result:?}");
    assert!(!all.contains(KEY), "{all}");
    assert!(all.contains("[redacted: api key]"), "{all}");
}

#[tokio::test]
async fn strings_of_a_value_are_redacted_and_keys_and_shape_stay() {
    let value = json!({"sk-key": ["a sk-abc123 b", 7, null, {"deep": "sk-abc123"}], "n": -1.5});
    let result = redacted(constant("t", value)).await;
    let clean = json!({
        "sk-key": ["a [redacted: api key] b", 7, null, {"deep": "[redacted: api key]"}],
        "n": -1.5
    });
    assert_eq!(result.value(), Some(&clean));
    assert_eq!(
        read(&result),
        r#"{"[redacted: api key]":["a [redacted: api key] b",7,null,{"deep":"[redacted: api key]"}],"n":-1.5}"#
    );
}

#[tokio::test]
async fn every_kind_of_content_block_is_redacted_but_not_bytes() {
    let image = ContentBlock::Image { data: KEY.into(), mime_type: "image/png".into() };
    let blocks = json!([
        {"type": "text", "text": KEY},
        {"type": "resource_link", "uri": "https://sk-abc123@host", "name": KEY, "title": KEY},
        {"type": "resource", "resource": {"uri": "a", "text": KEY, "blob": KEY}},
    ]);
    let blocks: Vec<ContentBlock> = serde_json::from_value(blocks).unwrap();
    let shown = blocks.clone();
    let tool = constant("t", json!(null))
        .with_render(move |_, _| [&*shown, std::slice::from_ref(&image)].concat());
    let result = redacted(tool).await;
    assert_eq!(
        serde_json::to_value(result.content()).unwrap(),
        json!([
            {"type": "text", "text": "[redacted: api key]"},
            {
                "type": "resource_link",
                "uri": "https://[redacted: api key]@host",
                "name": "[redacted: api key]",
                "title": "[redacted: api key]",
            },
            {"type": "resource", "resource": {"uri": "a", "text": "[redacted: api key]", "blob": KEY}},
            {"type": "image", "data": KEY, "mimeType": "image/png"},
        ])
    );
}

#[tokio::test]
async fn a_failing_body_tells_nothing_in_message_reason_content_or_source() {
    let error = || {
        let info = ErrorInfo { name: "E".into(), code: "E".into(), reason: Some(KEY.into()) };
        ToolError::from(std::io::Error::other(KEY)).with_info(info)
    };
    let result = redacted(fails(error)).await;
    assert_clean(&result);
    assert_eq!(read(&result), "Error: [redacted: api key]");
    assert_eq!(code(&result), Some("E"));
    assert_eq!(
        result.error().unwrap().info().unwrap().reason.as_deref(),
        Some("[redacted: api key]")
    );
    assert!(result.error().unwrap().source().is_none());
}

#[tokio::test]
async fn an_error_without_secrets_keeps_its_source() {
    let result = redacted(fails(|| std::io::Error::other("full").into())).await;
    let source: &(dyn Error + Send + Sync) = result.error().unwrap().source().unwrap();
    assert!(source.downcast_ref::<std::io::Error>().is_some());
}

#[tokio::test]
async fn meta_and_messages_that_follow_are_redacted() {
    let tool = ToolDefinition::from_fn("t", "Defers.", json!({"type": "object"}), |_, cx| {
        cx.defer_context(KEY);
        async { Ok(json!("v")) }
    })
    .with_meta(|_, _| Ok(json!({"seen": KEY})));
    let result = redacted(tool).await;
    assert_clean(&result);
    assert_eq!(result.meta(), Some(&json!({"seen": "[redacted: api key]"})));
    assert_eq!(result.contexts()[0].content.to_string(), "[redacted: api key]");
    assert_eq!(result.contexts()[0].source, "tool:t");
}

#[tokio::test]
async fn what_hooks_and_finalizers_add_is_redacted_too() {
    let plain = || constant("t", json!("v"));
    let finalized = plain().with_finalize_content(|_, _| Ok(Some(KEY.into())));
    assert_clean(&redacted(finalized).await);
    let finalizer_fails = plain().with_finalize_content(|_, _| Err(ToolError::new(KEY)));
    assert_clean(&redacted(finalizer_fails).await);

    let hook = post_execute_fn(|_, _, _| Box::pin(async { Ok(PostDecision::with_content(KEY)) }));
    let adds = |b: RegistryBuilder| b.outbound("redact", redact()).post_execute("adds", hook);
    assert_clean(run(plain(), adds).await.result());

    let hook = post_execute_fn(|_, _, _| Box::pin(async { Err(ToolError::new(KEY)) }));
    let fails = |b: RegistryBuilder| b.outbound("redact", redact()).post_execute("fails", hook);
    assert_clean(run(plain(), fails).await.result());

    let hook = outbound_fn(|_, _| Box::pin(async { Err(ToolError::new(KEY)) }));
    let fails = |b: RegistryBuilder| b.outbound("redact", redact()).outbound("fails", hook);
    assert_clean(run(plain(), fails).await.result());
}

#[tokio::test]
async fn observers_and_the_session_log_see_what_is_left() {
    let trace = Trace::default();
    let (observed, logged) = (trace.clone(), trace.clone());
    let observer = move |_: &Execution, result: &CallResult, _: &dsh_tools::DecisionRecord| {
        observed.add(read(result));
        Ok(())
    };
    let log = session_log_fn(move |event: &Event| {
        if let Event::Result(result) = event {
            logged.add(result.content.to_string());
        }
        Box::pin(async { Ok(()) })
    });
    let registry = ToolRegistry::builder()
        .tool(constant("t", json!(KEY)))
        .observe("observer", observer)
        .outbound("redact", redact())
        .build()
        .unwrap();
    let options = CallOptions::new().with_log(Arc::new(log));
    registry.execute(ToolCall::new("c1", "t", "{}"), options).await;
    assert_eq!(trace.lines(), ["[redacted: api key]", "[redacted: api key]"]);
}

#[tokio::test]
async fn a_result_without_secrets_goes_out_as_it_is() {
    let tool = || constant("t", json!({"a": ["skip", 1]})).with_meta(|_, _| Ok(json!("m")));
    let without = run(tool(), |b| b).await;
    let with = run(tool(), |b| b.outbound("redact", redact())).await;
    assert_eq!(with.result(), without.result());
    let last = with.record().steps().last().unwrap();
    assert_eq!((last.stage, &*last.decision), (Stage::Outbound, "unchanged"));
}

#[tokio::test]
async fn an_exact_secret_is_found_as_it_is_and_as_json_writes_it() {
    let secret = "pa\"ss\\wo\nrd";
    let redact = || Redact::new().with_secret("password", format!(" {secret}\n"));
    assert_eq!(text(redact(), &format!("<{secret}>")).await, "<[redacted: password]>");

    // The default content of a value is its JSON, and here that holds JSON once more.
    let inner = json!({ "inner": secret }).to_string();
    let tool = constant("t", json!({ "outer": inner, "plain": secret }));
    let completed = run(tool, |b| b.outbound("redact", redact())).await;
    assert_eq!(
        read(completed.result()),
        r#"{"outer":"{\"inner\":\"[redacted: password]\"}","plain":"[redacted: password]"}"#
    );
    assert_eq!(completed.result().value().unwrap()["plain"], "[redacted: password]");
}

#[tokio::test]
async fn secrets_that_overlap_are_one_and_nothing_of_them_is_left() {
    let redact = Redact::new()
        .with_secret("short", "abc")
        .with_secret("long", "abcdef")
        .with_secret("late", "efgh")
        .with_pattern("digits", "[0-9]+")
        .unwrap();
    let redacted = text(redact, "x abcdefgh y abc7 z").await;
    assert_eq!(redacted, "x [redacted: short, long, late] y [redacted: short][redacted: digits] z");
}

#[tokio::test]
async fn what_is_empty_matches_nothing() {
    let redact = Redact::new().with_secret("unset", " \n").with_pattern("stars", r"\**").unwrap();
    assert_eq!(text(redact, "a **b").await, "a [redacted: stars]b");
}

#[test]
fn a_pattern_that_is_none_is_refused_by_its_name() {
    let error = Redact::new().with_pattern("api key", "sk-(").unwrap_err();
    assert_eq!(
        error.to_string(),
        "the pattern of \"api key\" is no regular expression: unclosed group"
    );
}

#[test]
fn nothing_prints_a_secret() {
    let redact = redact().with_secret("password", "correct horse");
    assert_eq!(format!("{redact:?}"), r#"Redact { names: ["api key", "password"], .. }"#);
}

#[tokio::test]
async fn a_value_keeps_its_shape_where_a_text_no_longer_fits_its_schema() {
    let key = ValueSchema::parse(&json!({"type": "string", "pattern": "^sk-"})).unwrap();
    let output = ValueSchema::object([Property::required("key", key)]);
    let tool = constant("t", json!({ "key": KEY })).with_output(output);
    let result = redacted(tool).await;
    assert_eq!(result.value(), Some(&json!({"key": "[redacted: api key]"})));
}

#[tokio::test]
async fn results_of_nested_calls_are_redacted() {
    let outer =
        ToolDefinition::from_fn("t", "Calls.", json!({"type": "object"}), |_, cx| async move {
            let registry = cx.shared_state::<std::sync::OnceLock<ToolRegistry>>().unwrap();
            let call = ToolCall::new("c2", "inner", "{}");
            let options = CallOptions::new().nested_in(&cx);
            let inner = registry.get().unwrap().execute(call, options).await;
            // A program that a model wrote can take a secret apart.
            let spelt: Vec<_> = read(inner.result()).chars().map(String::from).collect();
            Ok(json!(spelt.join(" ")))
        });
    let cell = Arc::new(std::sync::OnceLock::new());
    let registry = ToolRegistry::builder()
        .tool(outer)
        .tool(constant("inner", json!(KEY)))
        .shared_state(Arc::clone(&cell))
        .outbound("redact", redact())
        .build()
        .unwrap();
    cell.set(registry.clone()).unwrap();
    let call = ToolCall::new("c1", "t", "{}");
    let completed = registry.execute(call, CallOptions::new()).await;
    assert_eq!(read(completed.result()), "[ r e d a c t e d :   a p i   k e y ]");
}

#[tokio::test]
async fn a_secret_of_one_agent_is_taken_out_of_its_calls() {
    let registry = ToolRegistry::builder().tool(constant("t", json!(KEY))).build().unwrap();
    let (one, other) = (registry.scope("one"), registry.scope("other"));
    one.outbound("redact", redact()).keep();
    for (scope, expected) in [(one, "[redacted: api key]"), (other, KEY)] {
        let options = CallOptions::new().with_scope(&scope);
        let completed = registry.execute(ToolCall::new("c1", "t", "{}"), options).await;
        assert_eq!(read(completed.result()), expected);
    }
}

#[tokio::test]
async fn a_deep_value_is_redacted_without_the_stack() {
    let tool = ToolDefinition::from_fn("t", "Is deep.", json!({"type": "object"}), |_, _| async {
        Ok((0..100_000).fold(json!(KEY), |value, _| Value::Array(vec![value])))
    });
    let result = redacted(tool).await;
    assert!(read(&result).contains("[[\"[redacted: api key]\"]]"));
    assert!(!read(&result).contains(KEY));
    let mut value = result.value().unwrap();
    while let Some(item) = value.get(0) {
        value = item;
    }
    assert_eq!(value, "[redacted: api key]");
}
