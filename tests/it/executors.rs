//! Executors in scopes: which one is used, and what becomes of a batch when something of it breaks.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dsh_tools::hooks::{BoxFuture, ModelSelection, Offer, ToolExecutor};
use dsh_tools::log::{Event, session_log_fn};
use dsh_tools::{
    Batch, BatchOutcome, CallOptions, ExecutorError, ExecutorTaken, NativeExecutor, Problem, Step,
    ToolCall, ToolDefinition, ToolError, ToolRegistry, ToolResult,
};
use fixtures::{Trace, constant, read, registry, say};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// An executor that offers its name, and notes which batches it runs.
struct Named(&'static str, Trace);

impl ToolExecutor for Named {
    fn describe(&self, tools: &[ToolDefinition]) -> ToolResult<Offer> {
        let names = tools.iter().map(|tool| tool.name().to_owned()).collect();
        Ok(Offer { names, sections: vec![self.0.to_owned()], ..Offer::default() })
    }

    fn execute<'a>(
        &'a self,
        registry: &'a ToolRegistry,
        batch: Batch,
    ) -> BoxFuture<'a, Result<BatchOutcome, ExecutorError>> {
        self.1.add(self.0);
        Box::pin(async move { NativeExecutor::new().execute(registry, batch).await })
    }
}

fn batch(options: CallOptions) -> Batch {
    Batch::new([say("hi")]).with_options(options)
}

#[tokio::test]
async fn the_nearest_executor_is_used_each_time_anew() {
    let trace = Trace::default();
    let registry = registry(&Trace::default(), |b| b.executor(Named("global", trace.clone())));
    let outer = registry.scope("outer");
    let inner = outer.scope("inner");
    let run = async || {
        let options = CallOptions::new().with_scope(&inner);
        registry.execute_batch(batch(options)).await.unwrap();
        inner.describe(None).unwrap().sections
    };

    assert_eq!(run().await, ["global"]);
    let of_outer = outer.executor(Named("outer", trace.clone())).unwrap();
    assert_eq!(run().await, ["outer"]);
    let of_inner = inner.executor(Named("inner", trace.clone())).unwrap();
    assert_eq!(run().await, ["inner"]);
    drop(of_outer);
    assert_eq!(run().await, ["inner"]);
    drop(of_inner);
    assert_eq!(run().await, ["global"]);
    assert_eq!(registry.describe(None).unwrap().sections, ["global"]);
    assert_eq!(trace.lines(), ["global", "outer", "inner", "inner", "global"]);
}

#[tokio::test]
async fn a_scope_has_one_executor_and_the_first_stays() {
    let trace = Trace::default();
    let registry = registry(&Trace::default(), |builder| builder);
    let scope = registry.scope("main");
    let mounted = scope.executor(Named("first", trace.clone())).unwrap();
    let second = scope.executor(Named("second", trace.clone()));
    assert_eq!(second.unwrap_err(), ExecutorTaken);
    assert_eq!(ExecutorTaken.to_string(), "a tool executor is already registered in this scope");
    assert_eq!(scope.describe(None).unwrap().sections, ["first"]);
    drop(mounted);
    scope.executor(Named("second", trace)).unwrap().keep();
    assert_eq!(scope.describe(None).unwrap().sections, ["second"]);

    let two =
        ToolRegistry::builder().executor(NativeExecutor::new()).executor(NativeExecutor::new());
    let error = two.build().unwrap_err();
    assert!(matches!(error.problems(), [Problem::SeveralExecutors]), "{error}");
}

#[tokio::test]
async fn without_an_executor_a_batch_is_refused_whole_and_tools_are_not_offered() {
    let trace = Trace::default();
    let logged = trace.clone();
    let registry = registry(&trace, |builder| builder.observe("observer", trace.observer()));
    let log = session_log_fn(move |event: &Event| {
        logged.add(format!("logged {}", event.call_id()));
        Box::pin(async { Ok(()) })
    });
    let options = CallOptions::new().with_scope(&registry.scope("main")).with_log(Arc::new(log));
    let error = registry.execute_batch(batch(options)).await.unwrap_err();
    assert_eq!(error.code(), "NO_TOOL_EXECUTOR");
    assert_eq!(error.to_string(), "no tool executor is mounted in this scope or around it");
    assert!(trace.lines().is_empty());

    assert!(matches!(registry.describe(None), Err(ExecutorError::NotMounted)));
    let empty = ToolRegistry::builder().build().unwrap();
    assert_eq!(empty.describe(None).unwrap(), Offer::default());
}

#[tokio::test]
async fn mounting_and_unmounting_is_no_change_of_tools() {
    let changes = Arc::new(AtomicUsize::new(0));
    let heard = Arc::clone(&changes);
    let registry = registry(&Trace::default(), |builder| builder);
    registry
        .on_change("counter", move |_: &ToolRegistry| {
            heard.fetch_add(1, Ordering::Relaxed);
            Ok(())
        })
        .keep();
    let schemas = registry.schemas();
    drop(registry.executor(NativeExecutor::new()).unwrap());
    drop(registry.scope("main").executor(NativeExecutor::new()).unwrap());
    assert_eq!(changes.load(Ordering::Relaxed), 0);
    assert_eq!(registry.schemas(), schemas);
}

#[tokio::test]
async fn the_native_executor_offers_every_tool_as_it_is_or_those_of_the_step() {
    let hidden = constant("hidden", json!(1)).with_condition(|_| Box::pin(async { Ok(false) }));
    let registry = ToolRegistry::builder()
        .tool(constant("shown", json!(1)))
        .tool(hidden)
        .executor(NativeExecutor::new())
        .build()
        .unwrap();
    let all = registry.describe(None).unwrap();
    assert_eq!(all.names, ["hidden", "shown"]);
    assert_eq!(all.schemas, registry.schemas().to_vec());
    let step = registry.resolve(Step::new(ModelSelection::default())).await.unwrap();
    let offer = registry.describe(Some(&step)).unwrap();
    assert_eq!(offer.names, ["shown"]);
    assert_eq!(offer.schemas[0]["name"], "shown");
    assert_eq!(offer.sections, Vec::<String>::new());
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_was_accepted_is_settled_though_its_executor_is_unmounted() {
    let (began, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (begins, goes) = (Arc::clone(&began), Arc::clone(&go));
    let waits =
        ToolDefinition::from_fn("waits", "Waits.", json!({"type": "object"}), move |_, _| {
            let (begins, goes) = (Arc::clone(&begins), Arc::clone(&goes));
            async move {
                begins.notify_one();
                goes.notified().await;
                Ok(json!("went"))
            }
        });
    let registry = ToolRegistry::builder().tool(waits).build().unwrap();
    let mounted = registry.executor(NativeExecutor::new()).unwrap();
    let calls = ["1", "2"].map(|id| ToolCall::new(id, "waits", "{}"));
    let unmount = async {
        began.notified().await;
        drop(mounted);
        go.notify_one();
        began.notified().await;
        go.notify_one();
    };
    let (outcome, ()) = tokio::join!(registry.execute_batch(Batch::new(calls)), unmount);
    let texts: Vec<_> = outcome.unwrap().results.iter().map(|one| read(one.result())).collect();
    assert_eq!(texts, ["went", "went"]);
    assert!(registry.execute_batch(Batch::default()).await.is_err());
}

#[tokio::test]
async fn a_log_without_a_scope_is_refused_before_anything_runs() {
    let trace = Trace::default();
    let registry = registry(&trace, |builder| builder.executor(NativeExecutor::new()));
    let log = session_log_fn(|_| Box::pin(async { Ok(()) }));
    let error = registry
        .execute_batch(batch(CallOptions::new().with_log(Arc::new(log))))
        .await
        .unwrap_err();
    assert_eq!(error.code(), "LOG_WITHOUT_SCOPE");
    assert!(trace.lines().is_empty());
}

/// A log that breaks with the first event for which this holds.
fn breaks_at(
    is_last: impl Fn(&Event) -> bool + Send + Sync + 'static,
) -> impl dsh_tools::log::SessionLog {
    let broken = AtomicBool::new(false);
    session_log_fn(move |event: &Event| {
        let breaks = broken.load(Ordering::SeqCst) || is_last(event);
        broken.store(breaks, Ordering::SeqCst);
        let appended = if breaks { Err(ToolError::new("no space left")) } else { Ok(()) };
        Box::pin(async { appended })
    })
}

#[tokio::test(start_paused = true)]
async fn a_log_that_breaks_ends_the_batch_and_loses_no_result() {
    let trace = Trace::default();
    let tool = |name: &'static str, parallel| {
        let trace = trace.clone();
        let body = move |_: Value, _| {
            trace.add(name);
            async { Ok(json!("done")) }
        };
        ToolDefinition::from_fn(name, "Does.", json!({"type": "object"}), body)
            .with_parallel(parallel)
    };
    let registry = ToolRegistry::builder()
        .tool(tool("fast", true))
        .tool(tool("alone", false))
        .executor(NativeExecutor::new())
        .build()
        .unwrap();
    let run = async |breaks: Box<dyn Fn(&Event) -> bool + Send + Sync>| {
        let options = CallOptions::new()
            .with_scope(&registry.scope("main"))
            .with_log(Arc::new(breaks_at(breaks)));
        let calls = [("1", "fast"), ("2", "alone"), ("3", "fast")];
        let calls = calls.map(|(id, name)| ToolCall::new(id, name, "{}"));
        match registry.execute_batch(Batch::new(calls).with_options(options)).await {
            Err(ExecutorError::Log { error, completed }) => {
                assert_eq!(error.message(), "no space left");
                completed.iter().map(|one| one.call_id().to_owned()).collect::<Vec<_>>()
            }
            other => panic!("the log broke: {other:?}"),
        }
    };

    let at_the_second = |event: &Event| matches!(event, Event::Call(call) if call.call_id == "2");
    assert_eq!(run(Box::new(at_the_second)).await, ["1"]);
    assert_eq!(trace.lines(), ["fast"]);
    let at_its_result = |event: &Event| matches!(event, Event::Result(r) if r.call_id == "2");
    assert_eq!(run(Box::new(at_its_result)).await, ["1", "2"]);
    assert_eq!(trace.lines(), ["fast", "fast", "alone"]);
}

#[tokio::test]
async fn an_executor_that_panics_or_fails_is_an_error_of_the_batch() {
    struct Broken;
    impl ToolExecutor for Broken {
        fn describe(&self, _tools: &[ToolDefinition]) -> ToolResult<Offer> {
            Err(ToolError::new("no room for tools"))
        }

        fn execute<'a>(
            &'a self,
            _registry: &'a ToolRegistry,
            _batch: Batch,
        ) -> BoxFuture<'a, Result<BatchOutcome, ExecutorError>> {
            panic!("secret")
        }
    }
    let registry = registry(&Trace::default(), |builder| builder.executor(Broken));
    let error = registry.execute_batch(batch(CallOptions::new())).await.unwrap_err();
    assert_eq!(error.code(), "EXECUTOR_FAILED");
    assert!(!error.to_string().contains("secret"), "{error}");
    let error = registry.describe(None).unwrap_err();
    assert_eq!(error.to_string(), "the tool executor failed: no room for tools");
}
