//! Failures that pass are tried again; everything else is not.

use std::future::pending;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dsh_tools::around::{Retry, Timeout};
use dsh_tools::hooks::{Around, around_fn};
use dsh_tools::{
    Annotations, CallOptions, CallResult, CodedError, Execution, RegistryBuilder, ToolContext,
    ToolDefinition, ToolError, ToolRegistry, ToolResult,
};
use fixtures::{Note, Trace, code, read};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use tracing::Level;

use super::{IDEMPOTENT, MS, call, came_to, run, steps, tool};
use crate::telemetry::Recording;

fn busy() -> ToolError {
    ToolError::new("busy").with_retry_after(Duration::ZERO)
}

/// The waits are known: 200 ms, 400 ms, 800 ms, and so on.
fn plain(attempts: u32) -> Retry {
    Retry::new().with_attempts(NonZeroU32::new(attempts).unwrap()).with_jitter(false)
}

fn registry(retry: Retry, tool: ToolDefinition) -> ToolRegistry {
    ToolRegistry::builder().tool(tool).around("retry", retry).build().unwrap()
}

/// A tool `t` whose body is told which attempt it is, from 1.
fn attempts<Fut>(
    body: impl Fn(u32, ToolContext) -> Fut + Send + Sync + 'static,
) -> (ToolDefinition, Arc<AtomicU32>)
where
    Fut: Future<Output = ToolResult<Value>> + Send + 'static,
{
    let made = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&made);
    (tool("t", move |cx| body(count.fetch_add(1, Ordering::Relaxed) + 1, cx)), made)
}

/// A tool `t` that fails so often with this error.
fn fails(times: u32, error: ToolError) -> (ToolDefinition, Arc<AtomicU32>) {
    attempts(move |attempt, _| {
        let answer = if attempt <= times { Err(error.clone()) } else { Ok(json!("done")) };
        async { answer }
    })
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_passes_is_tried_again_after_a_while() {
    let (tool, _) = fails(2, busy());
    let started = Instant::now();
    let completed = run(&registry(plain(3), tool), "t").await;
    assert_eq!(started.elapsed(), MS(600));
    assert_eq!(read(completed.result()), "done");
    assert_eq!(
        steps(&completed),
        [
            "t: error",
            "retry: attempt 1: error, again in 200.0ms",
            "t: error",
            "retry: attempt 2: error, again in 400.0ms",
            "t: ok",
            "retry: ok",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_last_failure_is_the_answer_when_no_attempt_is_left() {
    let (tool, made) = attempts(|attempt, cx| async move {
        cx.defer_context(format!("context {attempt}"));
        Err(ToolError::new(format!("busy {attempt}")).with_retry_after(Duration::ZERO))
    });
    let completed = run(&registry(plain(3), tool), "t").await;
    assert_eq!(made.load(Ordering::Relaxed), 3);
    assert_eq!(read(completed.result()), "Error: busy 3");
    let contexts = completed.result().contexts().iter();
    assert_eq!(contexts.map(|c| c.content.to_string()).collect::<Vec<_>>(), ["context 3"]);
}

#[tokio::test(start_paused = true)]
async fn only_tools_that_may_be_called_again_are() {
    let read_only = Annotations { read_only: Some(true), ..Annotations::NONE };
    let appends = Annotations { idempotent: Some(false), ..read_only };
    let cases = [(IDEMPOTENT, 2), (read_only, 2), (Annotations::NONE, 1), (appends, 1)];
    for (annotations, expected) in cases {
        let (tool, made) = fails(9, busy());
        run(&registry(plain(2), tool.with_annotations(annotations)), "t").await;
        assert_eq!(made.load(Ordering::Relaxed), expected, "{annotations:?}");
    }
}

/// How often a call is made by a retry that takes every failure for one that passes.
async fn tried(tool: ToolDefinition, name: &str, inside: impl Around) -> (String, u32) {
    let made = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&made);
    let counter = around_fn(move |_, next| {
        count.fetch_add(1, Ordering::Relaxed);
        next.run()
    });
    let registry = ToolRegistry::builder()
        .tool(tool)
        .around("retry", plain(3).with_retryable(|_| true))
        .around("counter", counter)
        .around("inside", inside)
        .build()
        .unwrap();
    let completed = run(&registry, name).await;
    (came_to(&completed), made.load(Ordering::Relaxed))
}

#[tokio::test(start_paused = true)]
async fn what_cannot_pass_is_final_whatever_the_host_says() {
    let untouched = || around_fn(|_, next| next.run());
    let wrong = ToolDefinition::typed("t", "T.", |note: Note, _| async move { Ok(note.text) });
    let wrong = wrong.with_annotations(IDEMPOTENT);
    assert_eq!(tried(wrong, "t", untouched()).await, ("INVALID_ARGS".to_owned(), 1));

    let panics = tool("t", |_| async { panic!("no") });
    assert_eq!(tried(panics, "t", untouched()).await, ("PANICKED".to_owned(), 1));

    let lossy = tool("t", |_| async { Ok(json!(-0.0)) });
    assert_eq!(tried(lossy, "t", untouched()).await, ("INVALID_TOOL_OUTPUT".to_owned(), 1));

    let cancelled = around_fn(|_, next| {
        let token = CancellationToken::new();
        token.cancel();
        next.run_with(token)
    });
    let never = tool("t", |_| pending());
    assert_eq!(tried(never, "t", cancelled).await, ("ABORTED_BEFORE_DISPATCH".to_owned(), 1));

    let fails = tool("t", |_| async { Err(ToolError::new("no")) });
    assert_eq!(tried(fails, "t", untouched()).await, ("Error: no".to_owned(), 3));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_does_not_say_that_it_passes_is_final() {
    for error in [ToolError::new("no such city"), ToolError::new("locked").with_code("LOCKED")] {
        let (tool, made) = fails(9, error);
        run(&registry(plain(3), tool), "t").await;
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_error_type_may_say_that_it_passes() {
    #[derive(Debug)]
    struct Busy;
    impl std::fmt::Display for Busy {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("busy")
        }
    }
    impl std::error::Error for Busy {}
    impl CodedError for Busy {
        fn code(&self) -> &'static str {
            "BUSY"
        }
        fn retry_after(&self) -> Option<Duration> {
            Some(MS(700))
        }
    }
    let (tool, _) = fails(1, ToolError::coded(Busy));
    let started = Instant::now();
    assert_eq!(read(run(&registry(plain(3), tool), "t").await.result()), "done");
    assert_eq!(started.elapsed(), MS(700));
}

#[tokio::test(start_paused = true)]
async fn the_host_says_which_failures_pass() {
    let retry = || plain(3).with_retryable(|error| error.message() == "odd");
    let (odd, made) = fails(1, ToolError::new("odd"));
    assert_eq!(read(run(&registry(retry(), odd), "t").await.result()), "done");
    assert_eq!(made.load(Ordering::Relaxed), 2);
    let (passes, made) = fails(1, busy());
    run(&registry(retry(), passes), "t").await;
    assert_eq!(made.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn policy_that_denies_is_asked_once() {
    let asked = Trace::default();
    let guard = asked.clone();
    let (tool, made) = fails(9, busy());
    let registry = ToolRegistry::builder()
        .tool(tool)
        .around("retry", plain(3).with_retryable(|_| true))
        .guard("no", move |_: &Execution| {
            guard.add("asked");
            Ok(Some("not today".to_owned()))
        })
        .build()
        .unwrap();
    let started = Instant::now();
    assert_eq!(read(run(&registry, "t").await.result()), "Error: not today");
    assert_eq!((asked.lines(), started.elapsed()), (vec!["asked".to_owned()], Duration::ZERO));
    assert_eq!(made.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn waits_double_up_to_the_cap() {
    let (tool, _) = fails(5, busy());
    let retry = plain(6).with_backoff(MS(100), MS(500));
    let started = Instant::now();
    run(&registry(retry, tool), "t").await;
    assert_eq!(started.elapsed(), MS(100 + 200 + 400 + 500 + 500));
}

#[tokio::test(start_paused = true)]
async fn an_error_that_asks_for_more_than_the_cap_is_the_answer() {
    let (tool, made) = fails(1, ToolError::new("busy").with_retry_after(MS(10_001)));
    let started = Instant::now();
    assert!(run(&registry(plain(3), tool), "t").await.result().is_error());
    assert_eq!((made.load(Ordering::Relaxed), started.elapsed()), (1, Duration::ZERO));
}

/// How long a call with this id waits, whose attempts all fail.
async fn waited(retry: Retry, id: &str) -> Duration {
    let (tool, _) = fails(9, busy());
    let registry = registry(retry.with_backoff(MS(10_000), MS(10_000)), tool);
    let started = Instant::now();
    registry.execute(dsh_tools::ToolCall::new(id, "t", "{}"), CallOptions::new()).await;
    started.elapsed()
}

#[tokio::test(start_paused = true)]
async fn jitter_leaves_out_up_to_half_and_repeats_with_its_seed() {
    let seeded = |seed| Retry::new().with_seed(seed);
    let drawn = [
        waited(seeded(7), "c1").await,
        waited(seeded(7), "c2").await,
        waited(seeded(8), "c1").await,
    ];
    assert!(drawn[0] != drawn[1] && drawn[0] != drawn[2], "{drawn:?}");
    assert_eq!(waited(seeded(7), "c1").await, drawn[0]);

    let mut by_chance = Vec::new();
    for _ in 0..4 {
        by_chance.push(waited(Retry::new(), "c1").await);
    }
    assert!(by_chance.iter().any(|wait| *wait != by_chance[0]), "{by_chance:?}");
    for wait in drawn.into_iter().chain(by_chance) {
        // Two waits of 10 s each; a timer is up to a millisecond late.
        assert!((MS(10_000)..=MS(20_002)).contains(&wait), "{wait:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_a_wait_with_the_last_failure() {
    let (tool, made) = fails(9, busy());
    let registry = registry(plain(9), tool);
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let started = Instant::now();
    let cancel = async {
        sleep(MS(300)).await;
        token.cancel();
    };
    let (completed, ()) = tokio::join!(registry.execute(call("t"), options), cancel);
    assert_eq!(started.elapsed(), MS(300));
    assert_eq!(read(completed.result()), "Error: busy");
    assert_eq!(made.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn a_call_cancelled_while_its_body_fails_is_not_tried_again() {
    let (tool, made) = attempts(|_, cx| async move {
        cx.cancelled().await;
        Err(busy())
    });
    let registry = registry(plain(3), tool);
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let run = registry.execute(call("t"), options);
    let (completed, ()) = tokio::join!(run, async { token.cancel() });
    assert_eq!(read(completed.result()), "Error: busy");
    assert_eq!(made.load(Ordering::Relaxed), 1);
    assert_eq!(steps(&completed), ["t: error", "retry: error"]);
}

fn both(
    tool: ToolDefinition,
    mount: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> ToolRegistry {
    mount(ToolRegistry::builder().tool(tool)).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn with_the_timeout_inside_each_attempt_has_all_of_it() {
    let (tool, _) = attempts(|attempt, _| async move {
        if attempt < 3 { pending().await } else { Ok(json!(attempt)) }
    });
    let tool = tool.with_timeout(MS(500)).with_grace(MS(0));
    let registry = both(tool, |b| b.around("retry", plain(3)).around("timeout", Timeout));
    let started = Instant::now();
    let completed = run(&registry, "t").await;
    assert_eq!(completed.result().value(), Some(&json!(3)));
    assert_eq!(started.elapsed(), MS(500 + 200 + 500 + 400));
    assert_eq!(steps(&completed)[2], "retry: attempt 1: error (TOOL_TIMEOUT), again in 200.0ms");
}

#[tokio::test(start_paused = true)]
async fn with_the_timeout_outside_all_attempts_share_it() {
    let (tool, made) = attempts(|_, _| async {
        sleep(MS(100)).await;
        Err(busy())
    });
    let tool = tool.with_timeout(MS(500));
    let registry = both(tool, |b| b.around("timeout", Timeout).around("retry", plain(9)));
    let started = Instant::now();
    let completed = run(&registry, "t").await;
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
    assert_eq!((started.elapsed(), made.load(Ordering::Relaxed)), (MS(500), 2));
}

#[tokio::test(start_paused = true)]
async fn a_failed_attempt_leaves_nothing_behind() {
    let (tool, _) = attempts(|attempt, cx| async move {
        cx.defer_context(format!("context {attempt}"));
        if attempt == 1 {
            cx.conclude_turn();
            return Err(busy());
        }
        Ok(json!("done"))
    });
    let result = run(&registry(plain(3), tool), "t").await.into_result();
    assert!(!result.is_error() && !result.concludes_turn());
    let contexts = result.contexts().iter();
    assert_eq!(contexts.map(|c| c.content.to_string()).collect::<Vec<_>>(), ["context 2"]);
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_attempt_leaves_nothing_behind() {
    let (tool, _) = attempts(|attempt, cx| async move {
        cx.defer_context(format!("context {attempt}"));
        cx.conclude_turn();
        if attempt == 1 {
            cx.cancelled().await;
            cx.defer_context("too late");
        }
        Ok(json!("done"))
    });
    let tool = tool.with_timeout(MS(500));
    let registry = both(tool, |b| b.around("retry", plain(3)).around("timeout", Timeout));
    let result = run(&registry, "t").await.into_result();
    assert!(result.concludes_turn());
    let contexts = result.contexts().iter();
    assert_eq!(contexts.map(|c| c.content.to_string()).collect::<Vec<_>>(), ["context 2"]);
}

#[tokio::test]
async fn a_retry_of_the_hosts_own_leaves_nothing_behind_either() {
    let (tool, _) = attempts(|attempt, cx| async move {
        cx.defer_context(format!("context {attempt}"));
        if attempt < 3 { Err(busy()) } else { Ok(json!("done")) }
    });
    let own = around_fn(|_, next| {
        Box::pin(async move {
            let mut result = next.run().await?;
            while result.is_error() {
                result = next.run().await?;
            }
            Ok(result)
        })
    });
    // It makes a failure of the first success: that attempt has failed all the same.
    let picky = Arc::new(AtomicU32::new(0));
    let picky = around_fn(move |_, next| {
        let picky = Arc::clone(&picky);
        Box::pin(async move {
            let result = next.run().await?;
            let refuse = !result.is_error() && picky.fetch_add(1, Ordering::Relaxed) == 0;
            Ok(if refuse { CallResult::failure("not good enough") } else { result })
        })
    });
    let registry = both(tool, |b| b.around("own", own).around("picky", picky));
    let result = run(&registry, "t").await.into_result();
    let contexts = result.contexts().iter();
    assert_eq!(contexts.map(|c| c.content.to_string()).collect::<Vec<_>>(), ["context 4"]);
}

#[tokio::test]
async fn what_a_failed_body_deferred_stays_when_a_wrapper_answers_in_its_place() {
    let (tool, _) = attempts(|_, cx| async move {
        cx.defer_context("what happened");
        Err(busy())
    });
    let fallback = around_fn(|_, next| {
        Box::pin(async move {
            next.run().await?;
            Ok(CallResult::success("from the cache"))
        })
    });
    let registry = both(tool, |b| b.around("fallback", fallback));
    let result = run(&registry, "t").await.into_result();
    assert_eq!((read(&result).as_str(), result.contexts().len()), ("from the cache", 1));
}

#[tokio::test(start_paused = true)]
async fn a_wrapper_that_breaks_is_not_tried_again() {
    let broken = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&broken);
    let breaks = around_fn(move |_, _| {
        count.fetch_add(1, Ordering::Relaxed);
        Box::pin(async { Err(busy()) })
    });
    let (tool, _) = fails(0, busy());
    let registry = both(tool, |b| b.around("retry", plain(3)).around("breaks", breaks));
    assert!(run(&registry, "t").await.result().is_error());
    assert_eq!(broken.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn attempts_are_logged() {
    let (recording, _guard) = Recording::start(Level::DEBUG);
    let (tool, _) = fails(1, ToolError::new("t0ken").with_retry_after(Duration::ZERO));
    run(&registry(plain(3), tool), "t").await;
    let events = recording.events();
    let retried: Vec<_> = events.iter().filter(|event| event.contains("is retried")).collect();
    assert_eq!(retried.len(), 1, "{events:?}");
    assert!(
        retried[0].contains("\"attempt\": \"1\"") && !retried[0].contains("t0ken"),
        "{retried:?}"
    );
}
