//! The body inside its wrappers.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span};

use tokio::time::Instant;

use super::output;
use crate::body::BodyCall;
use crate::context::ToolContext;
use crate::definition::ToolDefinition;
use crate::hooks::{BoxFuture, Innermost, Inside, any_cancelled, first_cancelled};
use crate::model::{CallResult, ToolError, ToolResult};
use crate::panic::catch_future;
use crate::record::{Stage, summary};
use crate::registry::Snapshot;
use crate::span;
use crate::stages::{Outcome, Run};

/// Runs wrappers and body, and says what the call came to.
pub(super) async fn dispatch(run: &Run) -> Outcome {
    let span = span::open(&run.execution);
    let outcome = in_wrappers(run, &span).instrument(span.clone()).await;
    span::close(&span, outcome.result());
    outcome
}

async fn in_wrappers(run: &Run, span: &Span) -> Outcome {
    if run.snapshot.hooks.around.is_empty() {
        // Nothing was done since the last step, and looking at the clock is dear.
        let result = run_body(run, Vec::new(), run.recorder.last()).await;
        return Outcome::Open(after_wrappers(run, result));
    }
    let inside = Inside {
        wrappers: &run.snapshot.hooks.around,
        execution: &run.execution,
        innermost: run,
        recorder: &run.recorder,
        span,
    };
    match inside.run(Vec::new()).await {
        Ok(result) => Outcome::Open(after_wrappers(run, result)),
        Err(error) => Outcome::last(error),
    }
}

/// The result with what the body wanted said after it, unless the caller has cancelled.
fn after_wrappers(run: &Run, result: CallResult) -> CallResult {
    let deferred = run.execution.take_deferred();
    unless_cancelled(run, result.with_contexts_before(deferred))
}

/// A success that comes after the caller cancelled is a cancellation; contexts are kept.
pub(super) fn unless_cancelled(run: &Run, result: CallResult) -> CallResult {
    if result.is_error() || !run.execution.is_cancelled() {
        return result;
    }
    let error = if run.execution.body_started() {
        ToolError::aborted()
    } else {
        ToolError::aborted_before_dispatch()
    };
    CallResult::failure(error).with_contexts(result.contexts().iter().cloned())
}

impl Innermost for Run {
    fn run(&self, signals: Vec<CancellationToken>) -> BoxFuture<'_, CallResult> {
        Box::pin(run_body(self, signals, Instant::now()))
    }

    fn normalize(&self, result: CallResult) -> ToolResult<CallResult> {
        if result.is_error() || result.is_made_for(self.execution.token().number()) {
            return Ok(result);
        }
        let definition = self.current_definition()?;
        let value = result.value().cloned().unwrap_or_default();
        let contexts = result.contexts().iter().cloned();
        let made = output::success(&definition, &self.execution, value.into());
        match made.error() {
            Some(error) => Err(error.clone()),
            None => Ok(made.and_contexts(contexts)),
        }
    }
}

impl Run {
    /// What the scope sees by now, if that is something else than when the call came.
    pub(super) fn newer_snapshot(&self) -> Option<Arc<Snapshot>> {
        self.registry.newer_snapshot(self.execution.scope(), &self.snapshot)
    }

    /// The tool as it is registered now; whoever is registered when the body starts runs.
    pub(super) fn current_definition(&self) -> ToolResult<ToolDefinition> {
        let (name, options) = (self.execution.name(), self.execution.options());
        let definition = match self.newer_snapshot() {
            None if options.tool_set.is_none() => self.execution.definition().cloned(),
            None => options.executable(&self.snapshot, name),
            Some(snapshot) => options.executable(&snapshot, name),
        };
        definition.ok_or_else(|| ToolError::unknown_tool(name))
    }
}

/// Looks the tool up, runs its body to the end, and makes the result.
async fn run_body(run: &Run, signals: Vec<CancellationToken>, started: Instant) -> CallResult {
    let execution = &run.execution;
    if execution.is_cancelled() || any_cancelled(&signals) {
        return CallResult::failure(ToolError::aborted_before_dispatch());
    }
    let definition = match run.current_definition() {
        Ok(definition) => definition,
        Err(error) => return CallResult::failure(error),
    };
    let token = execution.child_token();
    let cx = ToolContext {
        execution: execution.clone(),
        cancellation: token.clone(),
        signals: signals.clone(),
        registry: run.registry.clone(),
        timeout: definition.timeout(),
        started,
    };
    execution.start_body();
    let call = BodyCall { cx, tool: definition.clone() };
    let body = catch_future("the tool", || definition.start(call));
    let settled = settle(body, &signals, &token, definition.grace()).await;
    let (result, end) = match settled {
        Settled::Returned(Ok(Ok(value))) => {
            let result = output::success(&definition, execution, value);
            let cancelled = token.is_cancelled() || any_cancelled(&signals);
            if cancelled && !result.is_error() {
                (CallResult::failure(ToolError::aborted()), "")
            } else {
                (result, "")
            }
        }
        Settled::Returned(Ok(Err(error)) | Err(error)) => {
            (CallResult::failure(error.of_tool(definition.name())), "")
        }
        Settled::Dropped => {
            (CallResult::failure(ToolError::aborted()), ", dropped after its grace")
        }
    };
    run.recorder.add(Stage::Body, definition.shared_name(), started, || match end {
        "" => summary(&result),
        end => format!("{}{end}", summary(&result)).into(),
    });
    result
}

/// How a body came to its end.
enum Settled<T> {
    Returned(T),
    /// It was cancelled, and its grace passed.
    Dropped,
}

/// Polls a body to its end, or until it was cancelled and its grace has passed.
///
/// The body's token follows the caller by itself, being a child; the tokens of wrappers are passed
/// on here. Without a grace nothing ends a body but the body.
async fn settle<T>(
    body: impl Future<Output = T>,
    signals: &[CancellationToken],
    token: &CancellationToken,
    grace: Option<Duration>,
) -> Settled<T> {
    if signals.is_empty() && grace.is_none() {
        return Settled::Returned(body.await);
    }
    // Timers are large, and most calls have none.
    Box::pin(settle_in_time(body, signals, token, grace)).await
}

async fn settle_in_time<T>(
    body: impl Future<Output = T>,
    signals: &[CancellationToken],
    token: &CancellationToken,
    grace: Option<Duration>,
) -> Settled<T> {
    let pass_on = async {
        first_cancelled(signals).await;
        token.cancel();
        pending::<()>().await;
    };
    let grace_over = async {
        token.cancelled().await;
        match grace {
            Some(grace) => tokio::time::sleep(grace).await,
            None => pending().await,
        }
    };
    tokio::select! {
        biased;
        value = body => Settled::Returned(value),
        () = pass_on => unreachable!("it never ends"),
        () = grace_over => Settled::Dropped,
    }
}
