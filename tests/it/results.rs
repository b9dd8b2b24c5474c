//! What becomes of a result: the callbacks of its tool, policy after it, and what survives which step.

use dsh_tools::hooks::{PostDecision, PreDecision, post_execute_fn, pre_execute_fn};
use dsh_tools::schema::ValueSchema;
use dsh_tools::{
    CallOptions, CallResult, Completed, Content, ContentBlock, Execution, RegistryBuilder,
    ToolCall, ToolDefinition, ToolError, ToolRegistry, ToolResult,
};
use fixtures::{Trace, code, constant, read};
use serde_json::{Map, Value, json};

fn tool() -> ToolDefinition {
    constant("t", json!("v")).with_output(ValueSchema::string())
}

async fn run(
    tool: ToolDefinition,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> Completed {
    let registry = more(ToolRegistry::builder().tool(tool)).build().unwrap();
    registry.execute(ToolCall::new("c1", "t", "{}"), CallOptions::new()).await
}

async fn alone(tool: ToolDefinition) -> CallResult {
    run(tool, |builder| builder).await.into_result()
}

fn accept(decision: PostDecision) -> impl dsh_tools::hooks::PostExecute {
    post_execute_fn(move |_, _, _| {
        let decision = decision.clone();
        Box::pin(async move { Ok(decision) })
    })
}

/// A block that holds a number which JSON text would not give back.
fn lossy() -> Content {
    let mut resource = Map::new();
    resource.insert("size".into(), json!(-0.0));
    ContentBlock::Resource { resource }.into()
}

/// A callback that notes what it is given and appends to the content.
fn appends(
    trace: &Trace,
    what: &'static str,
) -> impl Fn(&Execution, &CallResult) -> ToolResult<Option<Content>> + Send + Sync + 'static {
    let trace = trace.clone();
    move |_: &Execution, result: &CallResult| {
        trace.add(format!("{what} {}", result.content()));
        Ok(Some(format!("{} {what}", result.content()).into()))
    }
}

#[tokio::test]
async fn meta_that_json_would_not_give_back_is_an_invalid_output() {
    let result = alone(tool().with_meta(|_, _| Ok(json!([-0.0])))).await;
    assert_eq!(
        read(&result),
        "Error: tool \"t\" returned invalid output: output.presentationMeta returned non-lossless JSON"
    );
    assert_eq!((code(&result), result.meta()), (Some("INVALID_TOOL_OUTPUT"), None));
}

#[tokio::test]
async fn content_that_json_would_not_give_back_is_an_invalid_output() {
    let result = alone(tool().with_render(|_, _| lossy())).await;
    assert_eq!(
        read(&result),
        "Error: tool \"t\" returned invalid output: output.render returned non-lossless JSON"
    );
}

#[tokio::test]
async fn a_failure_of_meta_is_finalized_like_any_other() {
    let trace = Trace::default();
    let broken = tool()
        .with_meta(|_, _| Err(ToolError::new("no meta")))
        .with_finalize_content(appends(&trace, "final"));
    let result = alone(broken).await;
    let error =
        "Error: tool \"t\" returned invalid output: output.presentationMeta failed: no meta";
    assert_eq!(trace.lines(), [format!("final {error}")]);
    assert_eq!(read(&result), format!("{error} final"));
}

#[tokio::test]
async fn meta_is_made_anew_with_another_value_and_kept_with_other_content() {
    let with_meta = || tool().with_meta(|_, value| Ok(json!({ "of": value })));
    let other =
        run(with_meta(), |b| b.post_execute("p", accept(PostDecision::with_value("w")))).await;
    assert_eq!(other.result().meta(), Some(&json!({"of": "w"})));
    let content =
        run(with_meta(), |b| b.post_execute("p", accept(PostDecision::with_content("c")))).await;
    assert_eq!(content.result().meta(), Some(&json!({"of": "v"})));
    assert_eq!(
        (read(content.result()).as_str(), content.result().value()),
        ("c", Some(&json!("v")))
    );
    let blocked =
        run(with_meta(), |b| b.post_execute("p", accept(PostDecision::block("no")))).await;
    assert_eq!((blocked.result().meta(), blocked.result().value()), (None, None));
}

#[tokio::test]
async fn a_nested_call_has_no_meta() {
    let with_meta = tool().with_meta(|_, _| Ok(json!("card")));
    let registry = ToolRegistry::builder().tool(with_meta).build().unwrap();
    let inner = registry.clone();
    let outer =
        ToolDefinition::from_fn("outer", "Calls.", json!({"type": "object"}), move |_, cx| {
            let registry = inner.clone();
            async move {
                let options = CallOptions::new().nested_in(&cx);
                let completed = registry.execute(ToolCall::new("n1", "t", "{}"), options).await;
                assert_eq!(completed.result().value(), Some(&json!("v")));
                Ok(json!(completed.result().meta().is_some()))
            }
        });
    registry.register(outer).unwrap().keep();
    let call = |name: &str| ToolCall::new("c1", name, "{}");
    let nested = registry.execute(call("outer"), CallOptions::new()).await;
    assert_eq!(nested.result().value(), Some(&json!(false)));
    let direct = registry.execute(call("t"), CallOptions::new()).await;
    assert_eq!(direct.result().meta(), Some(&json!("card")));
}

#[tokio::test]
async fn another_value_has_to_be_what_the_tool_declares() {
    let completed = run(tool(), |b| b.post_execute("p", accept(PostDecision::with_value(1)))).await;
    assert_eq!(
        read(completed.result()),
        "Error: tool \"t\" returned invalid output: \"value\" must be a string"
    );
}

#[tokio::test]
async fn feedback_that_json_would_not_give_back_is_replaced() {
    let completed =
        run(tool(), |b| b.post_execute("p", accept(PostDecision::block(lossy())))).await;
    assert_eq!(read(completed.result()), "Error: tool result must be losslessly JSON-serializable");
}

#[tokio::test]
async fn projected_content_comes_before_policy_and_finalized_content_last() {
    let trace = Trace::default();
    let tool = tool()
        .with_project_content(appends(&trace, "projected"))
        .with_finalize_content(appends(&trace, "final"));
    let policy = {
        let trace = trace.clone();
        post_execute_fn(move |_, result, _| {
            trace.add(format!("policy {}", result.content()));
            let content = format!("{} policy", result.content());
            Box::pin(async { Ok(PostDecision::with_content(content)) })
        })
    };
    let completed = run(tool, |b| b.post_execute("p", policy)).await;
    assert_eq!(trace.lines(), ["projected v", "policy v projected", "final v projected policy"]);
    assert_eq!(read(completed.result()), "v projected policy final");
    assert_eq!(completed.result().value(), Some(&json!("v")));
}

#[tokio::test]
async fn projected_content_is_skipped_where_policy_broke() {
    let trace = Trace::default();
    let tool = || {
        tool()
            .with_project_content(appends(&trace, "projected"))
            .with_finalize_content(appends(&trace, "final"))
    };
    let breaks = pre_execute_fn(|_, _| Box::pin(async { Err(ToolError::new("broke")) }));
    let completed = run(tool(), |b| b.pre_execute("p", breaks)).await;
    assert_eq!(read(completed.result()), "Error: broke final");

    let denies = pre_execute_fn(|_, _| Box::pin(async { Ok(PreDecision::deny("no")) }));
    let completed = run(tool(), |b| b.pre_execute("p", denies)).await;
    assert_eq!(read(completed.result()), "Error: no projected final");
}

#[tokio::test]
async fn a_projection_that_fails_skips_policy_and_is_finalized() {
    let trace = Trace::default();
    let asked = trace.clone();
    let policy = post_execute_fn(move |_, _, next| {
        asked.add("asked");
        next.run()
    });
    let tool = tool()
        .with_project_content(|_, _| Err(ToolError::new("no projection").with_code("PROJ")))
        .with_finalize_content(appends(&trace, "final"));
    let completed = run(tool, |b| b.post_execute("p", policy)).await;
    assert_eq!(trace.lines(), ["final Error: no projection"]);
    assert_eq!(code(completed.result()), Some("PROJ"));
    assert_eq!(completed.result().value(), None);
}

#[tokio::test]
async fn a_panic_of_any_callback_fails_one_call() {
    type Break = fn(ToolDefinition) -> ToolDefinition;
    let breaks: [(Break, &str); 4] = [
        (
            |tool| tool.with_render(|_, _| -> Content { panic!("told to") }),
            "Error: tool \"t\" returned invalid output: output.render failed: the renderer panicked, \
             which is a defect in it and not in the call",
        ),
        (
            |tool| tool.with_meta(|_, _| panic!("told to")),
            "Error: tool \"t\" returned invalid output: output.presentationMeta failed: the recorder \
             of meta panicked, which is a defect in it and not in the call",
        ),
        (
            |tool| tool.with_project_content(|_, _| panic!("told to")),
            "Error: the projection of content panicked, which is a defect in it and not in the call",
        ),
        (
            |tool| tool.with_finalize_content(|_, _| panic!("told to")),
            "Error: the finalizer of content panicked, which is a defect in it and not in the call",
        ),
    ];
    for (breaks, told) in breaks {
        let registry = ToolRegistry::builder()
            .tool(breaks(tool()))
            .tool(constant("other", json!("fine")))
            .build()
            .unwrap();
        let call =
            |name: &str| registry.execute(ToolCall::new("c", name, "{}"), CallOptions::new());
        assert_eq!(read(call("t").await.result()), told);
        assert_eq!(read(call("other").await.result()), "fine");
    }
}

#[tokio::test]
async fn the_callbacks_are_those_of_the_tool_as_it_was_when_the_call_came() {
    let trace = Trace::default();
    let registry = ToolRegistry::builder().build().unwrap();
    let first = tool().with_finalize_content(appends(&trace, "first"));
    let handle = std::sync::Mutex::new(Some(registry.register(first).unwrap()));
    let (inner, later) = (registry.clone(), trace.clone());
    let replaces = pre_execute_fn(move |_, next| {
        handle.lock().unwrap().take();
        let second =
            constant("t", json!("second")).with_finalize_content(appends(&later, "second"));
        inner.register(second).unwrap().keep();
        next.run()
    });
    registry.pre_execute("replaces", replaces).keep();
    let completed = registry.execute(ToolCall::new("c1", "t", "{}"), CallOptions::new()).await;
    assert_eq!(read(completed.result()), "second first");
}

#[tokio::test]
async fn a_deep_value_is_dropped_without_the_stack() {
    let deep = ToolDefinition::from_fn("t", "Deep.", json!({"type": "object"}), |_, _| async {
        Ok((0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner])))
    })
    .with_render(|_, _| "deep");
    let run = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let result = runtime.block_on(alone(deep));
        assert_eq!(read(&result), "deep");
        // A changed copy is a copy of all of it.
        drop(result.clone().with_content("other"));
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}
