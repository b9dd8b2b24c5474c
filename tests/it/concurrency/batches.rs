//! N calls give N results, in call order, whatever each of them does and whenever it is cancelled.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use dsh_tools::hooks::{PreDecision, ToolExecutor, pre_execute_fn};
use dsh_tools::{
    Batch, BatchOutcome, CallOptions, CallResult, DecisionRecord, Execution, NativeExecutor,
    ToolCall, ToolDefinition, ToolError, ToolRegistry, ToolResult,
};
use fixtures::code;
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::budget;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Does {
    Succeed,
    Fail,
    Panic,
    IgnoreCancellation,
    HeedCancellation,
    GiveWrongOutput,
    BeUnknown,
    BeMalformed,
    MissArguments,
    BeDenied,
    BreakPolicy,
    PanicPolicy,
}

#[derive(Clone, Debug)]
struct Planned {
    does: Does,
    parallel: bool,
    /// How long the body takes, in milliseconds.
    takes: u64,
}

#[derive(Clone, Debug)]
struct Plan {
    calls: Vec<Planned>,
    max_parallel: usize,
    /// When the caller cancels, in milliseconds; never if it is none.
    cancel_at: Option<u64>,
}

fn plans() -> impl Strategy<Value = Plan> {
    let does = prop::sample::select(vec![
        Does::Succeed,
        Does::Fail,
        Does::Panic,
        Does::IgnoreCancellation,
        Does::HeedCancellation,
        Does::GiveWrongOutput,
        Does::BeUnknown,
        Does::BeMalformed,
        Does::MissArguments,
        Does::BeDenied,
        Does::BreakPolicy,
        Does::PanicPolicy,
    ]);
    let call = (does, any::<bool>(), 0..6_u64).prop_map(|(does, parallel, takes)| Planned {
        does,
        parallel,
        takes,
    });
    (prop::collection::vec(call, 0..12), 1..5_usize, prop::option::of(0..12_u64))
        .prop_map(|(calls, max_parallel, cancel_at)| Plan { calls, max_parallel, cancel_at })
}

fn tool(name: &'static str, parallel: bool) -> ToolDefinition {
    let parameters = dsh_tools::schema::ValueSchema::parse(&json!({
        "type": "object",
        "properties": {"does": {"type": "string"}, "takes": {"type": "integer"}},
        "required": ["does", "takes"],
    }))
    .unwrap();
    ToolDefinition::from_fn(name, "Does as told.", parameters, |arguments, cx| async move {
        let takes = Duration::from_millis(arguments["takes"].as_u64().unwrap());
        match arguments["does"].as_str().unwrap() {
            "HeedCancellation" => {
                tokio::select! {
                    () = cx.cancelled() => return Err(ToolError::new("gave up")),
                    () = sleep(takes) => {}
                }
            }
            _ => sleep(takes).await,
        }
        match arguments["does"].as_str().unwrap() {
            "Fail" => Err(ToolError::new("failed")),
            "Panic" => panic!("told to"),
            "GiveWrongOutput" => Ok(json!(1)),
            _ => Ok(Value::from(cx.call_id())),
        }
    })
    .with_output(dsh_tools::schema::ValueSchema::string())
    .with_parallel(parallel)
}

/// The ids of finished calls, in the order in which observers heard of them.
type Heard = Arc<Mutex<Vec<String>>>;

fn registry(heard: &Heard) -> ToolRegistry {
    let heard = Arc::clone(heard);
    ToolRegistry::builder()
        .tool(tool("together", true))
        .tool(tool("alone", false))
        .pre_execute(
            "policy",
            pre_execute_fn(|execution, next| {
                Box::pin(async move {
                    match execution.arguments()["does"].as_str() {
                        Some("BeDenied") => Ok(PreDecision::deny("no")),
                        Some("BreakPolicy") => Err(ToolError::new("broke")),
                        Some("PanicPolicy") => panic!("told to"),
                        _ => next.run().await,
                    }
                })
            }),
        )
        .observe("heard", move |execution: &Execution, _: &CallResult, _: &DecisionRecord| {
            heard.lock().unwrap().push(execution.call_id().to_owned());
            ToolResult::Ok(())
        })
        .build()
        .unwrap()
}

fn calls(plan: &Plan) -> impl Iterator<Item = ToolCall> {
    plan.calls.iter().enumerate().map(|(index, planned)| {
        let name = match (planned.does, planned.parallel) {
            (Does::BeUnknown, _) => "nobody",
            (_, true) => "together",
            (_, false) => "alone",
        };
        let id = index.to_string();
        match planned.does {
            Does::BeMalformed => ToolCall::new(id, name, r#"{"does": "#),
            Does::MissArguments => ToolCall::new(id, name, "{}"),
            does => {
                let arguments = json!({"does": format!("{does:?}"), "takes": planned.takes});
                ToolCall::new(id, name, arguments)
            }
        }
    })
}

async fn run(plan: &Plan, heard: &Heard) -> BatchOutcome {
    let token = CancellationToken::new();
    let registry = registry(heard);
    let executor =
        NativeExecutor::new().with_max_parallel(NonZeroUsize::new(plan.max_parallel).unwrap());
    let options = CallOptions::new().with_cancellation(token.clone());
    let batch = executor.execute(&registry, Batch::new(calls(plan)).with_options(options));
    let Some(cancel_at) = plan.cancel_at else { return batch.await.unwrap() };
    let cancel = async {
        sleep(Duration::from_millis(cancel_at)).await;
        token.cancel();
    };
    tokio::join!(batch, cancel).0.unwrap()
}

/// What a call may come to; cancelled ones may come to a cancellation instead.
fn allowed(does: Does, cancelled: bool, result: &CallResult) -> bool {
    let code = code(result);
    if cancelled && matches!(code, Some("ABORTED" | "ABORTED_BEFORE_DISPATCH")) {
        return true;
    }
    let message = result.error().map(ToolError::message);
    match does {
        Does::Succeed | Does::IgnoreCancellation => !result.is_error(),
        Does::HeedCancellation => !result.is_error() || (cancelled && message == Some("gave up")),
        Does::Fail => message == Some("failed"),
        Does::Panic | Does::PanicPolicy => code == Some("PANICKED"),
        Does::GiveWrongOutput => code == Some("INVALID_TOOL_OUTPUT"),
        Does::BeUnknown => code == Some("UNKNOWN_TOOL"),
        Does::BeMalformed | Does::MissArguments => code == Some("INVALID_ARGS"),
        Does::BeDenied => message == Some("no"),
        Does::BreakPolicy => message == Some("broke"),
    }
}

proptest! {
    #![proptest_config(budget(64))]

    #[test]
    fn every_call_has_one_result_in_its_place(plan in plans()) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap();
        let heard = Heard::default();
        let outcome = runtime.block_on(run(&plan, &heard));
        prop_assert_eq!(outcome.results.len(), plan.calls.len());
        for (index, (planned, completed)) in plan.calls.iter().zip(&outcome.results).enumerate() {
            prop_assert_eq!(completed.call_id(), index.to_string());
            prop_assert!(
                allowed(planned.does, plan.cancel_at.is_some(), completed.result()),
                "{:?}: {:?}", planned, completed.result()
            );
        }
        // Whoever was started was heard of once, in call order.
        let heard = heard.lock().unwrap().clone();
        let numbers: Vec<usize> = heard.iter().map(|id| id.parse().unwrap()).collect();
        prop_assert!(numbers.is_sorted_by(|a, b| a < b), "{heard:?}");
        if plan.cancel_at.is_none() {
            prop_assert_eq!(numbers.len(), plan.calls.len());
        }
    }
}
