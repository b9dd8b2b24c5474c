//! An approval counts for the call and the arguments that were shown, once, and not for ever.

use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_tools::hooks::{Approval, ApprovalRequest, PreDecision, approver_fn, pre_execute_fn};
use dsh_tools::{
    Answer, ArgumentsHash, CallOptions, Completed, OpenApprovals, RegistryBuilder, Scope, ToolCall,
    ToolRegistry,
};
use fixtures::{Trace, read, registry};
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// A registry that asks about every call, and an agent to ask for.
fn asks(
    trace: &Trace,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> (ToolRegistry, Scope) {
    let ask = pre_execute_fn(|_, _| Box::pin(async { Ok(PreDecision::ask("sure?")) }));
    let registry = registry(trace, |b| more(b.pre_execute("ask", ask)));
    let agent = registry.scope("main");
    (registry, agent)
}

async fn say(agent: &Scope, id: &str, text: &str) -> Completed {
    let call = ToolCall::new(id, "note", json!({ "text": text }));
    agent.registry().execute(call, CallOptions::new().with_scope(agent)).await
}

#[test]
fn arguments_that_say_the_same_have_the_same_hash() {
    let of = |text: &str| ArgumentsHash::of(&serde_json::from_str(text).unwrap());
    assert_eq!(of(r#"{"a":1,"b":{"c":[1,2.50]}}"#), of(r#"{ "b": {"c": [1.0, 25e-1]}, "a": 1 }"#));
    assert_ne!(of(r#"{"a":[1,2]}"#), of(r#"{"a":[2,1]}"#));
    assert_ne!(of("9007199254740993"), of("9007199254740992"));
    // RFC 8785 sorts by UTF-16 code units: a surrogate pair comes before U+FB33.
    assert_eq!(of("{\"\u{1f600}\":1,\"\u{fb33}\":2}"), of("{\"\u{fb33}\":2,\"\u{1f600}\":1}"));
    // SHA-256 of `{}`.
    assert_eq!(
        of("{}").to_string(),
        "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    );
}

/// Case 46: approving one call is not approving another of the same tool or of the same id.
#[tokio::test]
async fn case_46_an_answer_that_was_kept_lets_nothing_else_run() {
    let kept: Arc<Mutex<Option<Approval>>> = Arc::default();
    let approver = approver_fn(move |request: &ApprovalRequest| {
        // The first answer is kept and given for the next call.
        let first = kept.lock().unwrap().take();
        let answer = first.unwrap_or_else(|| request.allow_once());
        *kept.lock().unwrap() = Some(request.allow_once());
        Box::pin(async { Ok(answer) })
    });
    let trace = Trace::default();
    let (_registry, agent) = asks(&trace, |b| b.approver(approver));
    assert_eq!(read(say(&agent, "c1", "one").await.result()), "one");
    assert_eq!(
        read(say(&agent, "c1", "two").await.result()),
        "Error: the approval given for tool \"note\" belongs to another call"
    );
    assert_eq!(trace.lines(), ["body"]);
}

#[tokio::test]
async fn a_question_is_answered_by_call_and_arguments_once() {
    let trace = Trace::default();
    let approvals = OpenApprovals::new();
    let (_registry, agent) = asks(&trace, |b| b.approver(approvals.clone()));
    let person = async {
        let open = approvals.next().await;
        assert_eq!((open.agent.as_deref(), open.reason.as_deref()), (Some("main"), Some("sure?")));
        assert_eq!(open.arguments.value(), &json!({"text": "hi"}));
        let other = ArgumentsHash::of(&json!({"text": "other"}));
        let error = approvals.answer("c1", other, Answer::AllowOnce).unwrap_err();
        assert_eq!(error.to_string(), "no question about call `c1` with these arguments is open");
        approvals.answer("c2", open.arguments_hash, Answer::AllowOnce).unwrap_err();
        assert_eq!(approvals.list(), std::slice::from_ref(&open));
        approvals.answer("c1", open.arguments_hash, Answer::AllowOnce).unwrap();
        approvals.answer("c1", open.arguments_hash, Answer::AllowOnce).unwrap_err();
    };
    let (completed, ()) = tokio::join!(say(&agent, "c1", "hi"), person);
    assert_eq!(read(completed.result()), "hi");

    let person = async {
        let open = approvals.next().await;
        approvals.answer(&open.call_id, open.arguments_hash, Answer::Reject).unwrap();
    };
    let (completed, ()) = tokio::join!(say(&agent, "c2", "hi"), person);
    assert_eq!(read(completed.result()), "Error: the user rejected tool \"note\"");
    assert_eq!(trace.lines(), ["body"]);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_nobody_answers_ends_as_a_denial() {
    let trace = Trace::default();
    let approvals = OpenApprovals::new();
    let deadline = Duration::from_mins(10);
    let (_registry, agent) =
        asks(&trace, |b| b.approver(approvals.clone()).approval_deadline(deadline));
    let started = Instant::now();
    let completed = say(&agent, "c1", "hi").await;
    assert_eq!(started.elapsed(), deadline);
    assert_eq!(
        read(completed.result()),
        "Error: nobody answered whether tool \"note\" may run, so it did not"
    );
    assert!(approvals.list().is_empty(), "what nobody waits for is not open");
    assert!(trace.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_question_of_a_cancelled_call_is_withdrawn() {
    let trace = Trace::default();
    let approvals = OpenApprovals::new();
    let (registry, agent) = asks(&trace, |b| b.approver(approvals.clone()));
    let token = CancellationToken::new();
    let options = CallOptions::new().with_scope(&agent).with_cancellation(token.clone());
    let cancel = async {
        approvals.next().await;
        token.cancel();
    };
    let call = ToolCall::new("c1", "note", r#"{"text": "hi"}"#);
    let (completed, ()) = tokio::join!(registry.execute(call, options), cancel);
    assert_eq!(read(completed.result()), "Error: tool call aborted before dispatch");
    assert!(approvals.list().is_empty() && trace.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_deadline_does_not_touch_what_is_answered_in_time() {
    let trace = Trace::default();
    let slow = approver_fn(|request: &ApprovalRequest| {
        Box::pin(async {
            tokio::time::sleep(Duration::from_secs(9)).await;
            Ok(request.allow_once())
        })
    });
    let (_registry, agent) =
        asks(&trace, |b| b.approver(slow).approval_deadline(Duration::from_secs(10)));
    assert_eq!(read(say(&agent, "c1", "hi").await.result()), "hi");

    let never = approver_fn(|_| Box::pin(pending()));
    let (_registry, agent) =
        asks(&trace, |b| b.approver(never).approval_deadline(Duration::from_secs(10)));
    assert!(say(&agent, "c1", "hi").await.result().is_error());
    assert_eq!(trace.lines(), ["body"]);
}
