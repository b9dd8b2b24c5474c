//! No more calls at a time, or in a time, than the host lets through.

use std::future::pending;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use dsh_tools::around::{Limit, Retry, Timeout};
use dsh_tools::{
    CallOptions, Completed, RegistryBuilder, ToolCall, ToolDefinition, ToolError, ToolRegistry,
};
use fixtures::{Trace, code, read};
use serde_json::json;
use tokio::time::{Instant, advance, sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::{MS, call, came_to, run, run_batch, steps, tool};

fn at_a_time(calls: usize) -> Limit {
    Limit::concurrency(NonZeroUsize::new(calls).unwrap())
}

fn per_second(calls: u32) -> Limit {
    Limit::per(MS(1000), NonZeroU32::new(calls).unwrap())
}

/// A tool that takes so long.
fn takes(name: &'static str, took: Duration) -> ToolDefinition {
    tool(name, move |_| async move {
        sleep(took).await;
        Ok(json!("done"))
    })
}

/// A tool that notes when each of its calls begins, in milliseconds since now.
fn notes(name: &'static str, trace: &Trace) -> ToolDefinition {
    let (trace, begun) = (trace.clone(), Instant::now());
    tool(name, move |cx| {
        trace.add(format!("{} at {}", cx.call_id(), begun.elapsed().as_millis()));
        async { Ok(json!("done")) }
    })
}

fn registry(limit: Limit, tools: impl IntoIterator<Item = ToolDefinition>) -> ToolRegistry {
    let builder = ToolRegistry::builder().around("limit", limit);
    tools.into_iter().fold(builder, RegistryBuilder::tool).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_parallel_batch_runs_two_bodies_at_a_time_and_keeps_its_order() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let highest = Arc::clone(&most);
    let counts = tool("t", move |cx| {
        let (now, most) = (Arc::clone(&now), Arc::clone(&most));
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Later calls are quicker, so that they end before earlier ones.
            sleep(MS(1000 - 100 * cx.call_id().parse::<u64>()?)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok(json!(cx.call_id()))
        }
    });
    let registry = registry(at_a_time(2), [counts]);
    assert_eq!(run_batch(&registry, &["t"; 6]).await, ["0 0", "1 1", "2 2", "3 3", "4 4", "5 5"]);
    assert_eq!(highest.load(Ordering::SeqCst), 2);
}

#[tokio::test(start_paused = true)]
async fn calls_that_wait_for_a_place_get_one_in_the_order_in_which_they_came() {
    let trace = Trace::default();
    let (noting, begun) = (trace.clone(), Instant::now());
    let slow = tool("t", move |cx| {
        noting.add(format!("{} at {}", cx.call_id(), begun.elapsed().as_millis()));
        async {
            sleep(MS(1000)).await;
            Ok(json!("done"))
        }
    });
    let registry = registry(at_a_time(1), [slow]);
    run_batch(&registry, &["t"; 4]).await;
    assert_eq!(trace.lines(), ["0 at 0", "1 at 1000", "2 at 2000", "3 at 3000"]);
}

#[tokio::test(start_paused = true)]
async fn waiting_is_recorded() {
    let registry = registry(at_a_time(1), [takes("t", MS(1000))]);
    let (first, second) = tokio::join!(run(&registry, "t"), run(&registry, "t"));
    assert_eq!(steps(&first), ["t: ok", "limit: ok"]);
    assert_eq!(steps(&second), ["limit: waited for a place", "t: ok", "limit: ok"]);
    assert_eq!(second.record().steps()[0].took, MS(1000));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_may_not_wait_is_denied_at_once() {
    let limit = at_a_time(1).with_max_wait(Duration::ZERO).with_tag("network");
    let registry = registry(limit, [takes("t", MS(1000)).with_tag("network")]);
    let started = Instant::now();
    let second = async {
        let completed = run(&registry, "t").await;
        (completed, started.elapsed())
    };
    let (first, (second, after)) = tokio::join!(run(&registry, "t"), second);
    assert_eq!((read(first.result()).as_str(), after), ("done", Duration::ZERO));
    let error = second.result().error().unwrap();
    assert_eq!(error.info().unwrap().name, "LimitError");
    assert_eq!(code(second.result()), Some("LIMIT_REACHED"));
    assert_eq!(
        read(second.result()),
        "Error: too many calls of tools tagged \"network\": the limit is 1 at a time; \
         try again when one of them has ended"
    );
    assert_eq!(error.retry_after(), Some(Duration::ZERO));
    assert_eq!(steps(&second), ["limit: error (LIMIT_REACHED)"]);
    assert_eq!(came_to(&run(&registry, "t").await), "done");
}

#[tokio::test(start_paused = true)]
async fn a_call_waits_as_long_as_it_may() {
    let registry = registry(at_a_time(1).with_max_wait(MS(500)), [takes("t", MS(800))]);
    let started = Instant::now();
    let later = async {
        sleep(MS(400)).await;
        run(&registry, "t").await
    };
    let denied = async {
        let completed = run(&registry, "t").await;
        assert_eq!(started.elapsed(), MS(500));
        completed
    };
    let (first, denied, later) = tokio::join!(run(&registry, "t"), denied, later);
    let came_to = [&first, &denied, &later].map(came_to);
    assert_eq!(came_to, ["done", "LIMIT_REACHED", "done"]);
}

/// Runs a call that is cancelled after so long.
async fn cancelled_after(registry: &ToolRegistry, name: &str, after: Duration) -> Completed {
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let cancel = async {
        sleep(after).await;
        token.cancel();
    };
    tokio::join!(registry.execute(call(name), options), cancel).0
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_stops_waiting_for_a_place_and_holds_none() {
    let registry = registry(at_a_time(1), [takes("t", MS(1000))]);
    let started = Instant::now();
    let waiting = async {
        let completed = cancelled_after(&registry, "t", MS(300)).await;
        assert_eq!(started.elapsed(), MS(300));
        completed
    };
    let (_, cancelled, last) = tokio::join!(run(&registry, "t"), waiting, run(&registry, "t"));
    assert_eq!(came_to(&cancelled), "ABORTED_BEFORE_DISPATCH");
    assert_eq!((came_to(&last).as_str(), started.elapsed()), ("done", MS(2000)));
}

#[tokio::test(start_paused = true)]
async fn a_place_is_free_again_whatever_the_call_comes_to() {
    let breaks = tool("breaks", |_| async { panic!("no") });
    let fails = tool("fails", |_| async { Err(ToolError::new("no")) });
    let hangs = tool("hangs", |_| pending()).with_grace(MS(0));
    let limit = at_a_time(1).with_max_wait(Duration::ZERO);
    let registry = registry(limit, [breaks, fails, hangs, takes("t", MS(1))]);
    assert_eq!(came_to(&run(&registry, "breaks").await), "PANICKED");
    assert_eq!(came_to(&run(&registry, "fails").await), "Error: no");
    assert_eq!(came_to(&cancelled_after(&registry, "hangs", MS(10)).await), "ABORTED");
    tokio::select! {
        _ = run(&registry, "hangs") => panic!("it waits for ever"),
        () = sleep(MS(10)) => {}
    }
    assert_eq!(came_to(&run(&registry, "t").await), "done");
}

#[tokio::test(start_paused = true)]
async fn waiting_counts_for_a_timeout_outside_and_not_for_one_inside() {
    let slow = || takes("t", MS(400)).with_timeout(MS(500));
    let inside = ToolRegistry::builder()
        .tool(slow())
        .around("limit", at_a_time(1))
        .around("timeout", Timeout)
        .build()
        .unwrap();
    assert_eq!(run_batch(&inside, &["t"; 3]).await, ["0 done", "1 done", "2 done"]);

    let outside = ToolRegistry::builder()
        .tool(slow())
        .around("timeout", Timeout)
        .around("limit", at_a_time(1))
        .build()
        .unwrap();
    let started = Instant::now();
    let outcome = run_batch(&outside, &["t"; 3]).await;
    // The second has a body that began too late, the third never began.
    assert_eq!(outcome, ["0 done", "1 TOOL_TIMEOUT", "2 TOOL_TIMEOUT"]);
    assert_eq!(started.elapsed(), MS(800));
}

#[tokio::test(start_paused = true)]
async fn a_rate_lets_its_burst_through_and_then_one_at_a_time() {
    let trace = Trace::default();
    let registry = registry(per_second(2), [notes("t", &trace)]);
    run_batch(&registry, &["t"; 5]).await;
    assert_eq!(trace.lines(), ["0 at 0", "1 at 0", "2 at 500", "3 at 1000", "4 at 1500"]);
}

#[tokio::test(start_paused = true)]
async fn a_burst_of_one_spaces_calls_evenly() {
    let trace = Trace::default();
    let limit = per_second(2).with_burst(NonZeroU32::MIN);
    let registry = registry(limit, [notes("t", &trace)]);
    run_batch(&registry, &["t"; 3]).await;
    // A pause saves up one call and no more.
    sleep(MS(60_000)).await;
    run_batch(&registry, &["t"; 2]).await;
    assert_eq!(trace.lines(), ["0 at 0", "1 at 500", "2 at 1000", "0 at 61000", "1 at 61500"]);
}

#[tokio::test(start_paused = true)]
async fn never_more_than_rate_and_burst_in_any_time() {
    let begun = Trace::default();
    let noting = begun.clone();
    let start = Instant::now();
    let counts = tool("t", move |_| {
        noting.add(start.elapsed().as_millis().to_string());
        async { Ok(json!("done")) }
    });
    let limit = Limit::per(MS(1000), NonZeroU32::new(7).unwrap());
    let registry = registry(limit.with_burst(NonZeroU32::new(3).unwrap()), [counts]);
    for pause in [0, 50, 900, 10, 3000, 0, 140] {
        sleep(MS(pause)).await;
        run_batch(&registry, &["t"; 9]).await;
    }
    let times: Vec<u64> = begun.lines().iter().map(|time| time.parse().unwrap()).collect();
    assert_eq!(times.len(), 63);
    for (index, first) in times.iter().enumerate() {
        let within = times[index..].iter().filter(|time| *time - first < 1000).count();
        assert!(within < 7 + 3, "{within} calls in a second from {first}: {times:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_beyond_the_rate_is_told_when_to_come_back() {
    let limit = per_second(2).with_tool("t").with_max_wait(Duration::ZERO);
    let registry = registry(limit, [takes("t", Duration::ZERO)]);
    assert_eq!(run_batch(&registry, &["t"; 2]).await, ["0 done", "1 done"]);
    advance(MS(100)).await;
    let denied = run(&registry, "t").await;
    assert_eq!(
        read(denied.result()),
        "Error: too many calls of \"t\": the limit is 2 per 1s; try again in 400ms"
    );
    assert_eq!(denied.result().error().unwrap().retry_after(), Some(MS(400)));
    advance(MS(399)).await;
    assert_eq!(came_to(&run(&registry, "t").await), "LIMIT_REACHED");
    advance(MS(1)).await;
    assert_eq!(came_to(&run(&registry, "t").await), "done");
}

#[tokio::test(start_paused = true)]
async fn who_would_wait_too_long_for_a_turn_is_denied_when_it_comes() {
    let limit = per_second(1).with_max_wait(MS(2000));
    let registry = registry(limit, [takes("t", Duration::ZERO)]);
    let started = Instant::now();
    let fourth = async {
        tokio::task::yield_now().await;
        let denied = run(&registry, "t").await;
        assert_eq!(started.elapsed(), Duration::ZERO);
        read(denied.result())
    };
    let (.., third, fourth) =
        tokio::join!(run(&registry, "t"), run(&registry, "t"), run(&registry, "t"), fourth);
    assert_eq!((came_to(&third).as_str(), started.elapsed()), ("done", MS(2000)));
    assert_eq!(fourth, "Error: too many calls: the limit is 1 per 1s; try again in 3s");
    // Nobody waits any more, so as many may come as at first.
    sleep(MS(10_000)).await;
    assert_eq!(run_batch(&registry, &["t"; 3]).await, ["0 done", "1 done", "2 done"]);
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_call_leaves_its_turn_to_those_behind() {
    let registry = registry(per_second(1), [takes("t", Duration::ZERO)]);
    run(&registry, "t").await;
    let started = Instant::now();
    let behind = async {
        tokio::task::yield_now().await;
        let completed = run(&registry, "t").await;
        (came_to(&completed), started.elapsed())
    };
    let first = cancelled_after(&registry, "t", MS(600));
    let second = cancelled_after(&registry, "t", MS(300));
    let (first, second, behind) = tokio::join!(first, second, behind);
    assert_eq!(came_to(&first), "ABORTED_BEFORE_DISPATCH");
    assert_eq!(came_to(&second), "ABORTED_BEFORE_DISPATCH");
    assert_eq!(behind, ("done".to_owned(), MS(1000)));
}

#[tokio::test(start_paused = true)]
async fn who_comes_at_the_last_moment_does_not_overtake_who_waits() {
    let registry = registry(per_second(1), [takes("t", Duration::ZERO)]);
    let started = Instant::now();
    run(&registry, "t").await;
    let ended = async {
        run(&registry, "t").await;
        started.elapsed()
    };
    let late = async {
        sleep(MS(1000)).await;
        run(&registry, "t").await;
        started.elapsed()
    };
    // The one who comes late is the first to run when the time has come.
    let (late, waiting) = tokio::join!(biased; late, ended);
    assert_eq!((waiting, late), (MS(1000), MS(2000)));
}

#[tokio::test(start_paused = true)]
async fn only_selected_calls_are_counted() {
    let quick = |name: &'static str| takes(name, Duration::ZERO);
    let tools = || [quick("a").with_tag("x"), quick("b").with_tag("x").with_tag("y"), quick("c")];
    let once = || per_second(1).with_max_wait(Duration::ZERO);
    let names = ["a", "b", "c", "a", "b", "c"];
    let cases = [
        (once(), vec![1, 2, 3, 4, 5]),
        (once().with_tool("a"), vec![3]),
        (once().with_tool("a").with_tool("c"), vec![2, 3, 5]),
        (once().with_tag("x"), vec![1, 3, 4]),
        (once().with_tag("y"), vec![4]),
        (once().with_tag("x").with_tool("b").with_tool("c"), vec![4]),
    ];
    for (limit, expected) in cases {
        let told = format!("{limit:?}");
        let registry = registry(limit, tools());
        let outcome = run_batch(&registry, &names).await;
        let denied = outcome.iter().enumerate().filter(|(_, one)| one.ends_with("LIMIT_REACHED"));
        assert_eq!(denied.map(|(index, _)| index).collect::<Vec<_>>(), expected, "{told}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_limit_says_what_it_selects() {
    let cases = [
        (per_second(1).with_tool("a").with_tool("b"), " of \"a\" or \"b\""),
        (per_second(1).with_tool("a").with_tag("x"), " of \"a\" tagged \"x\""),
        (per_second(1), ""),
    ];
    for (limit, what) in cases {
        let a = takes("a", Duration::ZERO).with_tag("x");
        let registry = registry(limit.with_max_wait(Duration::ZERO), [a]);
        run(&registry, "a").await;
        let expected =
            format!("Error: too many calls{what}: the limit is 1 per 1s; try again in 1s");
        assert_eq!(read(run(&registry, "a").await.result()), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn clones_count_together() {
    let limit = at_a_time(1);
    let registry = ToolRegistry::builder()
        .tool(takes("a", MS(1000)))
        .tool(takes("b", MS(1000)))
        .around("a", limit.clone().with_tool("a"))
        .around("b", limit.with_tool("b"))
        .build()
        .unwrap();
    let started = Instant::now();
    run_batch(&registry, &["a", "b"]).await;
    assert_eq!(started.elapsed(), MS(2000));
}

/// A tool that calls another of the registry and waits for it.
fn calls(
    name: &'static str,
    inner: &'static str,
    registry: Arc<std::sync::OnceLock<ToolRegistry>>,
) -> ToolDefinition {
    tool(name, move |cx| {
        let registry = registry.get().unwrap().clone();
        async move {
            let options = CallOptions::new().nested_in(&cx);
            let completed = registry.execute(ToolCall::new("n", inner, "{}"), options).await;
            Ok(json!(came_to(&completed)))
        }
    })
}

#[tokio::test(start_paused = true)]
async fn a_nested_call_has_the_place_of_the_call_it_is_part_of() {
    let shared = Arc::new(std::sync::OnceLock::new());
    // The one between them is not limited itself.
    let outer = calls("outer", "between", Arc::clone(&shared)).with_tag("x");
    let between = calls("between", "inner", Arc::clone(&shared));
    let inner = takes("inner", MS(1000)).with_tag("x");
    let registry = registry(at_a_time(1).with_tag("x"), [outer, between, inner]);
    shared.set(registry.clone()).unwrap();
    let started = Instant::now();
    let outcome = timeout(MS(60_000), run_batch(&registry, &["outer", "inner"])).await;
    assert_eq!(outcome.expect("nobody waits for itself"), ["0 done", "1 done"]);
    assert_eq!(started.elapsed(), MS(2000));
}

#[tokio::test(start_paused = true)]
async fn a_limit_that_a_call_passes_twice_holds_it_once() {
    let limit = at_a_time(1);
    let registry = ToolRegistry::builder()
        .tool(takes("t", MS(1)))
        .around("one", limit.clone())
        .around("two", limit)
        .build()
        .unwrap();
    let outcome = timeout(MS(60_000), run(&registry, "t")).await;
    assert_eq!(came_to(&outcome.expect("nobody waits for itself")), "done");
}

#[tokio::test(start_paused = true)]
async fn a_denied_call_is_retried_when_the_limit_says() {
    let registry = ToolRegistry::builder()
        .tool(takes("t", Duration::ZERO))
        .around("retry", Retry::new())
        .around("limit", per_second(1).with_max_wait(Duration::ZERO))
        .build()
        .unwrap();
    run(&registry, "t").await;
    let started = Instant::now();
    assert_eq!(came_to(&run(&registry, "t").await), "done");
    assert_eq!(started.elapsed(), MS(1000));
}

#[tokio::test(start_paused = true)]
async fn a_call_that_waits_to_be_retried_leaves_its_place_to_others() {
    let tried = Arc::new(AtomicUsize::new(0));
    let flaky = tool("flaky", move |_| {
        let first = tried.fetch_add(1, Ordering::Relaxed) == 0;
        async move {
            let busy = ToolError::new("busy").with_retry_after(MS(1000));
            if first { Err(busy) } else { Ok(json!("done")) }
        }
    });
    let registry = ToolRegistry::builder()
        .tool(flaky)
        .tool(takes("t", MS(1000)))
        .around("retry", Retry::new())
        .around("limit", at_a_time(1))
        .build()
        .unwrap();
    let started = Instant::now();
    run_batch(&registry, &["flaky", "t"]).await;
    assert_eq!(started.elapsed(), MS(1000));
}
