//! A model that makes the same call again and again is told so, and then stopped.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dsh_tools::around::{RepeatGuard, Retry};
use dsh_tools::hooks::around_fn;
use dsh_tools::{
    CallOptions, Completed, RegistryBuilder, Scope, ToolCall, ToolDefinition, ToolError,
    ToolRegistry,
};
use fixtures::{Trace, code, read};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{run_batch, steps, tool};

/// Gives its arguments back, and fails with them where they are a text.
fn echo(trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    ToolDefinition::from_fn("echo", "E.", json!({"type": "object"}), move |arguments, _| {
        trace.add("echo");
        async move {
            match arguments["fail"].as_str() {
                Some(text) => Err(ToolError::new(text.to_owned())),
                None => Ok(arguments),
            }
        }
    })
}

/// Counts its calls.
fn counter(name: &'static str) -> ToolDefinition {
    let calls = AtomicU32::new(0);
    tool(name, move |_| {
        let count = calls.fetch_add(1, Ordering::Relaxed);
        async move { Ok(json!(count)) }
    })
}

struct Agent {
    registry: ToolRegistry,
    scope: Scope,
    trace: Trace,
}

impl Agent {
    fn new(guard: RepeatGuard) -> Self {
        Self::with(|builder| builder.around("repeats", guard))
    }

    fn with(more: impl FnOnce(RegistryBuilder) -> RegistryBuilder) -> Self {
        let trace = Trace::default();
        let builder = ToolRegistry::builder().tool(echo(&trace)).tool(counter("count"));
        let registry = more(builder).build().unwrap();
        Self { scope: registry.scope("main"), registry, trace }
    }

    async fn call(&self, name: &str, arguments: &str) -> Completed {
        let options = CallOptions::new().with_scope(&self.scope);
        self.registry.execute(ToolCall::new("c", name, arguments), options).await
    }

    /// What calls of `echo` with these numbers come to.
    async fn echoes(&self, numbers: impl IntoIterator<Item = u32>) -> String {
        let mut letters = String::new();
        for number in numbers {
            let completed = self.call("echo", &json!({ "n": number }).to_string()).await;
            letters.push(letter(&completed));
        }
        letters
    }
}

/// `.` is untouched, `r` reminded, `D` denied.
fn letter(completed: &Completed) -> char {
    let result = completed.result();
    match (code(result), result.contexts().len()) {
        (Some("REPEATED_CALL"), 0) => 'D',
        (_, 0) => '.',
        (_, 1) => 'r',
        _ => '?',
    }
}

const fn times(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).unwrap()
}

#[tokio::test]
async fn the_third_time_reminds_and_after_the_sixth_nothing_runs() {
    let agent = Agent::new(RepeatGuard::new());
    assert_eq!(agent.echoes([1; 9]).await, "..rrrrDDD");
    assert_eq!(agent.trace.lines().len(), 6);
}

#[tokio::test]
async fn a_reminder_follows_the_result_and_leaves_it_as_it_is() {
    let agent = Agent::new(RepeatGuard::new());
    agent.echoes([1; 2]).await;
    let completed = agent.call("echo", r#"{"n": 1}"#).await;
    assert_eq!(read(completed.result()), r#"{"n":1}"#);
    let context = &completed.result().contexts()[0];
    assert_eq!(context.source, "repeat-guard");
    assert_eq!(
        context.content.to_string(),
        "You have called \"echo\" 3 times with the same arguments, and the result was the same \
         each time. Do not make this call again: change the arguments, use another tool, or say \
         what keeps you from going on."
    );
    assert_eq!(
        steps(&completed),
        ["echo: ok", "repeats: reminded: 3 times in a row", "repeats: ok"]
    );
}

#[tokio::test]
async fn a_denial_says_what_to_do() {
    let agent = Agent::new(RepeatGuard::new());
    agent.echoes([1; 6]).await;
    let completed = agent.call("echo", r#"{"n": 1}"#).await;
    assert_eq!(completed.result().error().unwrap().info().unwrap().name, "RepeatError");
    assert_eq!(
        read(completed.result()),
        "Error: tool \"echo\" was called 6 times with the same arguments, and the result was the \
         same each time, so it was not run again; do something else first"
    );
    assert_eq!(steps(&completed), ["repeats: error (REPEATED_CALL)"]);
}

#[tokio::test]
async fn arguments_are_the_same_however_they_are_written() {
    let agent = Agent::new(RepeatGuard::new());
    let mut letters = String::new();
    for arguments in [r#"{"a": 1, "b": 2}"#, r#"{"b":2,"a":1}"#, r#"{"a":1.0,"b":2}"#] {
        letters.push(letter(&agent.call("echo", arguments).await));
    }
    // What is read differs here, as `echo` gives the arguments back as they were written.
    assert_eq!(letters, "...");
    let mut letters = String::new();
    for arguments in
        [r#"{"fail": "x", "b": 2}"#, r#"{"b":2,"fail":"x"}"#, r#"{"b":2.0,"fail":"x"}"#]
    {
        letters.push(letter(&agent.call("echo", arguments).await));
    }
    assert_eq!(letters, "..r");
}

#[tokio::test]
async fn something_new_begins_all_counts_anew() {
    let agent = Agent::new(RepeatGuard::new());
    assert_eq!(agent.echoes([1, 1, 2, 1, 1, 3, 1, 1, 4, 1, 1]).await, "...........");
    // A change before each run of the tests: the runs may all fail alike.
    assert_eq!(agent.echoes([0, 10, 0, 11, 0, 12, 0, 13, 0, 14, 0, 15, 0]).await, ".".repeat(13));
}

#[tokio::test]
async fn a_denied_call_runs_again_after_something_new() {
    let agent = Agent::new(RepeatGuard::new());
    assert_eq!(agent.echoes([1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1]).await, "..rrrrD...r");
}

#[tokio::test]
async fn taking_turns_is_no_way_out() {
    let agent = Agent::new(RepeatGuard::new());
    // The first 2 is something new, so the first 1 does not count.
    assert_eq!(
        agent.echoes([1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1]).await,
        ".....rrrrrrrrDD"
    );
    let agent = Agent::new(RepeatGuard::new());
    assert_eq!(agent.echoes((0..16).map(|n| n % 4)).await, "...........rrrrr");
}

#[tokio::test]
async fn a_round_that_is_longer_than_the_window_is_not_noticed() {
    let agent = Agent::new(RepeatGuard::new());
    assert_eq!(agent.echoes((0..50).map(|n| n % 5)).await, ".".repeat(50));
    let window = NonZeroUsize::new(5).unwrap();
    let agent = Agent::new(RepeatGuard::new().with_window(window));
    assert!(agent.echoes((0..50).map(|n| n % 5)).await.ends_with('D'));
    let agent = Agent::new(RepeatGuard::new().with_window(NonZeroUsize::MIN));
    assert_eq!(agent.echoes([1, 2, 1, 2, 1, 2, 1, 2, 2, 2]).await, ".........r");
}

#[tokio::test]
async fn another_result_begins_anew() {
    let agent = Agent::new(RepeatGuard::new());
    for _ in 0..20 {
        assert_eq!(letter(&agent.call("count", "{}").await), '.');
    }
}

#[tokio::test]
async fn failures_count_too_and_so_do_names_that_no_tool_has() {
    let agent = Agent::new(RepeatGuard::new());
    for name in ["echo", "nope"] {
        let mut letters = String::new();
        for _ in 0..7 {
            letters.push(letter(&agent.call(name, r#"{"fail": "no such file"}"#).await));
        }
        assert_eq!(letters, "..rrrrD", "{name}");
    }
}

#[tokio::test]
async fn the_same_arguments_for_another_tool_are_another_call() {
    let agent = Agent::with(|builder| {
        builder.tool(fixtures::constant("other", json!({}))).around("repeats", RepeatGuard::new())
    });
    assert_eq!(agent.echoes([1; 2]).await, "..");
    assert_eq!(letter(&agent.call("other", r#"{"n": 1}"#).await), '.');
}

#[tokio::test]
async fn the_host_says_how_often() {
    let guard = RepeatGuard::new().with_remind_after(times(2)).with_deny_after(times(3));
    assert_eq!(Agent::new(guard).echoes([1; 5]).await, ".rrDD");
    let silent = RepeatGuard::new().with_remind_after(NonZeroU32::MAX).with_deny_after(times(1));
    assert_eq!(Agent::new(silent).echoes([1; 3]).await, ".DD");
    let exempt = RepeatGuard::new().with_exception("echo");
    assert_eq!(Agent::new(exempt).echoes([1; 9]).await, ".........");
}

#[tokio::test]
async fn each_scope_has_its_own_counts() {
    let one = Agent::new(RepeatGuard::new());
    let other = Agent {
        registry: one.registry.clone(),
        scope: one.registry.scope("main"),
        trace: one.trace.clone(),
    };
    assert_eq!(one.echoes([1; 3]).await, "..r");
    assert_eq!(other.echoes([1; 3]).await, "..r");
    assert_eq!(one.echoes([1; 1]).await, "r");
    // Calls for nobody are a history of their own.
    let call = || ToolCall::new("c", "echo", r#"{"n": 1}"#);
    let completed = one.registry.execute(call(), CallOptions::new()).await;
    assert_eq!(letter(&completed), '.');
}

#[tokio::test]
async fn what_is_remembered_is_bounded_and_goes_with_its_scope() {
    let guard = RepeatGuard::new();
    let Agent { registry, scope, trace } = Agent::new(guard.clone());
    for index in 0..100 {
        let agent = Agent {
            registry: registry.clone(),
            scope: registry.scope(format!("agent {index}")),
            trace: trace.clone(),
        };
        agent.echoes(0..50).await;
    }
    // The last of those that ended is kept until the next one comes.
    assert!(format!("{guard:?}").contains("Histories { scopes: 1, calls: 4 }"), "{guard:?}");
    let agent = Agent { registry, scope, trace };
    agent.echoes([1]).await;
    assert!(format!("{guard:?}").contains("Histories { scopes: 1, calls: 1 }"), "{guard:?}");
}

#[tokio::test]
async fn nested_calls_are_not_the_models() {
    let shared = Arc::new(OnceLock::<ToolRegistry>::new());
    let registry = Arc::clone(&shared);
    let polls = tool("polls", move |cx| {
        let registry = registry.get().unwrap().clone();
        async move {
            for _ in 0..9 {
                let options = CallOptions::new().nested_in(&cx);
                let call = ToolCall::new("n", "echo", r#"{"n": 1}"#);
                let completed = registry.execute(call, options).await;
                assert_eq!(letter(&completed), '.');
            }
            Ok(json!("done"))
        }
    });
    let agent = Agent::with(|builder| builder.tool(polls).around("repeats", RepeatGuard::new()));
    shared.set(agent.registry.clone()).unwrap();
    assert_eq!(read(agent.call("polls", "{}").await.result()), "done");
    assert_eq!(agent.trace.lines().len(), 9);
}

#[tokio::test]
async fn cancelled_calls_do_not_count() {
    let cancelled = around_fn(|_, next| {
        let token = CancellationToken::new();
        token.cancel();
        next.run_with(token)
    });
    let agent = Agent::with(|builder| {
        builder.around("repeats", RepeatGuard::new()).around("cancelled", cancelled)
    });
    for _ in 0..9 {
        let completed = agent.call("echo", "{}").await;
        assert_eq!(code(completed.result()), Some("ABORTED_BEFORE_DISPATCH"));
        assert_eq!(letter(&completed), '.');
    }
}

#[tokio::test(start_paused = true)]
async fn outside_of_a_retry_all_attempts_are_one_call() {
    let busy =
        tool("busy", |_| async { Err(ToolError::new("busy").with_retry_after(Duration::ZERO)) });
    let agent = Agent::with(|builder| {
        builder.tool(busy).around("repeats", RepeatGuard::new()).around("retry", Retry::new())
    });
    let mut letters = String::new();
    for _ in 0..7 {
        letters.push(letter(&agent.call("busy", "{}").await));
    }
    assert_eq!(letters, "..rrrrD");
}

#[tokio::test]
async fn calls_of_one_batch_count_as_they_end() {
    let same = tool("same", |_| async { Ok(json!("same")) });
    let registry =
        ToolRegistry::builder().tool(same).around("repeats", RepeatGuard::new()).build().unwrap();
    let outcome = run_batch(&registry, &["same"; 6]).await;
    assert!(outcome.iter().all(|one| one.ends_with("same")), "{outcome:?}");
    assert_eq!(run_batch(&registry, &["same"]).await, ["0 REPEATED_CALL"]);
}
