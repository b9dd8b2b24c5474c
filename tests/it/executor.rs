//! Batches: one result for every call, in call order, whatever happens to each.

use std::future::pending;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dsh_tools::around::Timeout;
use dsh_tools::hooks::ToolExecutor;
use dsh_tools::{
    Batch, BatchOutcome, CallOptions, NativeExecutor, RegistryBuilder, ToolCall, ToolDefinition,
    ToolRegistry,
};
use fixtures::{Trace, code, constant, read, run_batch};
use serde_json::json;
use tokio::sync::{Barrier, Notify};
use tokio_util::sync::CancellationToken;

fn raw<Fut>(
    name: &'static str,
    body: impl Fn(dsh_tools::ToolContext) -> Fut + Send + Sync + 'static,
) -> ToolDefinition
where
    Fut: Future<Output = dsh_tools::ToolResult<serde_json::Value>> + Send + 'static,
{
    ToolDefinition::from_fn(name, "For a test.", json!({"type": "object"}), move |_, cx| body(cx))
}

fn registry(tools: impl IntoIterator<Item = ToolDefinition>) -> ToolRegistry {
    let builder = ToolRegistry::builder().around("timeout", Timeout);
    let builder = tools.into_iter().fold(builder, RegistryBuilder::tool);
    builder.build().unwrap()
}

fn calls(names: &[&str]) -> Vec<ToolCall> {
    let numbered = names.iter().enumerate();
    numbered.map(|(index, name)| ToolCall::new(index.to_string(), *name, "{}")).collect()
}

fn summary(outcome: &BatchOutcome) -> Vec<String> {
    let one = |completed: &dsh_tools::Completed| {
        let result = completed.result();
        let state = code(result).map_or_else(|| read(result), str::to_owned);
        format!("{} {state}", completed.call_id())
    };
    outcome.results.iter().map(one).collect()
}

#[tokio::test(start_paused = true)]
async fn five_calls_that_end_in_five_ways_give_five_results() {
    let stubborn = Duration::from_millis(200);
    let registry = registry([
        raw("panics", |_| async { panic!("no") }).with_parallel(true),
        raw("hangs", |_| pending()).with_parallel(true).with_timeout(stubborn).with_grace(stubborn),
        raw("waits", |cx| async move {
            cx.cancelled().await;
            Ok(json!("too late"))
        })
        .with_parallel(true),
        constant("quick", json!("fine")).with_parallel(true),
    ]);
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let batch = Batch::new(calls(&["quick", "panics", "hangs", "waits", "nope"]));
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        token.cancel();
    };
    let (outcome, ()) = tokio::join!(run_batch(&registry, batch.with_options(options)), cancel);
    assert_eq!(
        summary(&outcome),
        ["0 fine", "1 PANICKED", "2 TOOL_TIMEOUT", "3 ABORTED", "4 ABORTED_BEFORE_DISPATCH"]
    );
    let again = run_batch(&registry, Batch::new(calls(&["quick"]))).await;
    assert_eq!(summary(&again), ["0 fine"]);
}

#[tokio::test]
async fn parallel_calls_run_together() {
    let barrier = Arc::new(Barrier::new(3));
    let meet = raw("meet", move |_| {
        let barrier = Arc::clone(&barrier);
        async move {
            barrier.wait().await;
            Ok(json!("met"))
        }
    });
    let registry = registry([meet.with_parallel(true)]);
    let outcome = run_batch(&registry, Batch::new(calls(&["meet", "meet", "meet"]))).await;
    assert_eq!(summary(&outcome), ["0 met", "1 met", "2 met"]);
}

#[tokio::test]
async fn an_exclusive_call_stands_alone() {
    let trace = Trace::default();
    let noting = |name: &'static str, parallel: bool| {
        let trace = trace.clone();
        raw(name, move |_| {
            let trace = trace.clone();
            async move {
                trace.add(format!("{name} in"));
                tokio::task::yield_now().await;
                trace.add(format!("{name} out"));
                Ok(json!(name))
            }
        })
        .with_parallel(parallel)
    };
    let registry = registry([noting("read", true), noting("write", false)]);
    let outcome =
        run_batch(&registry, Batch::new(calls(&["read", "write", "write", "read"]))).await;
    assert_eq!(summary(&outcome), ["0 read", "1 write", "2 write", "3 read"]);
    assert_eq!(
        trace.lines(),
        [
            "read in",
            "read out",
            "write in",
            "write out",
            "write in",
            "write out",
            "read in",
            "read out"
        ]
    );
}

#[tokio::test]
async fn results_keep_call_order_when_a_later_call_is_quicker() {
    let go = Arc::new(Notify::new());
    let (slow, quick) = (Arc::clone(&go), go);
    let registry = registry([
        raw("slow", move |_| {
            let go = Arc::clone(&slow);
            async move {
                go.notified().await;
                Ok(json!("slow"))
            }
        })
        .with_parallel(true),
        raw("quick", move |_| {
            quick.notify_one();
            async { Ok(json!("quick")) }
        })
        .with_parallel(true),
    ]);
    let outcome = run_batch(&registry, Batch::new(calls(&["slow", "quick"]))).await;
    assert_eq!(summary(&outcome), ["0 slow", "1 quick"]);
}

#[tokio::test]
async fn no_more_bodies_run_at_a_time_than_may() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let highest = Arc::clone(&most);
    let count = raw("count", move |_| {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            for _ in 0..3 {
                tokio::task::yield_now().await;
            }
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(json!(1))
        }
    });
    let three = NonZeroUsize::new(3).unwrap();
    let registry = registry([count.with_parallel(true)]);
    let executor = NativeExecutor::new().with_max_parallel(three);
    let batch = Batch::new(calls(&["count"; 20]));
    let outcome = executor.execute(&registry, batch).await.unwrap();
    assert_eq!(outcome.results.len(), 20);
    assert_eq!(highest.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_cancelled_batch_starts_nothing_more() {
    let trace = Trace::default();
    let token = CancellationToken::new();
    let (noting, cancel) = (trace.clone(), token.clone());
    let registry = registry([raw("cancels", move |_| {
        noting.add("body");
        cancel.cancel();
        async { Ok(json!(1)) }
    })]);
    let options = CallOptions::new().with_cancellation(token);
    let batch = Batch::new(calls(&["cancels", "cancels", "cancels"])).with_options(options);
    let outcome = run_batch(&registry, batch).await;
    assert_eq!(
        summary(&outcome),
        ["0 ABORTED", "1 ABORTED_BEFORE_DISPATCH", "2 ABORTED_BEFORE_DISPATCH"]
    );
    assert_eq!(trace.lines(), ["body"]);
}

#[tokio::test]
async fn an_empty_batch_has_no_results() {
    let outcome = run_batch(&registry([]), Batch::default()).await;
    assert!(outcome.results.is_empty() && !outcome.concluded);
}

#[tokio::test]
async fn a_batch_is_concluded_by_any_success_and_still_finished() {
    let registry = registry([
        raw("finish", |cx| async move {
            cx.conclude_turn();
            Ok(json!(1))
        }),
        constant("quick", json!("fine")),
    ]);
    let outcome = run_batch(&registry, Batch::new(calls(&["finish", "quick"]))).await;
    assert!(outcome.concluded);
    assert_eq!(summary(&outcome), ["0 1", "1 fine"]);
}

#[tokio::test]
async fn a_dropped_batch_cancels_what_it_started() {
    let ended = Arc::new(Notify::new());
    let started = Arc::new(Notify::new());
    let (end, start) = (Arc::clone(&ended), Arc::clone(&started));
    let registry = registry([raw("waits", move |cx| {
        let (end, start) = (Arc::clone(&end), Arc::clone(&start));
        async move {
            start.notify_one();
            cx.cancelled().await;
            end.notify_one();
            Ok(json!(1))
        }
    })]);
    tokio::select! {
        _ = run_batch(&registry, Batch::new(calls(&["waits"]))) => panic!("it waits for ever"),
        () = started.notified() => {}
    }
    ended.notified().await;
}
