//! Whole batches of one model step.
//!
//! How steps of calls that overlap interleave is nobody's promise, so traces and logs are compared by
//! what is promised: the order within a call, the order of calls and of results, and that exclusive
//! calls stand alone.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_tools::log::{Event, session_log_fn};
use dsh_tools::{Batch, CallOptions, Completed, Context, NativeExecutor, ToolCall};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::{list, set_up, text};

pub(super) async fn play(input: &Value) -> Value {
    let world = set_up(input);
    let max_parallel = input["max_parallel"].as_u64().and_then(|cap| usize::try_from(cap).ok());
    let max_parallel = max_parallel.and_then(NonZeroUsize::new).expect("a batch has a cap");
    let executor = NativeExecutor::new().with_max_parallel(max_parallel);
    let _mounted = world.registry().executor(executor).expect("the only one");

    let token = CancellationToken::new();
    world.set_caller(token.clone());
    if input["aborted"] == true {
        token.cancel();
    }
    let (log, logged) = log();
    let options = CallOptions::new()
        .with_scope(&world.agents.get("main"))
        .with_cancellation(token.clone())
        .with_log(log);
    let calls = list(&input["calls"]).iter().map(|call| {
        ToolCall::new(text(&call["call_id"]), text(&call["tool"]), text(&call["arguments_text"]))
    });
    let batch = Batch::new(calls).with_options(options);
    let abort = async {
        if let Some(after) = input["abort_after_ms"].as_u64() {
            tokio::time::sleep(Duration::from_millis(after)).await;
            token.cancel();
        }
    };
    let (outcome, ()) = tokio::join!(world.registry().execute_batch(batch), abort);
    let outcome = outcome.expect("an executor is mounted and the log holds");
    let contexts = outcome.results.iter().flat_map(|completed| completed.result().contexts());
    json!({
        "results": outcome.results.iter().map(written).collect::<Vec<_>>(),
        "contexts": contexts.map(context).collect::<Vec<_>>(),
        "concluded": outcome.concluded,
        "log": *logged.lock().expect("not poisoned"),
        "trace": world.lines(),
    })
}

/// A log that notes which event of which call came.
fn log() -> (Arc<dyn dsh_tools::log::SessionLog>, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&lines);
    let log = session_log_fn(move |event: &Event| {
        let kind = if matches!(event, Event::Call(_)) { "call" } else { "result" };
        seen.lock().expect("not poisoned").push(format!("{kind} {}", event.call_id()));
        Box::pin(async { Ok(()) })
    });
    (Arc::new(log), lines)
}

fn written(completed: &Completed) -> Value {
    let result = completed.result();
    let mut written = Map::new();
    written.insert("call_id".into(), completed.call_id().into());
    written.insert("isError".into(), result.is_error().into());
    written.insert("content".into(), json!(result.content()));
    if let Some(info) = result.error().and_then(|error| error.info()) {
        written.insert("info".into(), json!({"name": info.name, "code": info.code}));
    }
    if let Some(meta) = result.meta() {
        written.insert("meta".into(), meta.clone());
    }
    Value::Object(written)
}

fn context(context: &Context) -> Value {
    json!(context)
}

/// What happened in the form in which it is compared.
pub(super) fn settled(happened: &Value, input: &Value) -> Value {
    let mut settled = happened.clone();
    if let Some(log) = happened["log"].as_array() {
        settled["log"] = by_order(log, input);
    }
    if let Some(trace) = happened["trace"].as_array() {
        settled["trace"] = by_call(trace);
    }
    settled
}

/// The order of the calls, that of the results, and what came between the two of exclusive calls.
fn by_order(log: &[Value], input: &Value) -> Value {
    let of = |kind: &str| -> Vec<&str> {
        log.iter().filter_map(|line| text(line).strip_prefix(kind)).collect()
    };
    let place = |line: String| log.iter().position(|other| *other == line);
    let mut alone = Vec::new();
    for call in list(&input["calls"]) {
        let id = text(&call["call_id"]);
        let (begun, ended) = (place(format!("call {id}")), place(format!("result {id}")));
        let tool = list(&input["tools"]).iter().find(|tool| tool["name"] == call["tool"]);
        let is_parallel = tool.is_some_and(|tool| tool["concurrency_safe"] == true);
        alone.push(json!({
            "id": id,
            "ends_after_it_begins": begun < ended,
            "alone": (!is_parallel).then(|| begun.zip(ended).map(|(begun, ended)| ended - begun)),
        }));
    }
    json!({"calls": of("call "), "results": of("result "), "each": alone})
}

/// The lines of each call in order, and how often each line came that belongs to no call.
pub(super) fn by_call(trace: &[Value]) -> Value {
    let mut calls: Map<String, Value> = Map::new();
    for line in trace.iter().map(text) {
        if let Some((id, what)) = line.split_once(' ').filter(|(id, _)| id.starts_with('c')) {
            let lines = calls.entry(id).or_insert_with(|| json!([]));
            lines.as_array_mut().expect("it is made as a list").push(what.into());
        } else {
            let count = calls.entry(line).or_insert_with(|| json!(0));
            *count = json!(count.as_u64().unwrap_or_default() + 1);
        }
    }
    calls.sort_keys();
    Value::Object(calls)
}
