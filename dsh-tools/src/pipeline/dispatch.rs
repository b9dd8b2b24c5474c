//! The body inside its wrappers.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::output;
use crate::body::BodyCall;
use crate::context::ToolContext;
use crate::definition::ToolDefinition;
use crate::hooks::{AroundNext, BoxFuture, Innermost};
use crate::model::{CallResult, ToolError, ToolResult};
use crate::panic::catch_future;
use crate::record::{Stage, summary};
use crate::span;
use crate::stages::{Outcome, Run};

/// Runs wrappers and body, and says what the call came to.
pub(super) async fn dispatch(run: &Run) -> Outcome {
    let execution = &run.execution;
    let span = span::open(execution);
    let next = AroundNext {
        rest: &run.snapshot.around,
        execution,
        innermost: run,
        recorder: &run.recorder,
        signal: execution.cancellation().clone(),
        span: &span,
    };
    let outcome = match next.run().instrument(span.clone()).await {
        Ok(result) => {
            let result = result.with_contexts_before(execution.take_deferred());
            Outcome::Open(unless_cancelled(run, result))
        }
        Err(error) => Outcome::last(error),
    };
    span::close(&span, outcome.result());
    outcome
}

/// A success that comes after the caller cancelled is a cancellation; contexts are kept.
pub(super) fn unless_cancelled(run: &Run, result: CallResult) -> CallResult {
    if result.is_error() || !run.execution.cancellation().is_cancelled() {
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
    fn run(&self, signal: CancellationToken) -> BoxFuture<'_, CallResult> {
        Box::pin(run_body(self, signal))
    }

    fn normalize(&self, result: CallResult) -> ToolResult<CallResult> {
        if result.is_error() || result.is_made_for(self.execution.token().number()) {
            return Ok(result);
        }
        let definition = self.current_definition()?;
        let value = result.value().cloned().unwrap_or_default();
        let contexts = result.contexts().iter().cloned();
        Ok(output::success(&definition, &self.execution, value).with_contexts(contexts))
    }
}

impl Run {
    /// The tool as it is registered now; whoever is registered when the body starts runs.
    pub(super) fn current_definition(&self) -> ToolResult<ToolDefinition> {
        let name = self.execution.name();
        self.registry.get(name).ok_or_else(|| ToolError::unknown_tool(name))
    }
}

/// Looks the tool up, runs its body to the end, and makes the result.
async fn run_body(run: &Run, signal: CancellationToken) -> CallResult {
    let execution = &run.execution;
    if signal.is_cancelled() || execution.cancellation().is_cancelled() {
        return CallResult::failure(ToolError::aborted_before_dispatch());
    }
    let definition = match run.current_definition() {
        Ok(definition) => definition,
        Err(error) => return CallResult::failure(error),
    };
    let started = run.recorder.start();
    let token = execution.cancellation().child_token();
    let cx = ToolContext {
        execution: execution.clone(),
        cancellation: token.clone(),
        state: Arc::clone(run.registry.state()),
        timeout: definition.timeout(),
        started,
    };
    execution.start_body();
    let call = BodyCall { arguments: execution.raw_arguments().clone(), cx };
    let body = catch_future("the tool", async { definition.start(call).await });
    let settled = settle(body, &signal, &token, definition.grace()).await;
    let (result, end) = match settled {
        Settled::Returned(Ok(Ok(_))) if token.is_cancelled() => {
            (CallResult::failure(ToolError::aborted()), "")
        }
        Settled::Returned(Ok(Ok(value))) => (output::success(&definition, execution, value), ""),
        Settled::Returned(Ok(Err(error)) | Err(error)) => {
            (CallResult::failure(error.of_tool(definition.name())), "")
        }
        Settled::Dropped => {
            (CallResult::failure(ToolError::aborted()), ", dropped after its grace")
        }
    };
    let name = Arc::from(definition.name());
    run.recorder.add(Stage::Body, &name, started, || format!("{}{end}", summary(&result)));
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
/// The body's token follows the caller by itself, being a child; a wrapper's signal is passed on
/// here. Without a grace nothing ends a body but the body.
async fn settle<T>(
    body: impl Future<Output = T>,
    signal: &CancellationToken,
    token: &CancellationToken,
    grace: Option<Duration>,
) -> Settled<T> {
    let pass_on = async {
        signal.cancelled().await;
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
