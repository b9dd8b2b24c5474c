//! `tower` layers around tools, and a registry behind `tower` layers, on a paused clock.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use dsh_tools::hooks::{BoxFuture, around_fn, pre_execute_fn};
use dsh_tools::tower::{Inner, InnerError, Request, layered};
use dsh_tools::{
    Batch, CallOptions, CallResult, DecisionRecord, Execution, RegistryBuilder, ToolCall,
    ToolContext, ToolDefinition, ToolError, ToolRegistry, ToolResult,
};
use fixtures::{Trace, code, read, run_batch};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep, timeout};
use tower::buffer::BufferLayer;
use tower::limit::ConcurrencyLimitLayer;
use tower::retry::{Policy, RetryLayer};
use tower::timeout::TimeoutLayer;
use tower::{Layer, Service, ServiceBuilder, ServiceExt};

const MS: fn(u64) -> Duration = Duration::from_millis;

fn tool<Fut>(body: impl Fn(ToolContext) -> Fut + Send + Sync + 'static) -> ToolDefinition
where
    Fut: Future<Output = ToolResult<Value>> + Send + 'static,
{
    ToolDefinition::from_fn("t", "T.", json!({"type": "object"}), move |_, cx| body(cx))
        .with_parallel(true)
}

/// A tool that takes a second, or ends as soon as it is cancelled, and notes how it ended.
fn slow(trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    tool(move |cx| {
        let trace = trace.clone();
        async move {
            tokio::select! {
                () = sleep(MS(1000)) => trace.add("done"),
                () = cx.cancelled() => {
                    sleep(MS(50)).await;
                    trace.add("cancelled");
                }
            }
            Ok(json!("slept"))
        }
    })
}

/// A tool that fails until its `n`th try.
fn nth_time(n: usize) -> ToolDefinition {
    let tries = Arc::new(AtomicUsize::new(0));
    tool(move |cx| {
        let tries = Arc::clone(&tries);
        async move {
            let tried = tries.fetch_add(1, Ordering::Relaxed) + 1;
            cx.defer_context(format!("try {tried}"));
            if tried < n { Err(ToolError::new(format!("try {tried}"))) } else { Ok(json!(tried)) }
        }
    })
}

fn registry(
    tool: ToolDefinition,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> ToolRegistry {
    more(ToolRegistry::builder().tool(tool)).build().unwrap()
}

fn call() -> ToolCall {
    ToolCall::new("c1", "t", "{}")
}

async fn run(registry: &ToolRegistry) -> CallResult {
    registry.execute(call(), CallOptions::new()).await.into_result()
}

/// Asks again as long as calls fail.
#[derive(Clone)]
struct Stubborn;

impl<E> Policy<Request, CallResult, E> for Stubborn {
    type Future = std::future::Ready<()>;

    fn retry(
        &mut self,
        _request: &mut Request,
        result: &mut Result<CallResult, E>,
    ) -> Option<Self::Future> {
        let failed = result.as_ref().map_or(true, CallResult::is_error);
        failed.then(|| std::future::ready(()))
    }

    fn clone_request(&mut self, request: &Request) -> Option<Request> {
        Some(request.clone())
    }
}

#[tokio::test(start_paused = true)]
async fn a_timeout_of_tower_cancels_the_body_and_waits_for_its_end() {
    let trace = Trace::default();
    let layer = layered(TimeoutLayer::new(MS(200)))
        .with_error(|error| ToolError::new(error.to_string()).with_code("SLOW"));
    let registry = registry(slow(&trace), |builder| builder.around("tower", layer));
    let started = Instant::now();
    let result = run(&registry).await;
    assert_eq!(code(&result), Some("SLOW"));
    assert_eq!(read(&result), "Error: request timed out");
    assert_eq!(trace.lines(), ["cancelled"]);
    assert_eq!(started.elapsed(), MS(250));
}

#[tokio::test(start_paused = true)]
async fn a_retry_of_tower_runs_body_and_inner_wrappers_again() {
    let trace = Trace::default();
    let inner = trace.clone();
    let registry = registry(nth_time(3), |builder| {
        builder.around("tower", layered(RetryLayer::new(Stubborn))).around(
            "inner",
            around_fn(move |_, next| {
                inner.add("inner");
                next.run()
            }),
        )
    });
    let result = run(&registry).await;
    assert_eq!(result.value(), Some(&json!(3)));
    assert_eq!(trace.lines(), ["inner", "inner", "inner"]);
}

#[tokio::test(start_paused = true)]
async fn a_timeout_inside_a_retry_holds_for_each_try_and_tries_do_not_overlap() {
    let trace = Trace::default();
    let tries = Arc::new(AtomicUsize::new(0));
    let body = {
        let trace = trace.clone();
        tool(move |cx| {
            let (trace, tried) = (trace.clone(), tries.fetch_add(1, Ordering::Relaxed));
            async move {
                if tried == 0 {
                    cx.cancelled().await;
                    sleep(MS(50)).await;
                    trace.add("the first has ended");
                } else {
                    trace.add("the second starts");
                    sleep(MS(150)).await;
                }
                Ok(json!(tried))
            }
        })
    };
    let layers = ServiceBuilder::new().retry(Stubborn).timeout(MS(200)).into_inner();
    let registry = registry(body, |builder| builder.around("tower", layered(layers)));
    assert_eq!(run(&registry).await.value(), Some(&json!(1)));
    assert_eq!(trace.lines(), ["the first has ended", "the second starts"]);
}

#[tokio::test(start_paused = true)]
async fn a_try_that_was_given_up_before_it_began_is_not_made() {
    let trace = Trace::default();
    let tried = trace.clone();
    let body = tool(move |cx| {
        let tried = tried.clone();
        async move {
            tried.add("starts");
            cx.cancelled().await;
            sleep(MS(1000)).await;
            tried.add("ends");
            Err(ToolError::new("cancelled"))
        }
    });
    let layers =
        ServiceBuilder::new().timeout(MS(700)).retry(Stubborn).timeout(MS(200)).into_inner();
    let registry = registry(body, |builder| builder.around("tower", layered(layers)));
    let started = Instant::now();
    assert!(run(&registry).await.is_error());
    assert_eq!(trace.lines(), ["starts", "ends"]);
    assert_eq!(started.elapsed(), MS(1200));
}

#[tokio::test(start_paused = true)]
async fn a_limit_of_tower_holds_for_all_calls_together() {
    let running = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let most = Arc::clone(&running);
    let body = tool(move |_| {
        let running = Arc::clone(&running);
        async move {
            let now = running.0.fetch_add(1, Ordering::SeqCst) + 1;
            running.1.fetch_max(now, Ordering::SeqCst);
            sleep(MS(100)).await;
            running.0.fetch_sub(1, Ordering::SeqCst);
            Ok(json!("done"))
        }
    });
    let registry =
        registry(body, |builder| builder.around("tower", layered(ConcurrencyLimitLayer::new(2))));
    let calls = (0..6).map(|n| ToolCall::new(n.to_string(), "t", "{}"));
    let started = Instant::now();
    let outcome = run_batch(&registry, Batch::new(calls)).await;
    assert!(outcome.results.iter().all(|completed| !completed.result().is_error()));
    assert_eq!(most.1.load(Ordering::SeqCst), 2);
    assert_eq!(started.elapsed(), MS(300));
}

#[tokio::test(start_paused = true)]
async fn a_layer_with_a_worker_of_its_own_keeps_the_error_of_an_inner_wrapper() {
    let layers = ServiceBuilder::new().layer(BufferLayer::new(4)).into_inner();
    let registry = registry(nth_time(1), |builder| {
        builder.around("tower", layered(layers)).around(
            "broken",
            around_fn(|_, _| {
                Box::pin(async { Err(ToolError::new("no disk").with_code("NO_DISK")) })
            }),
        )
    });
    let result = run(&registry).await;
    assert_eq!(code(&result), Some("NO_DISK"));
    assert_eq!(read(&result), "Error: no disk");
}

#[tokio::test(start_paused = true)]
async fn a_success_keeps_what_the_tool_said_and_only_once() {
    let registry = registry(nth_time(1), |builder| {
        builder.around("tower", layered(TimeoutLayer::new(MS(200))))
    });
    let result = run(&registry).await;
    assert_eq!(result.contexts().len(), 1);
    assert_eq!(result.contexts()[0].content.to_string(), "try 1");
}

/// Keeps the request and the service of its last call.
#[derive(Clone, Default)]
struct Keep(Arc<std::sync::Mutex<Option<(Inner, Request)>>>);

#[derive(Clone)]
struct Keeping(Keep, Inner);

impl Layer<Inner> for Keep {
    type Service = Keeping;

    fn layer(&self, inner: Inner) -> Keeping {
        Keeping(self.clone(), inner)
    }
}

impl Service<Request> for Keeping {
    type Response = CallResult;
    type Error = InnerError;
    type Future = BoxFuture<'static, Result<CallResult, InnerError>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), InnerError>> {
        self.1.poll_ready(cx)
    }

    fn call(&mut self, request: Request) -> Self::Future {
        *self.0.0.lock().unwrap() = Some((self.1.clone(), request.clone()));
        self.1.call(request)
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_was_kept_runs_nothing_later() {
    let keep = Keep::default();
    let trace = Trace::default();
    let layer = layered(keep.clone());
    let registry = registry(slow(&trace), |builder| builder.around("tower", layer));
    assert!(!run(&registry).await.is_error());
    let (mut inner, request) = keep.0.lock().unwrap().take().unwrap();
    assert_eq!(request.execution().call_id(), "c1");
    let late = inner.call(request).await;
    assert_eq!(late.unwrap_err().to_string(), "the call has been answered already");
    assert_eq!(trace.lines(), ["done"]);
}

#[tokio::test(start_paused = true)]
async fn a_panic_in_a_layer_is_a_failure_of_its_call() {
    let panics = tower::layer::layer_fn(|inner: Inner| {
        inner.map_request(|_: Request| -> Request { panic!("secret") })
    });
    let registry = registry(nth_time(1), |builder| builder.around("tower", layered(panics)));
    let result = run(&registry).await;
    assert_eq!(code(&result), Some("PANICKED"));
    assert!(!read(&result).contains("secret"));
}

#[tokio::test(start_paused = true)]
async fn a_registry_is_a_service_and_policy_holds() {
    let trace = Trace::default();
    let registry = registry(slow(&trace), |builder| {
        builder.pre_execute(
            "deny",
            pre_execute_fn(|_, _| {
                Box::pin(async { Ok(dsh_tools::hooks::PreDecision::deny("not today")) })
            }),
        )
    });
    let mut service = ServiceBuilder::new().concurrency_limit(1).service(registry);
    let completed =
        service.ready().await.unwrap().call((call(), CallOptions::new())).await.unwrap();
    assert_eq!(read(completed.result()), "Error: not today");
    assert!(trace.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_dropped_call_is_cancelled_and_still_observed() {
    let trace = Trace::default();
    let observed = trace.clone();
    let mut registry = registry(slow(&trace), |builder| {
        builder.observe("log", move |_: &Execution, result: &CallResult, _: &DecisionRecord| {
            observed.add(code(result).unwrap_or("ok"));
            Ok(())
        })
    });
    let dropped = timeout(MS(200), Service::call(&mut registry, (call(), CallOptions::new())));
    assert!(dropped.await.is_err());
    assert!(trace.lines().is_empty());
    sleep(MS(100)).await;
    assert_eq!(trace.lines(), ["cancelled", "ABORTED"]);
}
