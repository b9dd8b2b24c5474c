//! Before the body: look up, take the arguments, hooks, ask, guards.

use std::sync::Arc;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::context::{CallOptions, Direct};
use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::hooks::{Approval, ApprovalRequest, PreDecision, PreNext};
use crate::model::{ToolCall, ToolError, ToolResult};
use crate::panic::{catch, catch_future};
use crate::record::{Recorder, Stage};
use crate::registry::ToolRegistry;
use crate::stages::{Outcome, Run, Verdict};

/// The call with all that it will read: nothing that happens later changes it.
pub(super) fn create(registry: &ToolRegistry, call: ToolCall, options: CallOptions) -> Run {
    let snapshot = registry.snapshot_for(options.scope.as_ref());
    let mut definition = options.executable(&snapshot, &call.name);
    // Answered before all policy, and so also before what the tool makes of its content.
    let bypassed = is_bypassing(&call, &options, definition.as_ref());
    if bypassed && !options.cancellation().is_some_and(CancellationToken::is_cancelled) {
        definition = None;
    }
    Run {
        registry: registry.clone(),
        snapshot,
        execution: Execution::new(call, options, definition),
        bypassed,
        recorder: Recorder::begin(),
    }
}

/// Whether a model calls a tool directly that only programs may call.
fn is_bypassing(call: &ToolCall, options: &CallOptions, tool: Option<&ToolDefinition>) -> bool {
    match &options.direct {
        Direct::Any => false,
        Direct::Only(only) => tool.is_some() && only.name() != call.name,
    }
}

/// Whether the call may run, or what it came to instead.
pub(super) async fn decide(run: &Run) -> Verdict {
    let execution = &run.execution;
    if !execution.raw_arguments().is_lossless() {
        return broken(ToolError::new(
            "tool execution arguments must be losslessly JSON-serializable",
        ));
    }
    if execution.is_cancelled() {
        return broken(ToolError::aborted_before_dispatch());
    }
    if run.bypassed {
        return broken(ToolError::only_from_programs(execution.name()));
    }
    let decision = match ask_hooks(run).await {
        Ok(decision) => decision,
        Err(error) => return broken(error),
    };
    let admission = match decision {
        PreDecision::Allow => Admission::Allowed,
        PreDecision::Deny { reason, info: None } => denied(reason),
        PreDecision::Deny { reason, info: Some(info) } => {
            Admission::Denied(ToolError::new(reason).with_info(info))
        }
        PreDecision::Cancel => Admission::Denied(ToolError::aborted_before_dispatch()),
        PreDecision::Ask { reason } => match Box::pin(ask_approver(run, reason)).await {
            Ok(admission) => admission,
            Err(error) => return broken(error),
        },
    };
    let admission = match admission {
        Admission::Allowed => match ask_guards(run) {
            Ok(admission) => admission,
            Err(error) => return broken(error),
        },
        denied @ Admission::Denied(_) => denied,
    };
    match admission {
        Admission::Denied(error) => Verdict::Settled(Outcome::open(error)),
        Admission::Allowed if execution.is_cancelled() => {
            Verdict::Settled(Outcome::open(ToolError::aborted_before_dispatch()))
        }
        Admission::Allowed => Verdict::Dispatch,
    }
}

enum Admission {
    Allowed,
    Denied(ToolError),
}

/// Policy itself failed: the call ends here, and nothing but observers sees it.
fn broken(error: ToolError) -> Verdict {
    Verdict::Settled(Outcome::last(error))
}

async fn ask_hooks(run: &Run) -> ToolResult<PreDecision> {
    if run.snapshot.hooks.pre_execute.is_empty() {
        return Ok(PreDecision::Allow);
    }
    let next = PreNext {
        rest: &run.snapshot.hooks.pre_execute,
        execution: &run.execution,
        recorder: &run.recorder,
    };
    next.run().await
}

/// Asks for the approval of exactly this call; nobody to ask, or no clear yes, is a denial.
async fn ask_approver(run: &Run, reason: Option<String>) -> ToolResult<Admission> {
    let name = run.execution.name();
    let started = Instant::now();
    let admission = match (run.registry.approver(), run.execution.agent()) {
        (None, _) => Ok(denied(nobody_to_ask(run, reason))),
        (Some(_), None) => Ok(denied(format!(
            "tool \"{name}\" requires approval, but the call has no agent to route it through"
        ))),
        (Some(approver), Some(_)) => {
            let request = ApprovalRequest::new(run.execution.clone(), reason);
            let answer = catch_future("the approver", || approver.approve(&request));
            match run.registry.approval_deadline() {
                None => Some(answer.await),
                Some(deadline) => tokio::time::timeout(deadline, answer).await.ok(),
            }
            .map_or_else(
                || Ok(nobody_answered(run)),
                |answer| answer.and_then(|approval| Ok(admission(run, approval?))),
            )
        }
    };
    run.recorder.add(Stage::Ask, &Arc::from("approver"), started, || match &admission {
        Ok(Admission::Allowed) => "allowed once".into(),
        Ok(Admission::Denied(error)) => format!("deny: {error}").into(),
        Err(error) => format!("failed: {error}").into(),
    });
    admission
}

fn denied(reason: String) -> Admission {
    Admission::Denied(ToolError::new(reason))
}

/// The reason of the question, and that nobody could answer it.
fn nobody_to_ask(run: &Run, reason: Option<String>) -> String {
    let name = run.execution.name();
    match reason {
        None => format!("tool \"{name}\" requires approval (not yet supported)"),
        Some(reason) if run.registry.has_specified_texts() => reason,
        Some(reason) => {
            format!("{reason} (tool \"{name}\" requires approval, and nobody is there to give it)")
        }
    }
}

/// The question was open longer than the host lets one be.
fn nobody_answered(run: &Run) -> Admission {
    if run.execution.is_cancelled() {
        return Admission::Denied(ToolError::aborted_before_dispatch());
    }
    let name = run.execution.name();
    denied(format!("nobody answered whether tool \"{name}\" may run, so it did not"))
}

/// What an answer means; a question withdrawn because the caller cancelled is a cancellation.
fn admission(run: &Run, approval: Approval) -> Admission {
    let name = run.execution.name();
    match approval {
        Approval::AllowedOnce(grant) if grant.is_for(&run.execution) => Admission::Allowed,
        Approval::AllowedOnce(_) => {
            denied(format!("the approval given for tool \"{name}\" belongs to another call"))
        }
        Approval::Rejected => denied(format!("the user rejected tool \"{name}\"")),
        Approval::Cancelled if run.execution.is_cancelled() => {
            Admission::Denied(ToolError::aborted_before_dispatch())
        }
        Approval::Cancelled => denied(format!("approval for tool \"{name}\" was cancelled")),
        Approval::Unavailable => denied(format!(
            "tool \"{name}\" requires approval, but no approval channel is available"
        )),
    }
}

/// Asks every guard that is there by now, also those that came while the call waited for an answer
/// or that a guard added.
fn ask_guards(run: &Run) -> ToolResult<Admission> {
    let mut asked = Vec::new();
    loop {
        let newer = run.newer_snapshot();
        let guards = &newer.as_ref().unwrap_or(&run.snapshot).hooks.guards;
        let Some(guard) = guards.iter().find(|guard| !asked.contains(&guard.id)) else {
            return Ok(Admission::Allowed);
        };
        asked.push(guard.id);
        let started = Instant::now();
        let answer =
            catch("a guard", || guard.hook.check(&run.execution)).and_then(|answer| answer);
        run.recorder.add(Stage::Guard, &guard.name, started, || match &answer {
            Ok(None) => "silent".into(),
            Ok(Some(reason)) => format!("deny: {reason}").into(),
            Err(error) => format!("failed: {error}").into(),
        });
        if let Some(reason) = answer? {
            return Ok(Admission::Denied(ToolError::new(reason)));
        }
    }
}
