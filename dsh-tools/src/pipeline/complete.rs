//! After the body: policy about the result, then everybody is told.

use std::time::Duration;

use tokio::time::Instant;

use crate::definition::{ContentCallback, ToolDefinition};
use crate::hooks::{Named, PostDecision, PostNext};
use crate::model::{CallResult, Content, Context, ToolError, ToolResult};
use crate::panic::{catch, catch_future};
use crate::record::{Stage, summary};
use crate::stages::{Completed, Run};

use super::dispatch::unless_cancelled;
use super::output;

/// The result after the tool's own content and post-execute hooks, and how long they took.
pub(super) async fn review(run: &Run, result: CallResult) -> (CallResult, Duration) {
    let result = match project(run, result) {
        Ok(result) => result,
        Err(error) => return (CallResult::failure(error), Duration::ZERO),
    };
    if run.snapshot.hooks.post_execute.is_empty() {
        return (unless_cancelled(run, result), Duration::ZERO);
    }
    let resumed = Instant::now();
    let reviewed = ask_hooks(run, result).await;
    (reviewed, resumed.elapsed())
}

/// The result with the content that the tool installs before policy sees it.
fn project(run: &Run, result: CallResult) -> ToolResult<CallResult> {
    let callback = run.execution.definition().and_then(ToolDefinition::project_content);
    transformed(run, "the projection of content", callback, result)
}

/// The result with what the tool makes of its content last.
///
/// Done once for every call whose tool was known when it came; a failure here is not asked again.
pub(super) fn finalize(run: &Run, result: CallResult) -> CallResult {
    let result = lossless(result);
    let callback = run.execution.definition().and_then(ToolDefinition::finalize_content);
    let finalized = transformed(run, "the finalizer of content", callback, result);
    lossless(finalized.unwrap_or_else(CallResult::failure))
}

fn transformed(
    run: &Run,
    what: &str,
    callback: Option<&ContentCallback>,
    result: CallResult,
) -> ToolResult<CallResult> {
    let Some(callback) = callback else { return Ok(result) };
    let content = catch(what, || callback(&run.execution, &result)).and_then(|content| content)?;
    Ok(match content {
        Some(content) => result.with_content(content),
        None => result,
    })
}

/// The result that goes out, and how long it took: what each outbound hook makes of what the one
/// before it made.
///
/// A failure goes on through the hooks that are left: what it says may be theirs to take out.
pub(super) async fn send(run: &Run, mut result: CallResult) -> (CallResult, Duration) {
    if run.snapshot.hooks.outbound.is_empty() {
        return (result, Duration::ZERO);
    }
    let begun = Instant::now();
    for Named { name, hook, .. } in &run.snapshot.hooks.outbound {
        let started = Instant::now();
        let changed = catch_future("an outbound hook", || hook.outbound(&run.execution, &result));
        let changed = changed.await.and_then(|changed| changed);
        run.recorder.add(Stage::Outbound, name, started, || match &changed {
            Ok(None) => "unchanged".into(),
            Ok(Some(_)) => "changed".into(),
            Err(error) => format!("failed: {error}").into(),
        });
        match changed {
            Ok(None) => {}
            Ok(Some(changed)) => result = lossless(changed),
            Err(error) => result = CallResult::failure(error),
        }
    }
    (result, begun.elapsed())
}

fn lossless(result: CallResult) -> CallResult {
    if result.is_lossless() {
        return result;
    }
    CallResult::failure(ToolError::new("tool result must be losslessly JSON-serializable"))
}

async fn ask_hooks(run: &Run, result: CallResult) -> CallResult {
    let next = PostNext {
        rest: &run.snapshot.hooks.post_execute,
        execution: &run.execution,
        result: &result,
        recorder: &run.recorder,
    };
    let decision = next.run().await;
    match decision.and_then(|decision| apply(run, result, decision)) {
        Ok(result) => unless_cancelled(run, result),
        Err(error) => CallResult::failure(error),
    }
}

fn apply(run: &Run, result: CallResult, decision: PostDecision) -> ToolResult<CallResult> {
    match decision {
        PostDecision::Accept { content: Some(_), value: Some(_), .. } => Err(ToolError::new(
            "tools/post-execute accept decision cannot replace both value and content",
        )),
        PostDecision::Accept { content: None, value: None, contexts } if contexts.is_empty() => {
            Ok(result)
        }
        PostDecision::Accept { content: Some(content), value: None, contexts } => {
            Ok(result.with_content(content).with_contexts(contexts))
        }
        PostDecision::Accept { content: None, value: Some(_), .. } if result.is_error() => {
            Err(ToolError::new("tools/post-execute cannot replace the value of a failed result"))
        }
        PostDecision::Accept { content: None, value: Some(value), contexts } => {
            let definition = run.current_definition()?;
            let before = result.contexts().iter().cloned();
            let replaced = output::success(&definition, &run.execution, value.into());
            Ok(replaced.with_contexts(before).with_contexts(contexts))
        }
        PostDecision::Accept { content: None, value: None, contexts } => {
            Ok(result.with_contexts(contexts))
        }
        PostDecision::Block { feedback, contexts } => Ok(blocked(feedback, contexts)),
    }
}

/// A failure whose content is the feedback of policy.
fn blocked(feedback: Content, contexts: Vec<Context>) -> CallResult {
    let text = feedback.to_string();
    let message = if text.is_empty() {
        "tool result blocked by post-execute policy".to_owned()
    } else {
        text
    };
    CallResult::failure(ToolError::new(message)).with_content(feedback).with_contexts(contexts)
}

/// Tells every observer and gives the final result.
pub(super) fn finish(run: Run, result: CallResult, took: Duration) -> Completed {
    let Run { snapshot, execution, recorder, .. } = run;
    let record = recorder.finish();
    tracing::debug!(
        target: "dsh_tools",
        tool = execution.name(),
        call = execution.call_id(),
        outcome = &*summary(&result),
        decisions = %record,
        "tool call ended",
    );
    for observer in &snapshot.hooks.observers {
        let seen = catch("an observer", || observer.hook.observe(&execution, &result, &record));
        if let Err(error) = seen.and_then(|seen| seen) {
            tracing::error!(
                observer = &*observer.name,
                "tool \"{}\" ({}): tools/result observer failed: {error}",
                execution.name(),
                execution.call_id(),
            );
        }
    }
    Completed { execution, result, record, took }
}
