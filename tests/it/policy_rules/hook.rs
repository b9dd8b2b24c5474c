//! A policy as a hook: what calls come to, and what is recorded.

use dsh_tools::hooks::{PreDecision, PreExecute, approver_fn, pre_execute_fn};
use dsh_tools::policy::{Policy, SharedPolicy};
use dsh_tools::{CallOptions, Completed, Execution, RegistryBuilder, Stage, ToolCall};
use fixtures::{Trace, code, read, registry, run, say};

use super::policy;

const RULES: &str = r#"
    default = "ask"

    [[rule]]
    name = "short notes"
    tools = ["note"]
    when = { text = { regex = ".{1,5}" } }
    decision = "allow"

    [[rule]]
    name = "no keys"
    when = { text = { glob = "**/.ssh/**" } }
    decision = "deny"
    reason = "keys are off limits"

    [[rule]]
    name = "no shouting"
    when = { text = { regex = "!" } }
    decision = "deny"

    [[rule]]
    name = "questions"
    when = { text = { regex = "\\?$" } }
    decision = "ask"
"#;

fn hook(decision: PreDecision) -> impl PreExecute {
    pre_execute_fn(move |_, _| {
        let decision = decision.clone();
        Box::pin(async move { Ok(decision) })
    })
}

async fn call(
    call: ToolCall,
    more: impl FnOnce(RegistryBuilder) -> RegistryBuilder,
) -> (Completed, Vec<String>) {
    let trace = Trace::default();
    let registry = registry(&trace, |b| more(b.pre_execute("policy", policy(RULES))));
    (run(&registry, call).await, trace.lines())
}

/// An approver that says yes and notes what it was asked.
fn yes(trace: &Trace) -> impl dsh_tools::hooks::Approver + use<> {
    let trace = trace.clone();
    approver_fn(move |request| {
        trace.add(request.reason().unwrap_or("no reason"));
        let yes = request.allow_once();
        Box::pin(async { Ok(yes) })
    })
}

fn steps(completed: &Completed) -> Vec<(Stage, &str, &str)> {
    let steps = completed.record().steps().iter();
    steps.map(|step| (step.stage, &*step.by, &*step.decision)).collect()
}

#[tokio::test]
async fn a_denial_has_a_reason_a_code_and_the_rule() {
    let (completed, ran) = call(say("/home/.ssh/id"), |b| b).await;
    assert_eq!(read(completed.result()), "Error: keys are off limits");
    assert_eq!(code(completed.result()), Some("POLICY_DENIED"));
    let info = completed.result().error().unwrap().info().unwrap();
    assert_eq!(
        (&*info.name, info.reason.as_deref()),
        ("PolicyDeniedError", Some("rule \"no keys\""))
    );
    assert!(ran.is_empty());
    assert_eq!(
        steps(&completed),
        [
            (Stage::PreExecute, "rule \"no keys\"", "deny"),
            (Stage::PreExecute, "policy", "deny: keys are off limits"),
        ]
    );

    let (completed, _) = call(say("stop!"), |b| b).await;
    assert_eq!(
        read(completed.result()),
        "Error: the policy denies this call (rule \"no shouting\")"
    );
}

#[tokio::test]
async fn a_denial_in_doubt_says_what_was_in_the_way() {
    let (completed, _) = call(say("../.ss"), |b| b).await;
    assert_eq!(
        read(completed.result()),
        "Error: keys are off limits; the call could not be checked: \"text\" must not contain \"..\""
    );
    let (completed, _) = call(ToolCall::new("c1", "note", "{\"text\": "), |b| b).await;
    assert_eq!(
        read(completed.result()),
        "Error: keys are off limits; the call could not be checked: the arguments must be a JSON object"
    );
}

#[tokio::test]
async fn what_is_allowed_is_still_for_other_hooks_and_guards_to_deny() {
    let (completed, ran) = call(say("hi"), |b| b).await;
    assert_eq!((read(completed.result()).as_str(), ran.len()), ("hi", 1));
    assert_eq!(
        steps(&completed),
        [
            (Stage::PreExecute, "rule \"short notes\"", "allow"),
            (Stage::PreExecute, "policy", "allow"),
            (Stage::Body, "note", "ok"),
        ]
    );

    let later = hook(PreDecision::deny("not today"));
    let (completed, ran) = call(say("hi"), |b| b.pre_execute("later", later)).await;
    assert_eq!((read(completed.result()).as_str(), ran.len()), ("Error: not today", 0));

    let (completed, ran) =
        call(say("hi"), |b| b.guard("never", |_: &Execution| Ok(Some("never".into())))).await;
    assert_eq!((read(completed.result()).as_str(), ran.len()), ("Error: never", 0));
}

#[tokio::test]
async fn a_question_names_the_rule_and_what_another_hook_denies_is_not_asked() {
    let asked = Trace::default();
    let (completed, ran) = call(say("really?"), |b| b.approver(yes(&asked))).await;
    assert_eq!((read(completed.result()).as_str(), ran.len()), ("really?", 1));
    assert_eq!(asked.lines(), ["the policy asks before this call (rule \"questions\")"]);

    let asked = Trace::default();
    let also = hook(PreDecision::ask("it is late"));
    call(say("nothing in particular"), |b| b.approver(yes(&asked)).pre_execute("also", also)).await;
    assert_eq!(asked.lines(), ["no rule of the policy allows this call; it is late"]);

    let asked = Trace::default();
    for decision in [PreDecision::deny("not today"), PreDecision::Cancel] {
        let later = hook(decision);
        let (completed, ran) =
            call(say("really?"), |b| b.approver(yes(&asked)).pre_execute("later", later)).await;
        assert!(completed.result().is_error() && ran.is_empty());
    }
    assert!(asked.lines().is_empty());
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_a_denial() {
    let (completed, ran) = call(say("really?"), |b| b).await;
    assert_eq!(
        read(completed.result()),
        "Error: the policy asks before this call (rule \"questions\") \
         (tool \"note\" requires approval, and nobody is there to give it)"
    );
    assert!(ran.is_empty());
}

#[tokio::test]
async fn a_tool_that_is_not_there_is_unknown_and_nobody_is_asked() {
    for decision in ["ask", "deny", "allow"] {
        let (trace, asked) = (Trace::default(), Trace::default());
        let policy = policy(&format!("default = \"{decision}\""));
        let registry = registry(&trace, |b| b.pre_execute("p", policy).approver(yes(&asked)));
        let completed = run(&registry, ToolCall::new("c1", "nope", "{}")).await;
        assert_eq!(read(completed.result()), "Error: unknown tool \"nope\"");
        assert_eq!(code(completed.result()), Some("UNKNOWN_TOOL"));
        let step = &completed.record().steps()[0];
        assert_eq!((&*step.by, &*step.decision), ("default", decision));
        assert!(asked.lines().is_empty());
    }
}

#[tokio::test]
async fn the_default_denies_under_its_own_name() {
    let trace = Trace::default();
    let registry = registry(&trace, |b| b.pre_execute("p", policy("default = \"deny\"")));
    let completed = registry.execute(say("hi"), CallOptions::new()).await;
    assert_eq!(read(completed.result()), "Error: no rule of the policy allows this call");
    let info = completed.result().error().unwrap().info().unwrap();
    assert_eq!((info.code.as_str(), info.reason.as_deref()), ("POLICY_DENIED", Some("default")));
}

#[tokio::test]
async fn a_policy_on_a_scope_holds_for_the_calls_of_that_scope() {
    let trace = Trace::default();
    let registry = registry(&trace, |b| b);
    let scope = registry.scope("main");
    let _policy = scope.pre_execute("policy", policy("default = \"deny\""));
    assert!(run(&registry, say("hi")).await.result().value().is_some(), "another scope");
    let options = CallOptions::new().with_scope(&scope.scope("nested"));
    assert_eq!(code(registry.execute(say("hi"), options).await.result()), Some("POLICY_DENIED"));
}

#[test]
fn policies_are_shared_between_threads() {
    fn check<T: Clone + std::fmt::Debug + Send + Sync + 'static>() {}
    check::<Policy>();
    check::<SharedPolicy>();
    assert_eq!(
        format!("{:?}", policy(RULES)),
        "Policy { default: Ask, rules: [\"short notes\", \"no keys\", \"no shouting\", \
         \"questions\"], .. }"
    );
}
