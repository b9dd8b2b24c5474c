//! The way of one call: every failure is a result, and nothing is told to a model that it should
//! not read.

use std::sync::{Arc, Mutex};

use dsh_tools::hooks::{
    Around, AroundNext, BoxFuture, PostDecision, around_fn, post_execute_fn, pre_execute_fn,
};
use dsh_tools::{
    CallOptions, CallResult, DecisionRecord, Execution, Stage, ToolCall, ToolDefinition, ToolError,
    ToolResult,
};
use fixtures::{Note, Trace, code, constant, read, registry, run, say};
use serde_json::json;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_success_has_value_content_and_no_error() {
    let trace = Trace::default();
    let registry = registry(&trace, |builder| builder.observe("trace", trace.observer()));
    let completed = run(&registry, say("hi")).await;
    assert_eq!((completed.call_id(), completed.name()), ("c1", "note"));
    let result = completed.result();
    assert_eq!(result.value(), Some(&json!("hi")));
    assert_eq!((result.error(), result.meta(), result.contexts()), (None, None, &[][..]));
    assert_eq!(trace.lines(), ["body", "result c1 ok"]);
    let steps: Vec<_> = completed.record().steps().iter().map(|step| step.stage).collect();
    assert_eq!(steps, [Stage::Body]);
}

#[tokio::test]
async fn an_unknown_tool_is_seen_by_policy_and_observers() {
    let trace = Trace::default();
    let seen = trace.clone();
    let registry = registry(&trace, |builder| {
        builder.observe("trace", trace.observer()).guard("see", move |execution: &Execution| {
            seen.add(format!("guard {}", execution.name()));
            assert!(execution.definition().is_none());
            Ok(None)
        })
    });
    let result = run(&registry, ToolCall::new("c1", "nope", "{}")).await.into_result();
    assert_eq!(code(&result), Some("UNKNOWN_TOOL"));
    assert_eq!(result.error().unwrap().info().unwrap().name, "ToolNotFoundError");
    assert_eq!(read(&result), "Error: unknown tool \"nope\"");
    assert_eq!(trace.lines(), ["guard nope", "result c1 error"]);
}

#[tokio::test]
async fn a_panic_is_one_failed_call_and_says_nothing_of_the_host() {
    let trace = Trace::default();
    let breaks = ToolDefinition::typed("breaks", "Breaks.", |note: Note, _| async move {
        assert!(note.text == "ok", "/home/me/secret: {}", note.text);
        Ok(1)
    });
    let registry = registry(&trace, |builder| builder.tool(breaks));
    let call = |text: &str| ToolCall::new("c1", "breaks", json!({ "text": text }));
    let result = run(&registry, call("x")).await.into_result();
    assert_eq!(code(&result), Some("PANICKED"));
    assert_eq!(
        read(&result),
        "Error: the tool panicked, which is a defect in it and not in the call"
    );
    assert!(!run(&registry, call("ok")).await.result().is_error());
}

#[tokio::test]
async fn structured_details_are_recorded_and_not_read() {
    let tool = ToolDefinition::from_fn("t", "T.", json!({"type": "object"}), |_, _| async {
        Err(ToolError::new("locked").with_code("FILE_LOCKED").with_reason("pid 7"))
    });
    let registry = registry(&Trace::default(), |builder| builder.tool(tool));
    let result = run(&registry, ToolCall::new("c1", "t", "{}")).await.into_result();
    assert_eq!(read(&result), "Error: locked");
    assert_eq!(
        serde_json::to_value(&result).unwrap(),
        json!({
            "isError": true,
            "content": [{"type": "text", "text": "Error: locked"}],
            "message": "locked",
            "error": {"name": "ToolError", "code": "FILE_LOCKED", "reason": "pid 7"},
        })
    );
}

#[tokio::test]
async fn a_call_cancelled_before_it_starts_runs_nothing() {
    let trace = Trace::default();
    let guard = trace.clone();
    let registry = registry(&trace, |builder| {
        builder.observe("trace", trace.observer()).guard("g", move |_: &Execution| {
            guard.add("guard");
            Ok(None)
        })
    });
    let token = CancellationToken::new();
    token.cancel();
    let options = CallOptions::new().with_cancellation(token);
    let result = registry.execute(say("hi"), options).await.into_result();
    assert_eq!(code(&result), Some("ABORTED_BEFORE_DISPATCH"));
    assert_eq!(read(&result), "Error: tool call aborted before dispatch");
    assert_eq!(trace.lines(), ["result c1 error"]);
}

#[tokio::test]
async fn a_success_that_comes_after_cancellation_is_aborted() {
    let stubborn =
        ToolDefinition::from_fn("s", "S.", json!({"type": "object"}), |_, cx| async move {
            cx.defer_context("half done");
            cx.cancelled().await;
            Ok(json!("done anyway"))
        });
    let registry = registry(&Trace::default(), |builder| builder.tool(stubborn));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let call = registry.execute(ToolCall::new("c1", "s", "{}"), options);
    let (completed, ()) = tokio::join!(call, async { token.cancel() });
    assert_eq!(code(completed.result()), Some("ABORTED"));
    assert_eq!(read(completed.result()), "Error: tool call aborted");
    assert_eq!(completed.result().contexts().len(), 1);
    assert_eq!(completed.result().value(), None);
}

#[tokio::test]
async fn a_failure_of_the_body_outranks_cancellation() {
    let tool = ToolDefinition::from_fn("s", "S.", json!({"type": "object"}), |_, cx| async move {
        cx.cancelled().await;
        Err(ToolError::new("stopped at line 7"))
    });
    let registry = registry(&Trace::default(), |builder| builder.tool(tool));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let call = registry.execute(ToolCall::new("c1", "s", "{}"), options);
    let (completed, ()) = tokio::join!(call, async { token.cancel() });
    assert_eq!(read(completed.result()), "Error: stopped at line 7");
}

struct Answers(CallResult);

impl Around for Answers {
    fn around<'a>(
        &'a self,
        _execution: &'a Execution,
        _next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

#[tokio::test]
async fn a_wrapper_may_answer_but_the_tool_renders() {
    let trace = Trace::default();
    let made = CallResult::success("cached").with_content("what the wrapper wants to be read");
    let registry = registry(&trace, |builder| builder.around("cache", Answers(made)));
    let result = run(&registry, say("hi")).await.into_result();
    assert_eq!(read(&result), "cached");
    assert_eq!(trace.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn a_wrapper_cannot_answer_with_a_value_the_tool_does_not_declare() {
    let registry = registry(&Trace::default(), |builder| {
        builder.around("cache", Answers(CallResult::success(7)))
    });
    let result = run(&registry, say("hi")).await.into_result();
    assert_eq!(code(&result), Some("INVALID_TOOL_OUTPUT"));
}

#[tokio::test]
async fn wrappers_enclose_the_body_in_order_and_may_repeat_it() {
    let trace = Trace::default();
    let (outer, inner) = (trace.clone(), trace.clone());
    let registry = registry(&trace, |builder| {
        builder
            .around("twice", around_fn(move |_, next| boxed_twice(outer.clone(), next)))
            .around("inner", around_fn(move |_, next| boxed_once(inner.clone(), next)))
    });
    let completed = run(&registry, say("hi")).await;
    assert_eq!(read(completed.result()), "hi");
    assert_eq!(trace.lines(), ["outer", "inner", "body", "inner", "body"]);
    let by: Vec<_> = completed.record().steps().iter().map(|step| &*step.by).collect();
    assert_eq!(by, ["note", "inner", "note", "inner", "twice"]);
}

fn boxed_twice(trace: Trace, next: AroundNext<'_>) -> BoxFuture<'_, ToolResult<CallResult>> {
    Box::pin(async move {
        trace.add("outer");
        next.run().await?;
        next.run().await
    })
}

fn boxed_once(trace: Trace, next: AroundNext<'_>) -> BoxFuture<'_, ToolResult<CallResult>> {
    Box::pin(async move {
        trace.add("inner");
        next.run().await
    })
}

#[tokio::test]
async fn a_wrapper_that_breaks_ends_the_call() {
    let trace = Trace::default();
    let registry = registry(&trace, |builder| {
        builder
            .observe("trace", trace.observer())
            .around("breaks", around_fn(|_, _| Box::pin(async { panic!("no") })))
    });
    let result = run(&registry, say("hi")).await.into_result();
    assert_eq!(code(&result), Some("PANICKED"));
    assert_eq!(trace.lines(), ["result c1 error"]);
}

fn decide(decision: PostDecision) -> impl dsh_tools::hooks::PostExecute {
    post_execute_fn(move |_, _, _| {
        let decision = decision.clone();
        Box::pin(async move { Ok(decision) })
    })
}

#[tokio::test]
async fn policy_may_replace_what_is_read_the_value_or_block() {
    let after = |decision| registry(&Trace::default(), |b| b.post_execute("p", decide(decision)));

    let result =
        run(&after(PostDecision::with_content("[redacted]")), say("hi")).await.into_result();
    assert_eq!((read(&result).as_str(), result.value()), ("[redacted]", Some(&json!("hi"))));

    let result = run(&after(PostDecision::with_value("bye")), say("hi")).await.into_result();
    assert_eq!((read(&result).as_str(), result.value()), ("bye", Some(&json!("bye"))));

    let result = run(&after(PostDecision::with_value(7)), say("hi")).await.into_result();
    assert_eq!(code(&result), Some("INVALID_TOOL_OUTPUT"));

    let result = run(&after(PostDecision::block("not for you")), say("hi")).await.into_result();
    assert!(result.is_error());
    assert_eq!((read(&result).as_str(), result.value()), ("not for you", None));
    assert_eq!(result.error().unwrap().message(), "not for you");
}

#[tokio::test]
async fn an_observer_that_breaks_changes_nothing() {
    let trace = Trace::default();
    let registry = registry(&trace, |builder| {
        builder
            .observe("fails", |_: &Execution, _: &CallResult, _: &_| Err("full".into()))
            .observe("panics", |_: &Execution, _: &CallResult, _: &_| panic!("no"))
            .observe("trace", trace.observer())
    });
    assert_eq!(read(run(&registry, say("hi")).await.result()), "hi");
    assert_eq!(trace.lines(), ["body", "result c1 ok"]);
}

#[tokio::test]
async fn the_body_is_the_one_registered_when_it_starts() {
    let registry = registry(&Trace::default(), |builder| builder);
    let first = registry.register(constant("t", json!("first"))).unwrap();
    let prepared = registry.prepare(ToolCall::new("c1", "t", "{}"), CallOptions::new()).await;
    assert!(prepared.is_admitted());
    drop(first);
    let second = registry.register(constant("t", json!("second"))).unwrap();
    let completed = prepared.dispatch().await.complete().await;
    assert_eq!(read(completed.result()), "second");
    drop(second);
}

#[tokio::test]
async fn a_nested_call_serves_the_call_it_was_made_under() {
    let inner = registry(&Trace::default(), |builder| {
        let who =
            ToolDefinition::from_fn("who", "Who.", json!({"type": "object"}), |_, cx| async move {
                Ok(json!([cx.call_id(), cx.root_call_id(), cx.agent()]))
            });
        builder.tool(who)
    });
    let registry = inner.clone();
    let outer =
        ToolDefinition::from_fn("outer", "Outer.", json!({"type": "object"}), move |_, cx| {
            let registry = inner.clone();
            async move {
                let options = CallOptions::new().nested_in(&cx);
                let completed = registry.execute(ToolCall::new("c2", "who", "{}"), options).await;
                Ok(completed.result().value().cloned().unwrap_or_default())
            }
        });
    let outer = registry.register(outer).unwrap();
    let result = run(&registry, ToolCall::new("c1", "outer", "{}")).await.into_result();
    assert_eq!(result.value(), Some(&json!(["c2", "c1", "main"])));
    drop(outer);
}

#[tokio::test]
async fn every_stage_sees_one_execution_and_one_value_of_the_arguments() {
    let seen: Arc<Mutex<Vec<(dsh_tools::CallToken, usize)>>> = Arc::default();
    let note = |seen: &Arc<Mutex<Vec<_>>>| {
        let seen = Arc::clone(seen);
        move |execution: &Execution| {
            let address = std::ptr::from_ref(execution.arguments()) as usize;
            seen.lock().unwrap().push((execution.token(), address));
        }
    };
    let (pre, guard, around, post, observer) =
        (note(&seen), note(&seen), note(&seen), note(&seen), note(&seen));
    let trace = Trace::default();
    let registry = registry(&trace, |b| {
        b.pre_execute(
            "pre",
            pre_execute_fn(move |execution, next| {
                pre(execution);
                next.run()
            }),
        )
        .guard("guard", move |execution: &Execution| {
            guard(execution);
            Ok(None)
        })
        .around(
            "around",
            around_fn(move |execution, next| {
                around(execution);
                next.run()
            }),
        )
        .post_execute(
            "post",
            post_execute_fn(move |execution, _, next| {
                post(execution);
                next.run()
            }),
        )
        .observe(
            "observer",
            move |execution: &Execution, _: &CallResult, _: &DecisionRecord| {
                observer(execution);
                ToolResult::Ok(())
            },
        )
    });
    let completed = run(&registry, say("hi")).await;
    let seen = seen.lock().unwrap();
    assert_eq!(seen.len(), 5);
    assert!(seen.iter().all(|one| *one == seen[0]));
    assert_eq!(completed.execution().token(), seen[0].0);
}
