//! The tools of one model step: conditions, and the table of what may happen meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dsh_tools::hooks::{ConditionContext, ModelSelection};
use dsh_tools::{
    CallOptions, ErrorCode, ResolveError, ResolvedToolSet, Scope, Step, ToolCall, ToolDefinition,
    ToolError, ToolFilter, ToolRegistry, ToolResult,
};
use fixtures::{Trace, code, constant, read};
use serde_json::json;
use tokio_util::sync::CancellationToken;

fn conditional(name: &'static str, answer: ToolResult<bool>) -> ToolDefinition {
    constant(name, json!(name)).with_condition(move |_: ConditionContext| {
        let answer = answer.clone();
        async move { answer }
    })
}

/// An agent with the tools `plain`, `on` and `off`.
fn agent() -> (ToolRegistry, Scope) {
    let registry = ToolRegistry::builder().build().unwrap();
    for tool in [
        constant("plain", json!("plain")),
        conditional("on", Ok(true)),
        conditional("off", Ok(false)),
    ] {
        registry.register(tool).unwrap().keep();
    }
    let agent = registry.scope("main");
    (registry, agent)
}

async fn resolve(scope: &Scope) -> ResolvedToolSet {
    scope.resolve(Step::default()).await.unwrap()
}

async fn call(scope: &Scope, set: &ResolvedToolSet, name: &str) -> String {
    let options = CallOptions::new().with_scope(scope).with_tool_set(set);
    let completed = scope.registry().execute(ToolCall::new("c1", name, "{}"), options).await;
    match code(completed.result()) {
        Some(code) => code.to_owned(),
        None => read(completed.result()),
    }
}

fn names(set: &ResolvedToolSet) -> Vec<String> {
    set.definitions().iter().map(|definition| definition.name().to_owned()).collect()
}

#[tokio::test]
async fn a_condition_decides_what_is_offered_and_what_runs() {
    let (registry, agent) = agent();
    let set = resolve(&agent).await;
    assert_eq!(names(&set), ["plain", "on"]);
    let shown: Vec<_> = set.schemas().iter().map(|schema| schema["name"].clone()).collect();
    assert_eq!(shown, ["plain", "on"]);
    assert!(set.get("on").is_some() && set.get("off").is_none());
    assert_eq!(call(&agent, &set, "plain").await, "plain");
    assert_eq!(call(&agent, &set, "on").await, "on");
    assert_eq!(call(&agent, &set, "off").await, "UNKNOWN_TOOL");

    // Without a set, what has a condition is seen and does not run.
    assert!(registry.get("on").is_some() && registry.executable("on").is_none());
    let options = CallOptions::new().with_scope(&agent);
    let completed = registry.execute(ToolCall::new("c1", "on", "{}"), options).await;
    assert_eq!(read(completed.result()), "Error: unknown tool \"on\"");
}

#[tokio::test]
async fn conditions_are_asked_once_a_step_and_only_of_what_is_seen() {
    let (registry, agent) = agent();
    let asked = Trace::default();
    let counted = |name: &'static str, answer: bool| {
        let asked = asked.clone();
        constant(name, json!(name)).with_condition(move |cx: ConditionContext| {
            asked.add(format!("{name} for {}", cx.model().model));
            async move { Ok(answer) }
        })
    };
    registry.register(counted("masked", true)).unwrap().keep();
    registry.register(counted("shadowed", true)).unwrap().keep();
    agent.register(counted("shadowed", false)).unwrap().keep();
    agent.restrict(ToolFilter::deny(["masked"])).unwrap().keep();
    let model = ModelSelection { model: "m1".into(), ..ModelSelection::default() };
    let set = agent.resolve(Step::new(model)).await.unwrap();
    // The nearer one took the name over; the farther one does not shine through.
    assert_eq!(asked.lines(), ["shadowed for m1"]);
    assert_eq!(names(&set), ["plain", "on"]);
    assert_eq!(call(&agent, &set, "shadowed").await, "UNKNOWN_TOOL");
    assert_eq!(asked.lines().len(), 1);
}

#[tokio::test]
async fn a_condition_that_fails_fails_the_step() {
    let (registry, agent) = agent();
    let late = Arc::new(AtomicUsize::new(0));
    let settled = Arc::clone(&late);
    let failing = [
        conditional("first", Err(ToolError::new("no database"))),
        constant("second", json!(1)).with_condition(move |_: ConditionContext| {
            let settled = Arc::clone(&settled);
            async move {
                tokio::task::yield_now().await;
                settled.fetch_add(1, Ordering::Relaxed);
                Err(ToolError::new("later"))
            }
        }),
    ];
    registry.register_all(failing).unwrap().keep();
    let error = agent.resolve(Step::default()).await.unwrap_err();
    assert_eq!(error.to_string(), "tool \"first\" activation failed: no database");
    assert_eq!(error.code(), Some(ErrorCode::ToolActivationFailed));
    assert_eq!(late.load(Ordering::Relaxed), 1, "all are awaited");

    let registry = ToolRegistry::builder()
        .tool(constant("t", json!(1)).with_condition(|_: ConditionContext| async { panic!("x") }))
        .build()
        .unwrap();
    let error = registry.resolve(Step::default()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool \"t\" activation failed: a condition panicked, which is a defect in it \
         and not in the call"
    );
}

#[tokio::test]
async fn a_cancelled_step_has_no_set_whatever_conditions_say() {
    let token = CancellationToken::new();
    let cancels = token.clone();
    let tool = constant("t", json!(1)).with_condition(move |cx: ConditionContext| {
        cancels.cancel();
        async move {
            cx.cancellation().cancelled().await;
            Err(ToolError::new("failed, too"))
        }
    });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let step = || Step::default().with_cancellation(token.clone());
    let cancelled = |error: ResolveError| matches!(error, ResolveError::Cancelled);
    assert!(cancelled(registry.resolve(step()).await.unwrap_err()));
    assert!(cancelled(registry.resolve(step()).await.unwrap_err()));
}

/// Each row: what happens between resolving and calling, and what the call of `plain` comes to.
#[tokio::test]
async fn what_changes_after_resolving_only_takes_away() {
    // 4, 5: gone, or replaced by an identical one.
    let registry = ToolRegistry::builder().build().unwrap();
    let agent = registry.scope("main");
    let definition = constant("plain", json!("plain"));
    let handle = registry.register(definition.clone()).unwrap();
    let set = resolve(&agent).await;
    assert_eq!(call(&agent, &set, "plain").await, "plain");
    drop(handle);
    assert_eq!(call(&agent, &set, "plain").await, "UNKNOWN_TOOL");
    registry.register(definition).unwrap().keep();
    assert_eq!(call(&agent, &set, "plain").await, "UNKNOWN_TOOL");

    // 6, 7: masked later; and a mask that is lifted does not widen the set.
    let set = resolve(&agent).await;
    let mask = agent.restrict(ToolFilter::deny(["plain"])).unwrap();
    assert_eq!(call(&agent, &set, "plain").await, "UNKNOWN_TOOL");
    let narrow = resolve(&agent).await;
    drop(mask);
    assert_eq!(call(&agent, &narrow, "plain").await, "UNKNOWN_TOOL");
    assert_eq!(call(&agent, &set, "plain").await, "plain");

    // 8: what is new is not in it.
    registry.register(constant("new", json!(1))).unwrap().keep();
    assert_eq!(call(&agent, &set, "new").await, "UNKNOWN_TOOL");

    // 9: shadowed, and not any more.
    let shadow = agent.register(constant("plain", json!("shadow"))).unwrap();
    assert_eq!(call(&agent, &set, "plain").await, "UNKNOWN_TOOL");
    drop(shadow);
    assert_eq!(call(&agent, &set, "plain").await, "plain");

    // 10: for another agent, or for none.
    let other = registry.scope("other");
    assert_eq!(call(&other, &set, "plain").await, "UNKNOWN_TOOL");
    let options = CallOptions::new().with_tool_set(&set);
    let completed = registry.execute(ToolCall::new("c1", "plain", "{}"), options).await;
    assert_eq!(code(completed.result()), Some("UNKNOWN_TOOL"));

    // 12: disposed of, more than once.
    set.dispose();
    set.dispose();
    assert_eq!(call(&agent, &set, "plain").await, "UNKNOWN_TOOL");
    assert!(set.definitions().is_empty() && set.get("plain").is_none());
}

#[tokio::test]
async fn a_call_that_has_started_is_not_interrupted() {
    let registry = ToolRegistry::builder().build().unwrap();
    let agent = registry.scope("main");
    let gate = Arc::new(tokio::sync::Notify::new());
    let body = Arc::clone(&gate);
    let parameters = json!({"type": "object"});
    let slow = ToolDefinition::from_fn("slow", "Waits.", parameters, move |_, _| {
        let gate = Arc::clone(&body);
        async move {
            gate.notified().await;
            Ok(json!("done"))
        }
    });
    let handle = registry.register(slow).unwrap();
    let set = resolve(&agent).await;
    let change = async {
        tokio::task::yield_now().await;
        drop(handle);
        set.dispose();
        gate.notify_one();
    };
    let (text, ()) = tokio::join!(call(&agent, &set, "slow"), change);
    assert_eq!(text, "done");
    assert_eq!(call(&agent, &set, "slow").await, "UNKNOWN_TOOL");
}

#[tokio::test]
async fn a_batch_uses_its_set_for_every_call_and_nested_ones() {
    use dsh_tools::Batch;
    use fixtures::run_batch;

    let (registry, agent) = agent();
    let inner = registry.clone();
    let outer =
        ToolDefinition::from_fn("outer", "Calls.", json!({"type": "object"}), move |_, cx| {
            let registry = inner.clone();
            async move {
                let call = ToolCall::new("n1", "on", "{}");
                let completed = registry.execute(call, CallOptions::new().nested_in(&cx)).await;
                Ok(json!(read(completed.result())))
            }
        });
    registry.register(outer).unwrap().keep();
    let set = resolve(&agent).await;
    let calls = ["on", "off", "outer"].map(|name| ToolCall::new(name, name, "{}"));
    let options = CallOptions::new().with_scope(&agent).with_tool_set(&set);
    let outcome = run_batch(&registry, Batch::new(calls).with_options(options)).await;
    let texts: Vec<_> = outcome.results.iter().map(|r| read(r.result())).collect();
    assert_eq!(texts, ["on", "Error: unknown tool \"off\"", "on"]);
}

#[tokio::test]
async fn a_set_keeps_no_tool_alive() {
    let (registry, agent) = agent();
    let alive = Arc::new(());
    let held = Arc::clone(&alive);
    let tool = ToolDefinition::from_fn("held", "Holds.", json!({"type": "object"}), move |_, _| {
        let _held = Arc::clone(&held);
        async { Ok(json!(1)) }
    });
    let handle = registry.register(tool).unwrap();
    let set = resolve(&agent).await;
    assert!(set.get("held").is_some());
    drop(handle);
    // Views are made when they are asked for; this one no longer has it.
    assert!(set.get("held").is_none() && registry.get("held").is_none());
    assert_eq!(Arc::strong_count(&alive), 1);
    drop((registry, agent));
    assert!(set.definitions().is_empty());
}

#[tokio::test]
async fn a_condition_is_told_whose_step_it_is() {
    let told = Trace::default();
    let notes = told.clone();
    let tool = constant("t", json!(1)).with_condition(move |cx: ConditionContext| {
        let ModelSelection { provider, model, reasoning_effort } = cx.model();
        let agent = cx.scope().map_or("nobody", Scope::name);
        let cancelled = cx.cancellation().is_cancelled();
        notes.add(format!("{agent} {provider} {model} {reasoning_effort:?} {cancelled}"));
        async { Ok(true) }
    });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let model = ModelSelection {
        provider: "p".into(),
        model: "m".into(),
        reasoning_effort: Some("high".into()),
    };
    registry.scope("main").resolve(Step::new(model)).await.unwrap();
    registry.resolve(Step::default()).await.unwrap();
    assert_eq!(told.lines(), ["main p m Some(\"high\") false", "nobody   None false"]);
}

#[tokio::test]
async fn a_tool_that_an_earlier_call_of_the_batch_replaced_is_not_used() {
    use std::sync::Mutex;

    use dsh_tools::Batch;
    use fixtures::run_batch;

    let registry = ToolRegistry::builder().build().unwrap();
    let agent = registry.scope("main");
    let handle = Mutex::new(Some(registry.register(constant("t", json!("old"))).unwrap()));
    let inner = registry.clone();
    let replaces = move |_, _| {
        handle.lock().unwrap().take();
        inner.register(constant("t", json!("new"))).unwrap().keep();
        async { Ok(json!("replaced")) }
    };
    let replaces = ToolDefinition::from_fn("r", "Replaces.", json!({"type": "object"}), replaces);
    registry.register(replaces).unwrap().keep();
    let set = resolve(&agent).await;
    let calls = || ["t", "r", "t"].map(|name| ToolCall::new(name, name, "{}"));
    let options = CallOptions::new().with_scope(&agent).with_tool_set(&set);
    let outcome = run_batch(&registry, Batch::new(calls()).with_options(options)).await;
    let texts: Vec<_> = outcome.results.iter().map(|r| read(r.result())).collect();
    assert_eq!(texts, ["old", "replaced", "Error: unknown tool \"t\""]);
}

#[tokio::test]
async fn a_cancelled_batch_settles_as_cancelled_also_what_is_gone() {
    use dsh_tools::Batch;
    use fixtures::run_batch;

    let registry = ToolRegistry::builder().build().unwrap();
    let agent = registry.scope("main");
    let handle = registry.register(constant("t", json!(1))).unwrap();
    let set = resolve(&agent).await;
    drop(handle);
    let token = CancellationToken::new();
    token.cancel();
    let options =
        CallOptions::new().with_scope(&agent).with_tool_set(&set).with_cancellation(token);
    let batch = Batch::new([ToolCall::new("c1", "t", "{}")]).with_options(options);
    let outcome = run_batch(&registry, batch).await;
    assert_eq!(code(outcome.results[0].result()), Some("ABORTED_BEFORE_DISPATCH"));
}
