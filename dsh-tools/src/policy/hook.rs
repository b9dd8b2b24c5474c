//! What a policy does as a hook.

use tokio::time::Instant;

use super::explain::Ruling;
use super::{Decision, Policy, SharedPolicy};
use crate::execution::Execution;
use crate::hooks::{BoxFuture, PreDecision, PreExecute, PreNext};
use crate::model::{ErrorCode, ErrorInfo, ToolError, ToolResult};
use crate::record::Stage;

impl PreExecute for Policy {
    fn pre_execute<'a>(
        &'a self,
        execution: &'a Execution,
        next: PreNext<'a>,
    ) -> BoxFuture<'a, ToolResult<PreDecision>> {
        carry_out(self, execution, next)
    }
}

/// A call is judged by the policy that is there when it comes to this hook.
impl PreExecute for SharedPolicy {
    fn pre_execute<'a>(
        &'a self,
        execution: &'a Execution,
        next: PreNext<'a>,
    ) -> BoxFuture<'a, ToolResult<PreDecision>> {
        carry_out(&self.current(), execution, next)
    }
}

/// Notes which rule decides, and asks the other hooks unless it denies: what it lets through they
/// may stop.
fn carry_out<'a>(
    policy: &Policy,
    execution: &'a Execution,
    next: PreNext<'a>,
) -> BoxFuture<'a, ToolResult<PreDecision>> {
    let started = Instant::now();
    let ruling = policy.judge(execution);
    next.recorder
        .add(Stage::PreExecute, ruling.label(), started, || ruling.decision().as_str().into());
    match own_decision(&ruling, execution) {
        PreDecision::Allow => next.run(),
        PreDecision::Ask { reason } => Box::pin(async move {
            Ok(match next.run().await? {
                PreDecision::Allow => PreDecision::Ask { reason },
                PreDecision::Ask { reason: other } => {
                    PreDecision::Ask { reason: both(reason, other) }
                }
                stricter => stricter,
            })
        }),
        stops => Box::pin(async { Ok(stops) }),
    }
}

/// What the policy decides by itself.
///
/// A tool that is not there is answered as such, whatever keeps the call from running: a model
/// learns nothing from the rules about it, and nobody should be asked.
fn own_decision(ruling: &Ruling<'_>, execution: &Execution) -> PreDecision {
    match ruling.decision() {
        Decision::Allow => PreDecision::Allow,
        _ if execution.definition().is_none() => {
            let error = ToolError::unknown_tool(execution.name());
            PreDecision::Deny { reason: error.message().to_owned(), info: error.info().cloned() }
        }
        Decision::Ask => PreDecision::Ask { reason: Some(ruling.reason()) },
        Decision::Deny => PreDecision::Deny {
            reason: ruling.reason(),
            info: Some(ErrorInfo {
                name: "PolicyDeniedError".into(),
                code: ErrorCode::PolicyDenied,
                reason: Some(ruling.label().to_string()),
            }),
        },
    }
}

fn both(reason: Option<String>, other: Option<String>) -> Option<String> {
    match (reason, other) {
        (Some(reason), Some(other)) => Some(format!("{reason}; {other}")),
        (reason, other) => reason.or(other),
    }
}
