//! Programs that call tools, with Rust closures in place of programs.

use std::sync::Arc;
use std::time::Duration;

use dsh_tools::hooks::{BoxFuture, PreDecision, pre_execute_fn};
use dsh_tools::ptc::{
    Argument, Budgets, CodeRuntime, Failure, FailureKind, Outcome, Program, PtcExecutor,
    TimeoutLimits,
};
use dsh_tools::{
    Batch, CallOptions, CallResult, RegistryBuilder, ToolCall, ToolDefinition, ToolError,
    ToolRegistry, ToolResult,
};
use fixtures::{Trace, code, note, read};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

type Run = dyn Fn(Program) -> BoxFuture<'static, ToolResult<Outcome>> + Send + Sync;

/// A runtime whose only program is a closure.
#[derive(Clone)]
struct Closure(Arc<Run>, Option<TimeoutLimits>);

impl CodeRuntime for Closure {
    fn language(&self) -> &'static str {
        "typescript"
    }

    fn isolation(&self) -> &'static str {
        "none"
    }

    fn timeout(&self) -> Option<TimeoutLimits> {
        self.1
    }

    fn run(&self, program: Program) -> BoxFuture<'_, ToolResult<Outcome>> {
        (self.0)(program)
    }
}

fn program<Fut>(run: impl Fn(Program) -> Fut + Send + Sync + 'static) -> PtcExecutor
where
    Fut: Future<Output = Outcome> + Send + 'static,
{
    PtcExecutor::new(closure(run))
}

fn closure<Fut>(run: impl Fn(Program) -> Fut + Send + Sync + 'static) -> Closure
where
    Fut: Future<Output = Outcome> + Send + 'static,
{
    let run = move |program| -> BoxFuture<'static, ToolResult<Outcome>> {
        let running = run(program);
        Box::pin(async move { Ok(running.await) })
    };
    Closure(Arc::new(run), None)
}

fn returned(value: impl Into<Value>) -> Outcome {
    Outcome { value: Some(value.into()), ..Outcome::default() }
}

fn registry(
    executor: PtcExecutor,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> ToolRegistry {
    more(ToolRegistry::builder().executor(executor)).build().unwrap()
}

async fn call(registry: &ToolRegistry, name: &str, arguments: Value) -> CallResult {
    let options = CallOptions::new().with_scope(&registry.scope("main"));
    call_with(registry, name, arguments, options).await
}

async fn call_with(
    registry: &ToolRegistry,
    name: &str,
    arguments: Value,
    options: CallOptions,
) -> CallResult {
    let batch = Batch::new([ToolCall::new("c1", name, arguments)]).with_options(options);
    registry.execute_batch(batch).await.unwrap().results.remove(0).into_result()
}

fn run_code() -> Value {
    json!({"description": "Run it", "code": "nobody reads it"})
}

#[tokio::test]
async fn a_model_is_offered_run_code_alone_and_the_rule_that_goes_with_it() {
    let registry = registry(program(async |_| returned(1)), |b| b.tool(note(&Trace::default())));
    let offer = registry.describe(None).unwrap();
    assert_eq!(offer.names, ["run_code"]);
    assert_eq!(offer.schemas.len(), 1);
    assert_eq!(offer.schemas[0]["name"], "run_code");
    assert_eq!(offer.schemas[0]["parameters"]["required"], json!(["code", "description"]));
    assert!(offer.sections[0].contains("Only `run_code` can be called directly"));
    assert!(registry.get("run_code").is_none());
}

#[tokio::test]
async fn a_direct_call_of_another_tool_says_how_it_is_called_and_reaches_no_policy() {
    let trace = Trace::default();
    let (asked, guarded) = (trace.clone(), trace.clone());
    let registry = registry(program(async |_| returned(1)), |builder| {
        builder
            .tool(note(&trace))
            .pre_execute(
                "policy",
                pre_execute_fn(move |_, next| {
                    asked.add("policy");
                    next.run()
                }),
            )
            .guard("guard", move |_: &dsh_tools::Execution| {
                guarded.add("guard");
                Ok(None)
            })
            .observe("observer", trace.observer())
    });
    let result = call(&registry, "note", json!({"text": "hi"})).await;
    assert_eq!(code(&result), Some("UNKNOWN_TOOL"));
    assert_eq!(
        read(&result),
        "Error: unknown tool \"note\": only `run_code` is callable directly — call `note` from inside a \
         `run_code` program instead"
    );
    assert_eq!(trace.lines(), ["result c1 error"]);
    // A name that nobody has takes the ordinary way.
    assert_eq!(read(&call(&registry, "nope", json!({})).await), "Error: unknown tool \"nope\"");
    assert_eq!(trace.lines().iter().filter(|line| *line == "policy").count(), 1);
}

#[tokio::test]
async fn policy_holds_for_the_calls_of_a_program() {
    let trace = Trace::default();
    let executor = program(async |program| {
        let argument = Argument::Value(json!({"text": "hi"}));
        match program.bindings.call("note", argument).await {
            Ok(value) => returned(value),
            Err(message) => returned(json!({ "denied": message })),
        }
    });
    let registry = registry(executor, |builder| {
        builder.tool(note(&trace)).pre_execute(
            "policy",
            pre_execute_fn(|execution, next| {
                let is_nested = execution.parent().is_some();
                Box::pin(async move {
                    if is_nested {
                        Ok(PreDecision::deny("not from programs"))
                    } else {
                        next.run().await
                    }
                })
            }),
        )
    });
    let result = call(&registry, "run_code", run_code()).await;
    assert_eq!(result.value().unwrap()["result"], json!({"denied": "not from programs"}));
    assert!(trace.lines().is_empty(), "a body ran");
}

#[tokio::test]
async fn native_and_programs_can_be_mounted_beside_each_other() {
    let executor = program(async |program| {
        let argument = Argument::Value(json!({"text": "hi"}));
        returned(program.bindings.call("note", argument).await.unwrap())
    });
    let registry = ToolRegistry::builder()
        .tool(note(&Trace::default()))
        .executor(dsh_tools::NativeExecutor::new())
        .build()
        .unwrap();
    let coder = registry.scope("coder");
    coder.executor(executor).unwrap().keep();
    let with = |scope| CallOptions::new().with_scope(scope);
    let ran = call_with(&registry, "run_code", run_code(), with(&coder)).await;
    assert_eq!(read(&ran), "hi");
    let plain = registry.scope("plain");
    let direct = call_with(&registry, "note", json!({"text": "hi"}), with(&plain)).await;
    assert_eq!(read(&direct), "hi");
    let unknown = call_with(&registry, "run_code", run_code(), with(&plain)).await;
    assert_eq!(read(&unknown), "Error: unknown tool \"run_code\"");
}

/// A tool that takes as long as its argument says, or until it is cancelled, and notes how it ended.
fn waits(trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    let body = move |arguments: Value, cx: dsh_tools::ToolContext| {
        let trace = trace.clone();
        async move {
            let time = Duration::from_millis(arguments["ms"].as_u64().unwrap_or_default());
            tokio::select! {
                () = sleep(time) => trace.add(format!("{} ran", cx.call_id())),
                () = cx.cancelled() => trace.add(format!("{} cancelled", cx.call_id())),
            }
            Ok(arguments["ms"].clone())
        }
    };
    ToolDefinition::from_fn("waits", "Waits.", json!({"type": "object"}), body).with_parallel(true)
}

#[tokio::test(start_paused = true)]
async fn what_is_open_when_a_program_ends_is_cancelled_and_what_comes_later_is_refused() {
    let trace = Trace::default();
    let late = Arc::new(std::sync::Mutex::new(Vec::new()));
    let kept = Arc::clone(&late);
    let executor = program(move |program| {
        let kept = Arc::clone(&kept);
        async move {
            let wait = |ms: u64| Argument::Value(json!({ "ms": ms }));
            // Two may run at a time, so the third is never started.
            for _ in 0..3 {
                kept.lock().unwrap().push(program.bindings.call("waits", wait(60_000)));
            }
            sleep(Duration::from_millis(100)).await;
            let (bindings, kept) = (program.bindings.clone(), Arc::clone(&kept));
            tokio::spawn(async move {
                sleep(Duration::from_millis(100)).await;
                kept.lock().unwrap().push(bindings.call("waits", wait(1)));
            });
            returned("early")
        }
    })
    .with_max_parallel_calls(std::num::NonZeroUsize::new(2).unwrap());
    let registry = registry(executor, |builder| builder.tool(waits(&trace)));
    let started = Instant::now();
    assert_eq!(read(&call(&registry, "run_code", run_code()).await), "early");
    assert_eq!(started.elapsed(), Duration::from_millis(100));
    let mut ended = trace.lines();
    ended.sort();
    assert_eq!(ended, ["c1:ptc:1 cancelled", "c1:ptc:2 cancelled"]);
    sleep(Duration::from_millis(200)).await;
    let answers = std::mem::take(&mut *late.lock().unwrap());
    let mut told = Vec::new();
    for answer in answers {
        told.push(answer.await.unwrap_err());
    }
    assert_eq!(
        told,
        [
            "run_code run is over (run_code settled); waits result discarded",
            "run_code run is over (run_code settled); waits result discarded",
            "run_code run is over (run_code settled); waits tool call abandoned",
            "run_code run is over (run_code settled); waits not dispatched",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn the_caller_who_cancels_reaches_the_program_and_its_calls() {
    let trace = Trace::default();
    let executor = program(async |program| {
        let call = program.bindings.call("waits", Argument::Value(json!({"ms": 60_000})));
        tokio::select! {
            _ = call => returned("done"),
            () = program.cancellation.cancelled() => Outcome {
                failure: Some(Failure::new(FailureKind::Abort, "the caller cancelled")),
                ..Outcome::default()
            },
        }
    });
    let registry = registry(executor, |builder| builder.tool(waits(&trace)));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let cancel = async {
        sleep(Duration::from_millis(50)).await;
        token.cancel();
    };
    let (result, ()) = tokio::join!(call_with(&registry, "run_code", run_code(), options), cancel);
    assert_eq!(read(&result), "Error: code run failed (abort): the caller cancelled");
    assert_eq!(trace.lines(), ["c1:ptc:1 cancelled"]);
}

#[tokio::test]
async fn a_runtime_is_not_trusted_with_json_or_with_the_limit_for_output() {
    let lossy = registry(program(async |_| returned(-0.0)), |builder| builder);
    assert_eq!(
        read(&call(&lossy, "run_code", run_code()).await),
        "Error: code run failed (invalid-output): program completion must be lossless JSON"
    );

    let flood = program(async |_| Outcome {
        logs: vec!["0123456789".to_owned(), "0123456789".to_owned()],
        ..returned("x")
    });
    let budgets = Budgets::default().with_output_bytes(24);
    let flood = registry(flood.with_budgets(budgets), |builder| builder);
    assert_eq!(
        read(&call(&flood, "run_code", run_code()).await),
        "Error: code run failed (output-limit): outer output exceeded 24 bytes\nCaptured output:\n\
         0123456789\n0123456"
    );
}

#[tokio::test]
async fn a_runtime_that_fails_or_panics_is_a_failed_call() {
    let fails = Closure(
        Arc::new(|_| Box::pin(async { Err(ToolError::new("the engine is missing")) })),
        None,
    );
    let failing = registry(PtcExecutor::new(fails), |builder| builder);
    assert_eq!(read(&call(&failing, "run_code", run_code()).await), "Error: the engine is missing");
    let panics = Closure(Arc::new(|_| panic!("secret")), None);
    let panicking = registry(PtcExecutor::new(panics), |builder| builder);
    let result = call(&panicking, "run_code", run_code()).await;
    assert_eq!(code(&result), Some("PANICKED"));
    assert!(!read(&result).contains("secret"));
}

#[tokio::test]
async fn the_time_of_a_run_can_be_asked_for_where_the_runtime_has_one() {
    let told = async |wanted: Value, limits| {
        let run = closure(async |program| {
            returned(u64::try_from(program.budgets.wall.as_millis()).unwrap())
        });
        let executor = PtcExecutor::new(Closure(run.0, limits));
        let mut arguments = run_code();
        arguments["timeoutMs"] = wanted;
        read(&call(&registry(executor, |b| b), "run_code", arguments).await)
    };
    let second = Duration::from_secs(1);
    let limits = Some(TimeoutLimits { default: second, max: second * 10 });
    assert_eq!(told(json!(1500), limits).await, "1500");
    assert_eq!(told(json!(1e300), limits).await, "10000");
    let wrong = "Error: invalid timeoutMs: expected a positive finite number";
    assert_eq!(told(json!(0), limits).await, wrong);
    assert_eq!(told(json!(-5), limits).await, wrong);
    let missing = "Error: timeoutMs is not available for this PTC runtime";
    assert_eq!(told(json!(1500), None).await, missing);
}

#[tokio::test]
async fn programs_of_one_batch_run_one_after_the_other_with_numbers_of_their_own() {
    let trace = Trace::default();
    let executor = program(async |program| {
        let wait = || Argument::Value(json!({"ms": 1}));
        let first = program.bindings.call("waits", wait());
        let second = program.bindings.call("waits", wait());
        tokio::join!(first, second).1.map_or_else(returned, returned)
    });
    let registry = registry(executor, |builder| builder.tool(waits(&trace)));
    let calls = ["a", "b"].map(|id| ToolCall::new(id, "run_code", run_code()));
    registry.execute_batch(Batch::new(calls)).await.unwrap();
    assert_eq!(trace.lines(), ["a:ptc:1 ran", "a:ptc:2 ran", "b:ptc:1 ran", "b:ptc:2 ran"]);
}

#[tokio::test]
async fn an_image_that_a_program_caused_follows_its_result() {
    let picture =
        dsh_tools::ContentBlock::Image { data: "AAAA".into(), mime_type: "image/png".into() };
    let shown = picture.clone();
    let draws =
        ToolDefinition::from_fn("draws", "Draws.", json!({"type": "object"}), |_, _| async {
            Ok(json!("drawn"))
        })
        .with_render(move |_, _| shown.clone());
    let executor = program(async |program| {
        returned(program.bindings.call("draws", Argument::Value(json!({}))).await.unwrap())
    });
    let result = call(&registry(executor, |b| b.tool(draws)), "run_code", run_code()).await;
    assert_eq!(read(&result), "drawn");
    assert_eq!(result.contexts()[0].source, "ptc-mode");
    assert_eq!(result.contexts()[0].content.blocks(), [picture]);
}

#[tokio::test(start_paused = true)]
async fn ten_bodies_of_a_program_run_at_a_time_unless_the_host_says_otherwise() {
    let running =
        Arc::new((std::sync::atomic::AtomicU32::new(0), std::sync::atomic::AtomicU32::new(0)));
    let counted = Arc::clone(&running);
    let body = move |_: Value, _| {
        let counted = Arc::clone(&counted);
        async move {
            use std::sync::atomic::Ordering::SeqCst;
            counted.1.fetch_max(counted.0.fetch_add(1, SeqCst) + 1, SeqCst);
            sleep(Duration::from_millis(10)).await;
            counted.0.fetch_sub(1, SeqCst);
            Ok(json!(1))
        }
    };
    let counts = ToolDefinition::from_fn("counts", "Counts.", json!({"type": "object"}), body)
        .with_parallel(true);
    let executor = program(async |program| {
        let argument = || Argument::Value(json!({}));
        let calls: Vec<_> = (0..25).map(|_| program.bindings.call("counts", argument())).collect();
        let mut sum = 0;
        for call in calls {
            sum += call.await.unwrap().as_u64().unwrap();
        }
        returned(sum)
    });
    let result = call(&registry(executor, |b| b.tool(counts)), "run_code", run_code()).await;
    assert_eq!(read(&result), "25");
    assert_eq!(running.1.load(std::sync::atomic::Ordering::SeqCst), 10);
}

#[tokio::test]
async fn a_direct_call_that_comes_cancelled_is_told_that_and_not_how_to_call() {
    let registry = registry(program(async |_| returned(1)), |b| b.tool(note(&Trace::default())));
    let token = CancellationToken::new();
    token.cancel();
    let options = CallOptions::new().with_cancellation(token);
    let result = call_with(&registry, "note", json!({"text": "hi"}), options).await;
    assert_eq!(code(&result), Some("ABORTED_BEFORE_DISPATCH"));
}
