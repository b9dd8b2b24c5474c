//! What a caller is told and asked, and what reaches a body that nobody waits for.

use std::time::Duration;

use dsh_tools::around::Timeout;
use dsh_tools::hooks::{ApprovalRequest, BoxFuture, PreDecision, approver_fn, pre_execute_fn};
use dsh_tools::ptc::{Argument, CodeRuntime, Outcome, Program, PtcExecutor};
use dsh_tools::{
    Annotations, Answer, Batch, CallOptions, OpenApprovals, Schema, ToolCall, ToolContext,
    ToolDefinition, ToolRegistry, ToolResult,
};
use fixtures::{Trace, code, read, run};
use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::CancellationToken;

/// A tool that takes a minute unless it is told to stop, and notes how it ended.
fn slow(trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    let body = move |_, cx: ToolContext| {
        let trace = trace.clone();
        async move {
            tokio::select! {
                () = sleep(Duration::from_mins(1)) => trace.add("ran to its end"),
                () = cx.cancelled() => trace.add("cleaned up"),
            }
            Ok(json!("done"))
        }
    };
    ToolDefinition::from_fn("slow", "Takes a minute.", json!({"type": "object"}), body)
        .with_timeout(Duration::from_secs(1))
        .with_grace(Duration::from_secs(1))
}

#[tokio::test(start_paused = true)]
async fn case_40_a_body_hears_of_its_caller_and_of_its_deadline_and_is_always_answered() {
    let trace = Trace::default();
    let registry =
        ToolRegistry::builder().tool(slow(&trace)).around("timeout", Timeout).build().unwrap();
    let call = || ToolCall::new("1", "slow", "{}");

    let started = Instant::now();
    let completed = registry.execute(call(), CallOptions::new()).await;
    assert_eq!(code(completed.result()), Some("TOOL_TIMEOUT"));
    assert_eq!(started.elapsed(), Duration::from_secs(1));

    let connection = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(connection.child_token());
    let mut running = Box::pin(registry.execute(call(), options));
    let started = Instant::now();
    assert!(timeout(Duration::from_millis(100), &mut running).await.is_err());
    connection.cancel();
    assert_eq!(code(running.await.result()), Some("ABORTED"));
    assert_eq!(started.elapsed(), Duration::from_millis(100));
    assert_eq!(trace.lines(), ["cleaned up", "cleaned up"]);
}

#[tokio::test]
async fn case_43_every_mistake_in_a_list_is_told_with_its_place_and_what_is_accepted() {
    #[derive(Deserialize, Schema)]
    #[expect(dead_code, reason = "nothing reads them")]
    struct Edits {
        edits: Vec<Edit>,
    }

    #[derive(Deserialize, Schema)]
    #[expect(dead_code, reason = "nothing reads them")]
    struct Edit {
        #[schema(minimum = 1)]
        line: u32,
        mode: Mode,
    }

    #[derive(Deserialize, Schema)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        Insert,
        Replace,
    }

    let tool = ToolDefinition::typed("edit", "Edits.", |_: Edits, _| async { Ok("done") });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let arguments = json!({"edits": [
        {"line": 3, "mode": "insert"},
        {"line": 0, "mode": "overwrite", "txt": "x"},
        {"lines": 4, "mode": "replace"},
    ]});
    let completed = run(&registry, ToolCall::new("1", "edit", arguments)).await;
    let told: Vec<_> =
        completed.result().error().unwrap().violations().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "\"edits[1].line\" must be at least 1",
            "\"edits[1].mode\" must be one of [\"insert\",\"replace\"]",
            "\"edits[1].txt\" is not a declared property (additionalProperties: false), accepted: \
             \"line\", \"mode\"",
            "missing required property \"edits[2].line\", an integer",
            "\"edits[2].lines\" is not a declared property (additionalProperties: false), did you \
             mean \"line\"?",
        ]
    );
    for violation in told {
        assert!(read(completed.result()).contains(&violation));
    }
}

#[tokio::test]
async fn case_48_a_question_says_which_tool_with_which_arguments_how_risky_and_why() {
    let asked = Trace::default();
    let seen = asked.clone();
    let tool = ToolDefinition::from_fn(
        "delete_file",
        "Deletes a file.",
        json!({"type": "object", "properties": {"path": {"type": "string"}}}),
        |_, _| async { Ok(json!("deleted")) },
    )
    .with_annotations(Annotations { destructive: Some(true), ..Annotations::NONE });
    let registry = ToolRegistry::builder()
        .tool(tool)
        .pre_execute(
            "policy",
            pre_execute_fn(|_, _| {
                Box::pin(async { Ok(PreDecision::ask("it is outside of /tmp")) })
            }),
        )
        .approver(approver_fn(move |request: &ApprovalRequest| {
            seen.add(format!(
                "{} {} destructive: {:?}, {}",
                request.tool_name(),
                request.arguments(),
                request.annotations().destructive,
                request.reason().unwrap_or("no reason"),
            ));
            let answer = request.allow_once();
            Box::pin(async { Ok(answer) })
        }))
        .build()
        .unwrap();
    let completed =
        run(&registry, ToolCall::new("1", "delete_file", r#"{"path": "/etc/x"}"#)).await;
    assert_eq!(read(completed.result()), "deleted");
    assert_eq!(
        asked.lines(),
        [r#"delete_file {"path":"/etc/x"} destructive: Some(true), it is outside of /tmp"#]
    );
}

/// A runtime whose program calls `delete_file` once and says what it heard.
struct Deletes;

impl CodeRuntime for Deletes {
    fn language(&self) -> &'static str {
        "typescript"
    }

    fn isolation(&self) -> &'static str {
        "none"
    }

    fn run(&self, program: Program) -> BoxFuture<'_, ToolResult<Outcome>> {
        Box::pin(async move {
            let answer = program.bindings.call("delete_file", Argument::Value(json!({}))).await;
            let heard = answer.unwrap_or_else(|message| format!("caught: {message}").into());
            Ok(Outcome { value: Some(heard), ..Outcome::default() })
        })
    }
}

#[tokio::test]
async fn case_50_a_call_of_a_program_is_asked_about_and_goes_on_or_fails_in_the_program() {
    let deletes = ToolDefinition::from_fn(
        "delete_file",
        "Deletes.",
        json!({"type": "object"}),
        |_, _| async { Ok(json!("deleted")) },
    );
    let open = OpenApprovals::new();
    let registry = ToolRegistry::builder()
        .tool(deletes)
        .executor(PtcExecutor::new(Deletes))
        .pre_execute(
            "policy",
            pre_execute_fn(|execution, next| {
                let asks = execution.name() == "delete_file";
                Box::pin(async move {
                    if asks { Ok(PreDecision::ask("it deletes")) } else { next.run().await }
                })
            }),
        )
        .approver(open.clone())
        .build()
        .unwrap();
    for (answer, expected) in [
        (Answer::AllowOnce, "deleted"),
        (Answer::Reject, "caught: the user rejected tool \"delete_file\""),
    ] {
        let options = CallOptions::new().with_scope(&registry.scope("main"));
        let call = ToolCall::new("c1", "run_code", r#"{"description": "Delete", "code": ""}"#);
        let batch = Batch::new([call]).with_options(options);
        let user = async {
            let question = open.next().await;
            assert_eq!(question.call_id, "c1:ptc:1");
            open.answer(&question.call_id, question.arguments_hash, answer).unwrap();
        };
        let (outcome, ()) = tokio::join!(registry.execute_batch(batch), user);
        assert_eq!(read(outcome.unwrap().results[0].result()), expected);
    }
}
