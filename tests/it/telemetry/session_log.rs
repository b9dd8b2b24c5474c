//! The events of a call in the log of its session: one of each kind, whatever happens to the call.

use std::sync::Arc;
use std::time::Duration;

use dsh_tools::hooks::{PreDecision, pre_execute_fn};
use dsh_tools::log::{Event, JsonLines, SessionLog, read_json_lines, session_log_fn};
use dsh_tools::{
    Batch, CallOptions, ErrorInfo, Execution, ToolCall, ToolDefinition, ToolError, ToolRegistry,
};
use fixtures::{Trace, constant, read, registry, run_batch, say};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use tracing::Level;

use super::Recording;
use super::disk::Disk;

fn logged(log: impl SessionLog) -> CallOptions {
    CallOptions::new().with_log(Arc::new(log))
}

fn to_disk() -> (Disk, CallOptions) {
    let disk = Disk::default();
    (disk.clone(), logged(JsonLines::new(disk)))
}

fn events(disk: &Disk) -> Vec<Event> {
    let text = disk.text();
    read_json_lines(text.as_bytes()).map(|line| line.unwrap().record().unwrap()).collect()
}

/// Every event as `call <id>` or `result <id>` with its code.
fn summary(events: &[Event]) -> Vec<String> {
    let one = |event: &Event| match event {
        Event::Call(call) => format!("call {}", call.call_id),
        Event::Result(result) => {
            let code = result.error.as_ref().map_or("-", |error| error.code.as_str());
            format!("result {} {code}", result.call_id)
        }
        other => panic!("{other:?}"),
    };
    events.iter().map(one).collect()
}

fn object(
    name: &'static str,
    body: impl Fn() -> dsh_tools::ToolResult<serde_json::Value> + Send + Sync + 'static,
) -> ToolDefinition {
    ToolDefinition::from_fn(name, "For a test.", json!({"type": "object"}), move |_, _| {
        let result = body();
        async move { result }
    })
}

#[tokio::test(start_paused = true)]
async fn a_call_leaves_two_events_with_the_arguments_as_sent_and_never_the_value() {
    let (disk, options) = to_disk();
    let tool =
        object("secretive", || Ok(json!({"seen": "v4lue"}))).with_render(|_, _| "nothing to see");
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let options = options.with_scope(&registry.scope("main"));
    registry.execute(ToolCall::new("c1", "secretive", r#"{ "a": 1 }"#), options.clone()).await;
    registry.execute(ToolCall::new("c2", "secretive", json!({"a": 1})), CallOptions::new()).await;
    assert_eq!(
        disk.text(),
        r#"{"type":"tool/call","callId":"c1","rootCallId":"c1","name":"secretive","arguments":"{ \"a\": 1 }","agent":"main"}
{"type":"tool/result","callId":"c1","content":[{"type":"text","text":"nothing to see"}],"isError":false,"tookMicros":0}
"#
    );
    registry.execute(ToolCall::new("c3", "secretive", json!({"a": 1})), options).await;
    let Event::Call(call) = &events(&disk)[2] else { panic!("a call comes first") };
    assert_eq!(call.arguments, r#"{"a":1}"#);
}

#[tokio::test]
async fn a_failure_is_logged_with_its_code_and_the_reason_for_the_user() {
    let (disk, options) = to_disk();
    let error = ToolError::new("no").with_code("NO").with_reason("the disk of the user is full");
    let tool = object("fails", move || Err(error.clone()));
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    registry.execute(ToolCall::new("c1", "fails", "{}"), options).await;
    let Event::Result(result) = &events(&disk)[1] else { panic!("a result comes last") };
    assert!(result.is_error);
    assert_eq!(result.content.to_string(), "Error: no");
    let Some(ErrorInfo { name, code, reason }) = &result.error else { panic!("{result:?}") };
    assert_eq!((&**name, code.as_str()), ("ToolError", "NO"));
    assert_eq!(reason.as_deref(), Some("the disk of the user is full"));
}

#[tokio::test]
async fn every_way_in_which_a_call_ends_leaves_one_event_of_each_kind() {
    let (disk, options) = to_disk();
    let trace = Trace::default();
    let registry = registry(&trace, |b| {
        b.tool(object("panics", || panic!("no")))
            .guard("no secrets", |execution: &Execution| {
                Ok((execution.arguments()["text"] == "secret").then(|| "never".to_owned()))
            })
            .pre_execute(
                "breaks",
                pre_execute_fn(|execution, next| match execution.call_id() {
                    "broken" => panic!("no"),
                    _ => next.run(),
                }),
            )
    });
    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let text = |id: &str, text: &str| ToolCall::new(id, "note", json!({ "text": text }));
    for call in [
        text("fine", "hi"),
        text("denied", "secret"),
        text("broken", "hi"),
        ToolCall::new("unknown", "nope", "{}"),
        ToolCall::new("panics", "panics", "{}"),
        ToolCall::new("wrong", "note", "{}"),
        ToolCall::new("garbage", "note", "{\"te"),
        ToolCall::new("lossy", "note", "{\"text\": -0}"),
    ] {
        registry.execute(call, options.clone()).await;
    }
    registry.execute(text("late", "hi"), options.with_cancellation(cancelled)).await;
    assert_eq!(
        summary(&events(&disk)),
        [
            "call fine",
            "result fine -",
            "call denied",
            "result denied -",
            "call broken",
            "result broken PANICKED",
            "call unknown",
            "result unknown UNKNOWN_TOOL",
            "call panics",
            "result panics PANICKED",
            "call wrong",
            "result wrong INVALID_ARGS",
            "call garbage",
            "result garbage INVALID_ARGS",
            "call lossy",
            "result lossy -",
            "call late",
            "result late ABORTED_BEFORE_DISPATCH",
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_batch_logs_results_in_call_order_also_of_calls_that_it_never_started() {
    let (disk, options) = to_disk();
    let cancellation = CancellationToken::new();
    let cancel = cancellation.clone();
    let slow = ToolDefinition::from_fn("slow", "S.", json!({"type": "object"}), |_, _| async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        Ok(json!(1))
    });
    let registry = ToolRegistry::builder()
        .tool(slow.with_parallel(true))
        .tool(constant("quick", json!(1)).with_parallel(true))
        .tool(object("cancels", move || {
            cancel.cancel();
            Err("stopped".into())
        }))
        .build()
        .unwrap();
    let calls = [("1", "slow"), ("2", "quick"), ("3", "cancels"), ("4", "quick"), ("5", "nope")];
    let calls = calls.map(|(id, name)| ToolCall::new(id, name, "{}"));
    let batch = Batch::new(calls).with_options(options.with_cancellation(cancellation));
    run_batch(&registry, batch).await;
    assert_eq!(
        summary(&events(&disk)),
        [
            "call 1",
            "call 2",
            "result 1 -",
            "result 2 -",
            "call 3",
            "result 3 -",
            "call 4",
            "result 4 ABORTED_BEFORE_DISPATCH",
            "call 5",
            "result 5 ABORTED_BEFORE_DISPATCH",
        ]
    );
}

#[tokio::test]
async fn the_call_is_logged_before_policy_and_the_result_after_observers() {
    let trace = Trace::default();
    let log = trace.clone();
    let log = session_log_fn(move |event| {
        let kind = if matches!(event, Event::Call(_)) { "call" } else { "result" };
        log.add(format!("log {kind}"));
        Box::pin(async { Ok(()) })
    });
    let policy = trace.clone();
    let policy = pre_execute_fn(move |_, _| {
        policy.add("policy");
        Box::pin(async { Ok(PreDecision::Allow) })
    });
    let registry = registry(&trace, |b| b.pre_execute("p", policy).observe("o", trace.observer()));
    registry.execute(say("hi"), logged(log)).await;
    assert_eq!(trace.lines(), ["log call", "policy", "body", "result c1 ok", "log result"]);
}

#[tokio::test]
async fn calls_below_a_body_are_not_logged_unless_they_are_given_a_log() {
    let (disk, options) = to_disk();
    let inside = ToolRegistry::builder().tool(constant("inner", json!(1))).build().unwrap();
    let (registry, again) = (inside.clone(), options.clone());
    let outer = ToolDefinition::from_fn("outer", "O.", json!({"type": "object"}), move |_, cx| {
        let (inside, again) = (inside.clone(), again.clone());
        async move {
            let inner = |id| ToolCall::new(id, "inner", "{}");
            inside.execute(inner("c2"), CallOptions::new().nested_in(&cx)).await;
            inside.execute(inner("c3"), again.nested_in(&cx)).await;
            Ok(json!(1))
        }
    });
    registry.register(outer).unwrap().keep();
    registry.execute(ToolCall::new("c1", "outer", "{}"), options).await;
    let events = events(&disk);
    assert_eq!(summary(&events), ["call c1", "call c3", "result c3 -", "result c1 -"]);
    let Event::Call(nested) = &events[1] else { panic!("a call comes first") };
    assert_eq!(nested.root_call_id, "c1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_calls_leave_whole_lines_and_each_call_comes_before_its_result() {
    let (disk, options) = to_disk();
    let tool = constant("quick", json!("x".repeat(5000))).with_parallel(true);
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let batches = (0..4).map(|batch| {
        let calls = (0..25).map(|n| ToolCall::new(format!("{batch}.{n}"), "quick", "{}"));
        let batch = Batch::new(calls.collect::<Vec<_>>()).with_options(options.clone());
        let registry = registry.clone();
        tokio::spawn(async move { run_batch(&registry, batch).await })
    });
    for batch in batches.collect::<Vec<_>>() {
        batch.await.unwrap();
    }
    let lines = summary(&events(&disk));
    assert_eq!(lines.len(), 200);
    for id in (0..4).flat_map(|batch| (0..25).map(move |n| format!("{batch}.{n}"))) {
        let place = |line: String| lines.iter().position(|other| *other == line).unwrap();
        assert!(place(format!("call {id}")) < place(format!("result {id} -")));
    }
}

#[tokio::test]
async fn a_log_that_fails_or_panics_is_reported_and_fails_no_call() {
    let (recording, _guard) = Recording::start(Level::ERROR);
    let registry = registry(&Trace::default(), |b| b);
    let (disk, options) = to_disk();
    disk.set_full(true);
    assert_eq!(read(registry.execute(say("hi"), options.clone()).await.result()), "hi");
    disk.set_full(false);
    registry.execute(say("hi"), options).await;
    let torn = read_json_lines::<Event>(disk.text().as_bytes())
        .filter(|line| matches!(line, Ok(line) if line.clone().record().is_none()))
        .count();
    assert_eq!((torn, disk.lines()), (2, 4));

    let panicking = logged(session_log_fn(|_| panic!("no")));
    assert_eq!(read(registry.execute(say("hi"), panicking).await.result()), "hi");
    let missing = |cause| {
        format!("ERROR : an event is missing in the session log: {cause} {{\"call\": \"c1\"}}")
    };
    let panicked = "the session log panicked, which is a defect in it and not in the call";
    let reported = recording.events();
    assert_eq!(reported.iter().filter(|line| **line == missing("no space left")).count(), 2);
    assert_eq!(reported.iter().filter(|line| **line == missing(panicked)).count(), 2);
}
