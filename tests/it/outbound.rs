//! Hooks on the way out: which results they see, in which order, and what their failure means.

use dsh_tools::hooks::{Outbound, OutboundPhase, outbound_fn, post_execute_fn, pre_execute_fn};
use dsh_tools::{
    CallOptions, CallResult, Completed, Execution, RegistryBuilder, Stage, ToolCall, ToolError,
    ToolRegistry, ToolResult,
};
use fixtures::{Trace, code, constant, read};
use serde_json::json;

/// A hook that appends a word to the content.
fn says(word: &'static str) -> impl Outbound {
    outbound_fn(move |_, result| {
        let content = format!("{} {word}", result.content());
        Box::pin(async move { Ok(Some(result.clone().with_content(content))) })
    })
}

/// The same in a phase of its own.
struct InPhase(OutboundPhase, &'static str);

impl Outbound for InPhase {
    fn outbound<'a>(
        &'a self,
        _: &'a Execution,
        result: &'a CallResult,
    ) -> dsh_tools::hooks::BoxFuture<'a, ToolResult<Option<CallResult>>> {
        let content = format!("{} {}", result.content(), self.1);
        Box::pin(async move { Ok(Some(result.clone().with_content(content))) })
    }

    fn phase(&self) -> OutboundPhase {
        self.0
    }
}

async fn run(call: ToolCall, more: impl FnOnce(RegistryBuilder) -> RegistryBuilder) -> Completed {
    let tool = constant("t", json!("v")).with_finalize_content(|_, result| {
        Ok(Some(format!("{} finalized", result.content()).into()))
    });
    let registry = more(ToolRegistry::builder().tool(tool)).build().unwrap();
    registry.execute(call, CallOptions::new()).await
}

fn call() -> ToolCall {
    ToolCall::new("c1", "t", "{}")
}

#[tokio::test]
async fn it_comes_after_everything_else_and_before_observers() {
    let trace = Trace::default();
    let seen = trace.clone();
    let observer = move |_: &Execution, result: &CallResult, _: &dsh_tools::DecisionRecord| {
        seen.add(read(result));
        Ok(())
    };
    let completed = run(call(), |b| {
        b.outbound("sign", says("signed")).observe("observer", observer).post_execute(
            "policy",
            post_execute_fn(|_, _, _| {
                Box::pin(async { Ok(dsh_tools::hooks::PostDecision::with_content("checked")) })
            }),
        )
    })
    .await;
    assert_eq!(read(completed.result()), "checked finalized signed");
    assert_eq!(trace.lines(), ["checked finalized signed"]);
    assert_eq!(completed.result().value(), Some(&json!("v")));
    let last = completed.record().steps().last().unwrap();
    assert_eq!((last.stage, &*last.by, &*last.decision), (Stage::Outbound, "sign", "changed"));
    assert_eq!(last.stage.as_str(), "outbound");
}

#[tokio::test]
async fn it_sees_what_post_execute_never_sees() {
    let broken_policy =
        || pre_execute_fn(|_, _| Box::pin(async { Err(ToolError::new("policy broke")) }));
    for (call, expected) in [
        (call(), "Error: policy broke finalized signed"),
        (ToolCall::new("c1", "nope", "{}"), "Error: policy broke signed"),
    ] {
        let completed = run(call, |b| {
            b.pre_execute("policy", broken_policy()).outbound("sign", says("signed"))
        })
        .await;
        assert_eq!(read(completed.result()), expected);
    }
}

#[tokio::test]
async fn phases_come_before_the_order_in_which_hooks_were_added() {
    let completed = run(call(), |b| {
        b.outbound("1", InPhase(OutboundPhase::Limit, "limited"))
            .outbound("2", InPhase(OutboundPhase::Redact, "redacted"))
            .outbound("3", says("first"))
            .outbound("4", InPhase(OutboundPhase::Redact, "twice"))
            .outbound("5", says("second"))
    })
    .await;
    assert_eq!(read(completed.result()), "v finalized first second redacted twice limited");
}

#[tokio::test]
async fn hooks_of_scopes_take_their_place_among_those_of_everybody() {
    let registry = ToolRegistry::builder()
        .tool(constant("t", json!("v")))
        .outbound("limit", InPhase(OutboundPhase::Limit, "limited"))
        .outbound("all", says("all"))
        .build()
        .unwrap();
    let agent = registry.scope("agent");
    agent.outbound("own redaction", InPhase(OutboundPhase::Redact, "redacted")).keep();
    let own = agent.outbound("own", says("own"));

    let options = || CallOptions::new().with_scope(&agent);
    let completed = registry.execute(call(), options()).await;
    assert_eq!(read(completed.result()), "v all own redacted limited");
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(read(completed.result()), "v all limited");
    drop(own);
    let completed = registry.execute(call(), options()).await;
    assert_eq!(read(completed.result()), "v all redacted limited");
}

#[tokio::test]
async fn a_hook_that_breaks_lets_nothing_out_and_the_others_see_its_failure() {
    let fails = outbound_fn(|_, _| Box::pin(async { Err(ToolError::new("no").with_code("NO")) }));
    let completed =
        run(call(), |b| b.outbound("fails", fails).outbound("sign", says("signed"))).await;
    assert_eq!(read(completed.result()), "Error: no signed");
    assert_eq!((code(completed.result()), completed.result().value()), (Some("NO"), None));
    let decisions: Vec<_> =
        completed.record().steps().iter().skip(1).map(|step| &*step.decision).collect();
    assert_eq!(decisions, ["failed: no", "changed"]);

    let panics = outbound_fn(|_, _| panic!("sk-123"));
    let completed = run(call(), |b| b.outbound("panics", panics)).await;
    assert_eq!(code(completed.result()), Some("PANICKED"));
    assert!(!read(completed.result()).contains("sk-123"));
}

#[tokio::test]
async fn what_json_would_not_give_back_does_not_go_out() {
    let lossy = outbound_fn(|_, result| {
        let result = result.clone().with_meta(json!(-0.0));
        Box::pin(async move { Ok(Some(result)) })
    });
    let completed = run(call(), |b| b.outbound("lossy", lossy)).await;
    assert_eq!(read(completed.result()), "Error: tool result must be losslessly JSON-serializable");
}

#[tokio::test(start_paused = true)]
async fn the_time_it_takes_is_time_of_the_call() {
    let slow = outbound_fn(|_, _| {
        Box::pin(async {
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
            Ok(None)
        })
    });
    let completed = run(call(), |b| b.outbound("slow", slow)).await;
    assert_eq!(completed.took(), std::time::Duration::from_secs(2));
    assert_eq!(completed.record().steps().last().unwrap().decision, "unchanged");
}
