//! Timeouts and grace, on a paused clock.

use std::future::pending;
use std::time::Duration;

use dsh_tools::around::Timeout;
use dsh_tools::hooks::around_fn;
use dsh_tools::{CallOptions, Progress, ToolCall, ToolDefinition, ToolError, ToolRegistry};
use fixtures::{code, read};
use serde_json::json;
use tokio::time::{Instant, advance, sleep};
use tokio_util::sync::CancellationToken;

const MS: fn(u64) -> Duration = Duration::from_millis;

fn tool<Fut>(body: impl Fn(dsh_tools::ToolContext) -> Fut + Send + Sync + 'static) -> ToolDefinition
where
    Fut: Future<Output = dsh_tools::ToolResult<serde_json::Value>> + Send + 'static,
{
    ToolDefinition::from_fn("t", "T.", json!({"type": "object"}), move |_, cx| body(cx))
        .with_timeout(MS(200))
}

fn registry(tool: ToolDefinition) -> ToolRegistry {
    ToolRegistry::builder().tool(tool).around("timeout", Timeout).build().unwrap()
}

fn call() -> ToolCall {
    ToolCall::new("c1", "t", "{}")
}

#[tokio::test(start_paused = true)]
async fn a_body_that_never_ends_is_dropped_after_timeout_and_grace() {
    let registry = registry(tool(|_| pending()).with_grace(MS(200)));
    let started = Instant::now();
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(started.elapsed(), MS(400));
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
    assert_eq!(read(completed.result()), "Error: tool call timed out after 200ms");
    assert_eq!(completed.result().error().unwrap().info().unwrap().name, "ToolTimeoutError");
    let steps: Vec<_> = completed.record().steps().iter().map(|s| &*s.decision).collect();
    assert_eq!(steps, ["error (ABORTED), dropped after its grace", "error (TOOL_TIMEOUT)"]);
}

#[tokio::test(start_paused = true)]
async fn without_a_grace_the_body_is_awaited() {
    let registry = registry(tool(|cx| async move {
        sleep(MS(1000)).await;
        cx.defer_context("late");
        Ok(json!("done"))
    }));
    let started = Instant::now();
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(started.elapsed(), MS(1000));
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
    assert_eq!(completed.result().contexts().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_quick_body_is_not_touched() {
    let registry = registry(tool(|cx| async move {
        sleep(MS(199)).await;
        Ok(json!(cx.is_cancelled()))
    }));
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(completed.result().value(), Some(&json!(false)));
}

#[tokio::test(start_paused = true)]
async fn a_body_sees_its_deadline_and_the_cancellation() {
    let seen = fixtures::Trace::default();
    let body = seen.clone();
    let registry = registry(tool(move |cx| {
        let body = body.clone();
        async move {
            body.add(format!("{:?} left", cx.deadline().unwrap() - Instant::now()));
            cx.cancelled().await;
            body.add("cancelled".to_owned());
            Err(ToolError::new("stopped"))
        }
    }));
    let started = Instant::now();
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(started.elapsed(), MS(200));
    assert_eq!(seen.lines(), ["200ms left", "cancelled"]);
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
}

#[tokio::test(start_paused = true)]
async fn the_caller_cancelling_first_is_no_timeout() {
    let registry = registry(tool(|cx| async move {
        cx.cancelled().await;
        sleep(MS(500)).await;
        Ok(json!(1))
    }));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let run = registry.execute(call(), options);
    let cancel = async {
        sleep(MS(100)).await;
        token.cancel();
    };
    let (completed, ()) = tokio::join!(run, cancel);
    assert_eq!(code(completed.result()), Some("ABORTED"));
}

#[tokio::test(start_paused = true)]
async fn the_caller_is_heard_whatever_token_is_used_outside() {
    let own_token = around_fn(|_, next| next.run_with(CancellationToken::new()));
    let waits = tool(|cx| async move {
        cx.cancelled().await;
        sleep(MS(500)).await;
        Ok(json!(1))
    });
    let registry = ToolRegistry::builder()
        .tool(waits)
        .around("own token", own_token)
        .around("timeout", Timeout)
        .build()
        .unwrap();
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let (completed, ()) = tokio::join!(registry.execute(call(), options), async { token.cancel() });
    assert_eq!(code(completed.result()), Some("ABORTED"));
}

#[tokio::test(start_paused = true)]
async fn the_caller_cancelling_later_leaves_the_timeout() {
    let registry = registry(tool(|_| async move {
        sleep(MS(500)).await;
        Ok(json!(1))
    }));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let run = registry.execute(call(), options);
    let cancel = async {
        sleep(MS(300)).await;
        token.cancel();
    };
    let (completed, ()) = tokio::join!(run, cancel);
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
}

#[tokio::test(start_paused = true)]
async fn a_declared_timeout_is_only_enforced_by_the_wrapper() {
    let slow = tool(|_| async move {
        sleep(MS(900)).await;
        Ok(json!(1))
    });
    let registry = ToolRegistry::builder().tool(slow).build().unwrap();
    assert!(!registry.execute(call(), CallOptions::new()).await.result().is_error());
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_body_is_dropped_after_its_grace() {
    let registry = registry(tool(|_| pending()).with_grace(MS(50)));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let started = Instant::now();
    let run = registry.execute(call(), options);
    let cancel = async {
        advance(MS(10)).await;
        token.cancel();
    };
    let (completed, ()) = tokio::join!(run, cancel);
    assert_eq!(started.elapsed(), MS(60));
    assert_eq!(code(completed.result()), Some("ABORTED"));
}

#[tokio::test(start_paused = true)]
async fn fractions_of_a_millisecond_are_printed_as_declared() {
    let tool = tool(|_| pending()).with_timeout(Duration::from_micros(1500)).with_grace(MS(0));
    let completed = registry(tool).execute(call(), CallOptions::new()).await;
    assert_eq!(read(completed.result()), "Error: tool call timed out after 1.5ms");
}

#[tokio::test(start_paused = true)]
async fn progress_reaches_whoever_listens() {
    let heard = fixtures::Trace::default();
    let listener = heard.clone();
    let registry = registry(tool(|cx| async move {
        cx.progress("starting");
        cx.progress(Progress::of(1.0, 2.0).with_message("half"));
        Ok(json!(1))
    }));
    let options = CallOptions::new().with_progress(move |execution, progress| {
        listener.add(format!("{} {:?} {:?}", execution.call_id(), progress.done, progress.message));
    });
    registry.execute(call(), options).await;
    assert_eq!(heard.lines(), ["c1 None Some(\"starting\")", "c1 Some(1.0) Some(\"half\")"]);
}

#[tokio::test(start_paused = true)]
async fn a_deadline_outside_holds_whatever_token_is_used_inside() {
    let own_token = around_fn(|_, next| next.run_with(CancellationToken::new()));
    let waits = tool(|cx| async move {
        cx.cancelled().await;
        Ok(json!(1))
    });
    let registry = ToolRegistry::builder()
        .tool(waits)
        .around("timeout", Timeout)
        .around("own token", own_token)
        .build()
        .unwrap();
    let started = Instant::now();
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(started.elapsed(), MS(200));
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
}

#[tokio::test(start_paused = true)]
async fn unmounting_the_wrapper_ends_the_enforcement() {
    let slow = tool(|_| async move {
        sleep(MS(900)).await;
        Ok(json!(1))
    });
    let registry = ToolRegistry::builder().tool(slow).build().unwrap();
    let mounted = registry.around("timeout", Timeout);
    let timed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(code(timed.result()), Some("TOOL_TIMEOUT"));
    drop(mounted);
    assert!(!registry.execute(call(), CallOptions::new()).await.result().is_error());
}
