use dsh_tools::around::RepeatGuard;
use dsh_tools::{
    CallOptions, CallResult, Scope, ToolCall, ToolDefinition, ToolError, ToolRegistry,
};
use fixtures::{Trace, code, read};
use serde_json::{Value, json};

use super::{times, tool};

/// A tool that notes its runs and always gives the same.
fn same(name: &'static str, trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    tool(name, move |_, _| {
        trace.add(name);
        async { Ok(json!("the same")) }
    })
}

fn registry(tools: impl IntoIterator<Item = ToolDefinition>) -> ToolRegistry {
    let guard = RepeatGuard::new().with_reminder_at(times(2)).with_denial_at(times(4));
    let builder = ToolRegistry::builder().around("repeats", guard);
    tools.into_iter().fold(builder, dsh_tools::RegistryBuilder::tool).build().unwrap()
}

async fn run(scope: &Scope, name: &str, arguments: Value) -> CallResult {
    let options = CallOptions::new().with_scope(scope);
    let call = ToolCall::new("c1", name, arguments);
    scope.registry().execute(call, options).await.into_result()
}

/// What came of a call, in a word.
fn state(result: &CallResult) -> &'static str {
    match (code(result), result.contexts().len()) {
        (Some("REPEATED_CALL"), 0) => "denied",
        (_, 0) => "plain",
        (_, _) => "reminded",
    }
}

#[tokio::test]
async fn a_repeated_call_is_answered_then_reminded_then_denied() {
    let trace = Trace::default();
    let scope = registry([same("t", &trace)]).scope("main");
    let mut states = Vec::new();
    for _ in 0..5 {
        states.push(state(&run(&scope, "t", json!({})).await));
    }
    assert_eq!(states, ["plain", "reminded", "reminded", "denied", "denied"]);
    assert_eq!(trace.lines().len(), 3);

    let again = registry([same("t", &trace)]).scope("main");
    run(&again, "t", json!({})).await;
    let reminded = run(&again, "t", json!({})).await;
    assert_eq!(reminded.contexts()[0].source, "repeat guard");
    assert_eq!(
        reminded.contexts()[0].content.to_string(),
        "You have called \"t\" 2 times with the same arguments, and got the same result each time. \
         Use it, or do something else."
    );
    assert_eq!(read(&reminded), "the same");
    run(&again, "t", json!({})).await;
    assert_eq!(
        read(&run(&again, "t", json!({})).await),
        "Error: tool \"t\" was called 3 times with the same arguments and gave the same result each time, \
         so it was not called again: use that result, or do something else"
    );
}

#[tokio::test]
async fn other_arguments_are_another_call_whatever_their_order() {
    let scope = registry([same("t", &Trace::default())]).scope("main");
    for n in 0..6 {
        assert_eq!(state(&run(&scope, "t", json!({"n": n})).await), "plain");
    }
    run(&scope, "t", json!({"a": 1, "b": 2.0})).await;
    assert_eq!(state(&run(&scope, "t", json!({"b": 2, "a": 1})).await), "reminded");
}

#[tokio::test]
async fn turns_between_a_few_calls_are_seen_through() {
    let trace = Trace::default();
    let scope = registry([same("a", &trace), same("b", &trace)]).scope("main");
    let mut states = Vec::new();
    for name in ["a", "b", "a", "b", "a", "b", "a", "b"] {
        states.push(state(&run(&scope, name, json!({})).await));
    }
    let expected =
        ["plain", "plain", "reminded", "reminded", "reminded", "reminded", "denied", "denied"];
    assert_eq!(states, expected);
}

#[tokio::test]
async fn eight_different_calls_in_between_are_enough_to_forget() {
    let scope = registry([same("t", &Trace::default())]).scope("main");
    for (others, expected) in [(7, "reminded"), (8, "plain")] {
        run(&scope, "t", json!({"others": others})).await;
        for n in 0..others {
            run(&scope, "t", json!({"others": others, "n": n})).await;
        }
        let state = state(&run(&scope, "t", json!({"others": others})).await);
        assert_eq!(state, expected, "{others}");
    }
}

#[tokio::test]
async fn a_job_whose_state_changes_may_be_polled_and_failures_count_too() {
    let polled = tool("poll", |run, _| async move { Ok(json!(format!("{run} percent"))) });
    let broken = tool("broken", |_, _| async { Err(ToolError::new("no disk")) });
    let scope = registry([polled, broken]).scope("main");
    for _ in 0..10 {
        assert_eq!(state(&run(&scope, "poll", json!({})).await), "plain");
    }
    let mut states = Vec::new();
    for _ in 0..4 {
        states.push(state(&run(&scope, "broken", json!({})).await));
    }
    assert_eq!(states, ["plain", "reminded", "reminded", "denied"]);
}

#[tokio::test]
async fn each_scope_is_counted_by_itself_and_a_new_one_starts_anew() {
    let registry = registry([same("t", &Trace::default())]);
    let (one, other) = (registry.scope("agent"), registry.scope("agent"));
    for _ in 0..3 {
        run(&one, "t", json!({})).await;
    }
    assert_eq!(state(&run(&one, "t", json!({})).await), "denied");
    assert_eq!(state(&run(&other, "t", json!({})).await), "plain");
    // The allocator likes to give the next scope the place of the last one.
    drop(one);
    for _ in 0..100 {
        assert_eq!(state(&run(&registry.scope("agent"), "t", json!({})).await), "plain");
    }
}

#[tokio::test]
async fn nested_calls_are_not_counted() {
    let registry = registry([same("inner", &Trace::default())]);
    let inside = registry.clone();
    let outer = tool("outer", move |run, cx| {
        let inside = inside.clone();
        async move {
            for _ in 0..6 {
                let call = ToolCall::new("n", "inner", "{}");
                let nested = inside.execute(call, CallOptions::new().nested_in(&cx)).await;
                assert!(!nested.result().is_error());
            }
            Ok(json!(run))
        }
    });
    registry.register(outer).unwrap().keep();
    let scope = registry.scope("main");
    assert!(!run(&scope, "outer", json!({})).await.is_error());
}
