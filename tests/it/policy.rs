//! Policy before a call: it fails closed, and nothing goes round it.

use dsh_tools::hooks::{
    Approval, ApprovalRequest, BoxFuture, PreDecision, PreExecute, PreNext, approver_fn,
    pre_execute_fn,
};
use dsh_tools::{Batch, CallOptions, Execution, RegistryBuilder, Stage, ToolError, ToolResult};
use fixtures::{Trace, code, read, registry, run, run_batch, say};

fn decides(decision: PreDecision) -> impl PreExecute {
    pre_execute_fn(move |_, _| {
        let decision = decision.clone();
        Box::pin(async move { Ok(decision) })
    })
}

type Answer = fn(&ApprovalRequest) -> Approval;

fn answers(answer: Answer) -> impl dsh_tools::hooks::Approver {
    approver_fn(move |request| {
        assert_eq!((request.tool_name(), request.call_id()), ("note", "c1"));
        assert_eq!((request.agent(), request.reason()), (Some("main"), Some("it is late")));
        assert_eq!(request.arguments()["text"], "hi");
        Box::pin(async move { Ok(answer(request)) })
    })
}

async fn outcome(more: impl FnOnce(RegistryBuilder) -> RegistryBuilder) -> (String, Vec<String>) {
    let trace = Trace::default();
    let registry = registry(&trace, more);
    (read(run(&registry, say("hi")).await.result()), trace.lines())
}

#[tokio::test]
async fn a_denial_is_a_result_and_the_body_does_not_run() {
    let (text, ran) =
        outcome(|b| b.pre_execute("p", decides(PreDecision::deny("not today")))).await;
    assert_eq!(text, "Error: not today");
    assert!(ran.is_empty());
}

#[tokio::test]
async fn the_first_hook_is_the_outermost() {
    let trace = Trace::default();
    let note = |name: &'static str| {
        let trace = trace.clone();
        pre_execute_fn(move |_, next| boxed_note(trace.clone(), name, next))
    };
    let registry = registry(&trace, |b| {
        b.pre_execute("a", note("a")).pre_execute("b", note("b")).pre_execute("c", note("c"))
    });
    let completed = run(&registry, say("hi")).await;
    assert_eq!(trace.lines(), ["a in", "b in", "c in", "c out", "b out", "a out", "body"]);
    let by: Vec<_> = completed.record().steps().iter().map(|step| &*step.by).collect();
    assert_eq!(by, ["c", "b", "a", "note"]);
}

fn boxed_note<'a>(
    trace: Trace,
    name: &'static str,
    next: PreNext<'a>,
) -> BoxFuture<'a, ToolResult<PreDecision>> {
    Box::pin(async move {
        trace.add(format!("{name} in"));
        let decision = next.run().await;
        trace.add(format!("{name} out"));
        decision
    })
}

#[tokio::test]
async fn a_question_needs_a_clear_yes() {
    let ask = || decides(PreDecision::ask("it is late"));
    let asked = async |answer: Answer| {
        outcome(|b| b.pre_execute("p", ask()).approver(answers(answer))).await
    };
    let (text, ran) = asked(ApprovalRequest::allow_once).await;
    assert_eq!((text.as_str(), ran.len()), ("hi", 1));
    let refusals: [(Answer, &str); 3] = [
        (|_| Approval::Rejected, "the user rejected tool \"note\""),
        (|_| Approval::Cancelled, "approval for tool \"note\" was cancelled"),
        (
            |_| Approval::Unavailable,
            "tool \"note\" requires approval, but no approval channel is available",
        ),
    ];
    for (answer, expected) in refusals {
        let (text, ran) = asked(answer).await;
        assert_eq!(text, format!("Error: {expected}"));
        assert!(ran.is_empty());
    }
    let (text, ran) = outcome(|b| b.pre_execute("p", ask())).await;
    assert_eq!(
        text,
        "Error: it is late (tool \"note\" requires approval, and nobody is there to give it)"
    );
    assert!(ran.is_empty());
}

#[tokio::test]
async fn a_question_on_nobodys_behalf_is_a_denial() {
    let trace = Trace::default();
    let registry = registry(&trace, |b| {
        b.pre_execute("p", decides(PreDecision::ask("it is late")))
            .approver(answers(ApprovalRequest::allow_once))
    });
    let completed = registry.execute(say("hi"), CallOptions::new()).await;
    assert_eq!(
        read(completed.result()),
        "Error: tool \"note\" requires approval, but the call has no agent to route it through"
    );
    assert!(trace.lines().is_empty());
}

#[tokio::test]
async fn guards_run_after_an_approval_and_can_only_deny() {
    let (text, ran) = outcome(|b| {
        b.pre_execute("p", decides(PreDecision::ask("it is late")))
            .approver(answers(ApprovalRequest::allow_once))
            .guard("silent", |_: &Execution| Ok(None))
            .guard("denies", |_: &Execution| Ok(Some("never".into())))
            .guard("unasked", |_: &Execution| -> ToolResult<Option<String>> { panic!("asked") })
    })
    .await;
    assert_eq!(text, "Error: never");
    assert!(ran.is_empty());
}

#[tokio::test]
async fn what_breaks_in_policy_denies() {
    let broken_hook = pre_execute_fn(|_, _| {
        Box::pin(async { Err(ToolError::new("no database").with_code("DB")) })
    });
    let (text, ran) = outcome(|b| b.pre_execute("p", broken_hook)).await;
    assert_eq!((text.as_str(), ran.len()), ("Error: no database", 0));

    let panicking = pre_execute_fn(|_, _| panic!("before the future"));
    let (text, ran) = outcome(|b| b.pre_execute("p", panicking)).await;
    assert!(text.contains("a policy hook panicked"), "{text}");
    assert!(ran.is_empty());

    let (text, ran) = outcome(|b| b.guard("g", |_: &Execution| Err("no file".into()))).await;
    assert_eq!((text.as_str(), ran.len()), ("Error: no file", 0));

    let (text, ran) =
        outcome(|b| b.guard("g", |_: &Execution| -> ToolResult<_> { panic!("no") })).await;
    assert!(text.contains("a guard panicked"), "{text}");
    assert!(ran.is_empty());

    let approver = approver_fn(|_| panic!("no"));
    let (text, ran) =
        outcome(|b| b.pre_execute("p", decides(PreDecision::ask("it is late"))).approver(approver))
            .await;
    assert!(text.contains("the approver panicked"), "{text}");
    assert!(ran.is_empty());
}

#[tokio::test]
async fn no_entry_point_goes_round_a_guard() {
    let trace = Trace::default();
    let registry = registry(&trace, |b| b.guard("all", |_: &Execution| Ok(Some("no".into()))));
    let single = run(&registry, say("hi")).await;
    let staged = registry.prepare(say("hi"), CallOptions::new()).await;
    assert!(!staged.is_admitted());
    let staged = staged.dispatch().await.complete().await;
    let batch = run_batch(&registry, Batch::new([say("hi")])).await;
    for completed in [&single, &staged, &batch.results[0]] {
        assert_eq!(read(completed.result()), "Error: no");
        assert_eq!(completed.record().steps().last().unwrap().stage, Stage::Guard);
    }
    assert!(trace.lines().is_empty());
}

#[tokio::test]
async fn hooks_come_and_go_with_their_handles() {
    let trace = Trace::default();
    let registry = registry(&trace, |b| b);
    let guard = registry.guard("no", |_: &Execution| Ok(Some("no".into())));
    assert_eq!(read(run(&registry, say("hi")).await.result()), "Error: no");
    drop(guard);
    assert_eq!(read(run(&registry, say("hi")).await.result()), "hi");

    let hook = registry.pre_execute("no", decides(PreDecision::Cancel));
    assert_eq!(code(run(&registry, say("hi")).await.result()), Some("ABORTED_BEFORE_DISPATCH"));
    drop(hook);
    assert_eq!(trace.lines(), ["body"]);
}

#[tokio::test]
async fn the_record_tells_who_decided() {
    let trace = Trace::default();
    let registry = registry(&trace, |b| {
        b.pre_execute("late", decides(PreDecision::ask("it is late")))
            .approver(answers(ApprovalRequest::allow_once))
            .guard("quiet", |_: &Execution| Ok(None))
    });
    let completed = run(&registry, say("hi")).await;
    let steps: Vec<_> =
        completed.record().steps().iter().map(|s| (s.stage, &*s.by, &*s.decision)).collect();
    assert_eq!(
        steps,
        [
            (Stage::PreExecute, "late", "ask: it is late"),
            (Stage::Ask, "approver", "allowed once"),
            (Stage::Guard, "quiet", "silent"),
            (Stage::Body, "note", "ok"),
        ]
    );
}

#[tokio::test]
async fn a_question_without_a_reason_and_an_approver_has_the_default_text() {
    let (text, ran) =
        outcome(|b| b.pre_execute("p", decides(PreDecision::Ask { reason: None }))).await;
    assert_eq!(text, "Error: tool \"note\" requires approval (not yet supported)");
    assert!(ran.is_empty());
}

#[tokio::test]
async fn the_texts_of_the_specification_can_be_had_exactly() {
    let ask = || decides(PreDecision::ask("it is late"));
    let (text, _) = outcome(|b| b.pre_execute("p", ask()).specified_texts()).await;
    assert_eq!(text, "Error: it is late");
}
