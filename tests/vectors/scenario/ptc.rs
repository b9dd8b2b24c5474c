//! One call of `run_code`, whose program the engine runs, or a stand-in for it carries out.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_tools::log::{Event, SessionLog, session_log_fn};
use dsh_tools::ptc::{Budgets, PtcExecutor, QuickJs};
use dsh_tools::{Batch, CallOptions, ToolCall};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::program::Script;
use super::{batch, list, parts, set_up, text};

/// Carries out the program as data.
pub(super) async fn play_script(input: &Value) -> Value {
    play(input, PtcExecutor::new(Script(list(&input["script"]).to_vec()))).await
}

/// Runs the program in the engine.
pub(super) async fn play_program(input: &Value) -> Value {
    play(input, PtcExecutor::new(QuickJs::new())).await
}

async fn play(input: &Value, executor: PtcExecutor) -> Value {
    let mut input = input.clone();
    input["agents"] = json!(["main"]);
    let input = &input;
    let world = set_up(input);
    let mut executor = executor.with_budgets(budgets(input));
    if let Some(cap) = input["max_parallel"].as_u64() {
        let cap = usize::try_from(cap).ok().and_then(NonZeroUsize::new).expect("a cap");
        executor = executor.with_max_parallel_calls(cap);
    }
    let _mounted = world.registry().executor(executor).expect("the only one");

    let token = CancellationToken::new();
    world.set_caller(token.clone());
    if input["call"]["aborted"] == true {
        token.cancel();
    }
    let (log, dispatches) = log();
    let mut options = CallOptions::new().with_cancellation(token);
    if input["agentless"] != true {
        options = options.with_scope(&world.agents.get("main")).with_log(log);
    }
    let source = input["program"]["source"].as_str().unwrap_or("nobody reads it");
    let written = json!({"description": input["description"], "code": source});
    let arguments = input.get("arguments").cloned().unwrap_or(written);
    let batch = Batch::new([ToolCall::new("c1", "run_code", arguments)]).with_options(options);
    let outcome = world.registry().execute_batch(batch).await.expect("an executor is mounted");

    let mut happened = parts::written(outcome.results[0].result());
    happened["dispatches"] = json!(*dispatches.lock().expect("not poisoned"));
    happened["trace"] = world.lines().into();
    happened
}

fn budgets(input: &Value) -> Budgets {
    let limit = |name: &str| input["limits"][name].as_u64();
    let mut budgets = Budgets::default();
    if let Some(wall) = limit("maxWallMs") {
        budgets = budgets.with_wall(Duration::from_millis(wall));
    }
    if let Some(bytes) = limit("maxOutputBytes") {
        budgets = budgets.with_output_bytes(bytes);
    }
    budgets
}

/// A log that keeps what programs called and what came of it.
fn log() -> (Arc<dyn SessionLog>, Arc<Mutex<Vec<Value>>>) {
    let events = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&events);
    let log = session_log_fn(move |event: &Event| {
        let event = match event {
            Event::ProgramCall(call) => Some(json!({
                "event": "start",
                "sub_call_id": call.sub_call_id,
                "name": call.name,
                "arguments": call.arguments,
            })),
            Event::ProgramResult(result) => Some(json!({
                "event": "settle",
                "sub_call_id": result.call.sub_call_id,
                "name": result.call.name,
                "arguments": result.call.arguments,
                "isError": result.is_error,
                "content": result.content,
            })),
            _ => None,
        };
        seen.lock().expect("not poisoned").extend(event);
        Box::pin(async { Ok(()) })
    });
    (Arc::new(log), events)
}

/// What happened, as far as it is fixed, in the form in which it is compared.
pub(super) fn settled(happened: &Value, expect: &Value) -> Value {
    let mut settled = happened.clone();
    let Some(members) = settled.as_object_mut() else { return settled };
    if let Some(expected) = expect.get("failure") {
        let told = match happened.get("failure") {
            Some(failure) => told(failure),
            None => text(&happened["error"]["message"]).to_owned(),
        };
        // A token has no reason to tell.
        let told = told.replace("(abort): stop", "(abort): the run was cancelled");
        let may_continue = expected["message_may_continue"] == true;
        let told = if may_continue { first_line_and_captured(&told) } else { told };
        members.insert("failure".into(), told.into());
    }
    if !expect["content"].is_array() || expect["failure"]["kind"] == "abort" {
        members.remove("content");
    }
    if expect["error"].get("message").is_none()
        && let Some(error) = members.get_mut("error").and_then(Value::as_object_mut)
    {
        error.remove("message");
    }
    let contexts = members.get_mut("additionalContexts").and_then(Value::as_array_mut);
    for context in contexts.into_iter().flatten() {
        if context["source"] == "$executor" {
            context["source"] = "ptc-mode".into();
        }
    }
    let (mut starts, mut settles) = (Vec::new(), Vec::new());
    for event in list(&happened["dispatches"]) {
        let mut event = event.clone();
        event.as_object_mut().expect("an event has members").remove("error");
        let of_kind = if event["event"] == "start" { &mut starts } else { &mut settles };
        of_kind.push(event);
    }
    members.insert("dispatches".into(), json!({"starts": starts, "settles": settles}));
    members.insert("trace".into(), batch::by_call(list(&happened["trace"])));
    members.sort_keys();
    settled
}

/// The message of a failed run, as a model reads it.
fn told(failure: &Value) -> String {
    let (kind, message) = (text(&failure["kind"]), text(&failure["message"]));
    let captured = failure["captured"].as_str();
    let captured = captured.map(|printed| format!("\nCaptured output:\n{printed}"));
    format!("code run failed ({kind}): {message}{}", captured.unwrap_or_default())
}

/// The same without what may follow a message, a stack for example.
fn first_line_and_captured(told: &str) -> String {
    let (message, captured) = told.split_once("\nCaptured").unwrap_or((told, ""));
    format!("{}\n{captured}", message.lines().next().unwrap_or_default())
}
