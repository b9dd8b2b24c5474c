use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use dsh_tools::around::{Limit, Timeout};
use dsh_tools::{Batch, CallOptions, RegistryBuilder, ToolCall, ToolDefinition, ToolRegistry};
use fixtures::{code, read, run_batch};
use serde_json::json;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{call, times, tool};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// How many bodies ran together at most.
#[derive(Clone, Default)]
struct Crowd(Arc<(AtomicU32, AtomicU32)>);

impl Crowd {
    fn most(&self) -> u32 {
        self.0.1.load(Ordering::SeqCst)
    }

    /// A tool that takes 100 ms and says when it began.
    fn tool(&self, name: &'static str) -> ToolDefinition {
        let (crowd, zero) = (self.clone(), Instant::now());
        tool(name, move |_, _| {
            let crowd = crowd.clone();
            async move {
                let began = zero.elapsed().as_millis();
                let (now, most) = &*crowd.0;
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                sleep(MS(100)).await;
                now.fetch_sub(1, Ordering::SeqCst);
                Ok(json!(began.to_string()))
            }
        })
    }
}

fn registry(
    tools: impl IntoIterator<Item = ToolDefinition>,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> ToolRegistry {
    more(tools.into_iter().fold(ToolRegistry::builder(), RegistryBuilder::tool)).build().unwrap()
}

/// What each call of a batch came to.
async fn texts(registry: &ToolRegistry, names: &[&str]) -> Vec<String> {
    let calls = names.iter().enumerate().map(|(n, name)| ToolCall::new(n.to_string(), *name, "{}"));
    let outcome = run_batch(registry, Batch::new(calls)).await;
    outcome.results.iter().map(|completed| read(completed.result())).collect()
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_run_at_a_time_and_they_come_in_turn() {
    let crowd = Crowd::default();
    let limit = Limit::at_a_time(times(2));
    let registry = registry([crowd.tool("t")], |b| b.around("limit", limit));
    assert_eq!(texts(&registry, &["t"; 5]).await, ["0", "0", "100", "100", "200"]);
    assert_eq!(crowd.most(), 2);
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_one_tool_or_tag_leaves_others_alone() {
    let crowd = Crowd::default();
    let tools = [
        crowd.tool("a").with_tag("slow"),
        crowd.tool("b").with_tag("quick").with_tag("slow"),
        crowd.tool("c"),
    ];
    let limit = Limit::at_a_time(times(1)).for_tag("slow");
    let registry = registry(tools, |b| b.around("limit", limit));
    assert_eq!(texts(&registry, &["a", "b", "c", "c"]).await, ["0", "100", "0", "0"]);

    let crowd = Crowd::default();
    let limit = Limit::at_a_time(times(1)).for_tool("a");
    let registry = self::registry([crowd.tool("a"), crowd.tool("b")], |b| b.around("limit", limit));
    assert_eq!(texts(&registry, &["a", "b", "a", "b"]).await, ["0", "0", "100", "0"]);
}

#[tokio::test(start_paused = true)]
async fn calls_beyond_a_rate_wait_and_after_a_pause_as_many_may_come_at_once() {
    let crowd = Crowd::default();
    let limit = Limit::per(MS(300), times(3));
    let registry = registry([crowd.tool("t")], |b| b.around("limit", limit));
    let begun = texts(&registry, &["t"; 6]).await;
    assert_eq!(begun, ["0", "0", "0", "100", "200", "300"]);
    sleep(MS(1000)).await;
    let begun = texts(&registry, &["t"; 4]).await;
    assert_eq!(begun, ["1400", "1400", "1400", "1500"]);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_would_wait_too_long_fails_and_is_told_when_to_come_back() {
    let crowd = Crowd::default();
    let at_a_time = Limit::at_a_time(times(1)).for_tool("t").with_patience(Duration::ZERO);
    let registry = registry([crowd.tool("t")], |b| b.around("limit", at_a_time));
    let told = texts(&registry, &["t", "t"]).await;
    assert_eq!(
        told,
        [
            "0",
            "Error: calls of tool \"t\" are limited to 1 at a time, try again when others have ended"
        ]
    );

    let crowd = Crowd::default();
    let rate = Limit::per(Duration::from_mins(1), times(2)).with_patience(MS(500));
    let registry = self::registry([crowd.tool("t")], |b| b.around("limit", rate));
    let outcome = run_batch(&registry, Batch::new([1, 2, 3].map(|_| call("t").0))).await;
    let refused = outcome.results[2].result();
    assert_eq!(code(refused), Some("LIMIT_REACHED"));
    assert_eq!(
        read(refused),
        "Error: calls of tools are limited to 2 in 60s, try again in 30.0 seconds"
    );
    assert!(refused.error().unwrap().is_transient());
}

#[tokio::test(start_paused = true)]
async fn a_call_that_is_cancelled_while_it_waits_never_runs() {
    let crowd = Crowd::default();
    let limit = Limit::at_a_time(times(1));
    let registry = registry([crowd.tool("t")], |b| b.around("limit", limit));
    let token = CancellationToken::new();
    let first = registry.execute(call("t").0, CallOptions::new());
    let second = registry.execute(call("t").0, CallOptions::new().with_cancellation(token.clone()));
    let cancel = async {
        sleep(MS(50)).await;
        token.cancel();
        Instant::now()
    };
    let started = Instant::now();
    let second = async { (second.await, started.elapsed()) };
    let (first, (second, took), _) = tokio::join!(first, second, cancel);
    assert!(!first.result().is_error());
    assert_eq!(code(second.result()), Some("ABORTED_BEFORE_DISPATCH"));
    assert_eq!(took, MS(50));
    assert_eq!(crowd.most(), 1);
}

#[tokio::test(start_paused = true)]
async fn waiting_counts_against_a_timeout_outside_and_not_against_one_inside() {
    let outside = |b: RegistryBuilder| {
        b.around("timeout", Timeout).around("limit", Limit::at_a_time(times(1)))
    };
    let inside = |b: RegistryBuilder| {
        b.around("limit", Limit::at_a_time(times(1))).around("timeout", Timeout)
    };
    let tool = || Crowd::default().tool("t").with_timeout(MS(150));
    let told = texts(&registry([tool()], outside), &["t", "t"]).await;
    assert_eq!(told, ["0", "Error: tool call timed out after 150ms"]);
    let told = texts(&registry([tool()], inside), &["t", "t"]).await;
    assert!(told.iter().all(|text| !text.starts_with("Error")), "{told:?}");
}
