use std::time::Duration;

use dsh_tools::around::{Retry, Timeout};
use dsh_tools::{
    Annotations, CallOptions, CallResult, Completed, RegistryBuilder, Stage, ToolDefinition,
    ToolError, ToolRegistry,
};
use fixtures::{Trace, code, read};
use serde_json::json;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{call, times, tool};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// Attempts that wait 100, 200, 400… ms for each other.
fn retry(attempts: u32) -> Retry {
    Retry::new().with_attempts(times(attempts)).with_backoff(MS(100), MS(1000)).without_jitter()
}

/// A tool that fails until its `n`th run, and notes each.
fn nth(n: u32, trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    tool("t", move |run, cx| {
        trace.add(format!("run {run}"));
        cx.defer_context(format!("run {run}"));
        if run == 1 {
            cx.conclude_turn();
        }
        async move {
            let unlucky = ToolError::new(format!("run {run} had no luck")).transient();
            if run < n { Err(unlucky) } else { Ok(json!(run)) }
        }
    })
}

async fn run(
    tool: ToolDefinition,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> Completed {
    let registry = more(ToolRegistry::builder().tool(tool)).build().unwrap();
    let (call, options) = call("t");
    registry.execute(call, options).await
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_may_pass_is_tried_again_with_longer_pauses() {
    let trace = Trace::default();
    let started = Instant::now();
    let completed = run(nth(4, &trace), |b| b.around("retry", retry(5))).await;
    assert_eq!(completed.result().value(), Some(&json!(4)));
    assert_eq!(started.elapsed(), MS(100 + 200 + 400));
    assert_eq!(trace.lines(), ["run 1", "run 2", "run 3", "run 4"]);
    let bodies = completed.record().steps().iter().filter(|step| step.stage == Stage::Body);
    let decisions: Vec<_> = bodies.map(|step| &*step.decision).collect();
    assert_eq!(decisions, ["error", "error", "error", "ok"]);
}

#[tokio::test(start_paused = true)]
async fn what_failed_attempts_left_behind_is_dropped() {
    let completed = run(nth(3, &Trace::default()), |b| b.around("retry", retry(3))).await;
    let contexts: Vec<_> =
        completed.result().contexts().iter().map(|c| c.content.to_string()).collect();
    assert_eq!(contexts, ["run 3"]);
    assert!(!completed.result().concludes_turn());
}

#[tokio::test(start_paused = true)]
async fn the_last_failure_is_told_when_no_attempt_is_left() {
    let started = Instant::now();
    let completed = run(nth(9, &Trace::default()), |b| b.around("retry", retry(2))).await;
    assert_eq!(read(completed.result()), "Error: run 2 had no luck");
    assert_eq!(started.elapsed(), MS(100));
}

#[tokio::test(start_paused = true)]
async fn only_tools_that_do_no_more_when_called_again_are() {
    for (annotations, runs) in [
        (Annotations::NONE, 1),
        (Annotations { idempotent: Some(true), ..Annotations::NONE }, 2),
        (Annotations { read_only: Some(true), idempotent: Some(false), ..Annotations::NONE }, 1),
    ] {
        let trace = Trace::default();
        let tool = nth(2, &trace).with_annotations(annotations);
        run(tool, |b| b.around("retry", retry(3))).await;
        assert_eq!(trace.lines().len(), runs, "{annotations:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_stays_a_denial_and_a_panic_are_not_tried_again() {
    let trace = Trace::default();
    let noted = trace.clone();
    let fails = tool("t", move |_, _| {
        noted.add("run");
        async { Err(ToolError::new("no such file")) }
    });
    run(fails, |b| b.around("retry", retry(3))).await;
    assert_eq!(trace.lines(), ["run"]);

    let trace = Trace::default();
    let guard = |_: &dsh_tools::Execution| Ok(Some("not today".to_owned()));
    let denied = run(nth(9, &trace), |b| b.around("retry", retry(3)).guard("no", guard)).await;
    assert_eq!(read(denied.result()), "Error: not today");
    assert!(trace.lines().is_empty());

    let trace = Trace::default();
    let noted = trace.clone();
    let panics = tool("t", move |_, _| {
        noted.add("run");
        async { panic!("no") }
    });
    run(panics, |b| b.around("retry", retry(3))).await;
    assert_eq!(trace.lines(), ["run"]);
}

#[tokio::test(start_paused = true)]
async fn the_host_may_say_which_failures_pass() {
    let trace = Trace::default();
    let noted = trace.clone();
    let fails = tool("t", move |run, _| {
        noted.add("run");
        async move { Err(ToolError::new("busy").with_code(if run < 3 { "BUSY" } else { "GONE" })) }
    });
    let busy =
        retry(9).with_condition(|_, error| error.code().is_some_and(|c| c.as_str() == "BUSY"));
    let completed = run(fails, |b| b.around("retry", busy)).await;
    assert_eq!(code(completed.result()), Some("GONE"));
    assert_eq!(trace.lines().len(), 3);
}

/// A tool that takes 150 ms the first two times.
fn slow() -> ToolDefinition {
    tool("t", |run, cx| async move {
        if run < 3 {
            tokio::select! { () = sleep(MS(150)) => {}, () = cx.cancelled() => {} }
        }
        Ok(json!(run))
    })
    .with_timeout(MS(100))
}

#[tokio::test(start_paused = true)]
async fn outside_of_the_timeout_each_attempt_has_the_whole_time_and_inside_all_share_it() {
    let outside = |b: RegistryBuilder| b.around("retry", retry(3)).around("timeout", Timeout);
    assert_eq!(run(slow(), outside).await.result().value(), Some(&json!(3)));
    let inside = |b: RegistryBuilder| b.around("timeout", Timeout).around("retry", retry(3));
    let started = Instant::now();
    assert_eq!(code(run(slow(), inside).await.result()), Some("TOOL_TIMEOUT"));
    assert_eq!(started.elapsed(), MS(100));
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_cancels_waits_for_no_attempt() {
    let trace = Trace::default();
    let registry =
        ToolRegistry::builder().tool(nth(9, &trace)).around("retry", retry(9)).build().unwrap();
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let cancel = async {
        sleep(MS(150)).await;
        token.cancel();
    };
    let started = Instant::now();
    let (completed, ()) = tokio::join!(registry.execute(call("t").0, options), cancel);
    assert_eq!(started.elapsed(), MS(150));
    assert_eq!(read(completed.result()), "Error: run 2 had no luck");
    assert_eq!(trace.lines(), ["run 1", "run 2"]);
}

#[tokio::test(start_paused = true)]
async fn with_jitter_a_pause_is_between_half_and_all_of_what_the_backoff_says() {
    for _ in 0..50 {
        let retry = Retry::new().with_backoff(MS(100), MS(100)).with_attempts(times(2));
        let started = Instant::now();
        run(nth(2, &Trace::default()), |b| b.around("retry", retry)).await;
        // Tokio's clock counts whole milliseconds, and rounds up.
        assert!((MS(50)..=MS(101)).contains(&started.elapsed()), "{:?}", started.elapsed());
    }
}

#[test]
fn whether_a_failure_may_pass_goes_with_it() {
    let failure = CallResult::failure(ToolError::new("busy").transient().with_code("BUSY"));
    assert!(failure.error().unwrap().is_transient());
    assert!(!ToolError::new("busy").is_transient());
}
