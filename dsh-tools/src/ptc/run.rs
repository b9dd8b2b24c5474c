//! One run: the program on one side, its calls on the other, until both have ended.

use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

use super::bindings::{Bindings, Reply, Submission};
use super::ledger::Ledger;
use super::runtime::{Budgets, CodeRuntime, Failure, FailureKind, Outcome, Program};
use crate::context::{CallOptions, ToolContext};
use crate::executor::{Lane, Settled};
use crate::json::is_lossless;
use crate::log::{self, Event};
use crate::model::{CallResult, ContentBlock, Context, ToolCall, ToolError, ToolResult};
use crate::panic::catch_future;

/// Runs a program whose calls are made under the call of this context.
///
/// It ends when the program has ended and every call that it started is completed and logged.
pub(super) async fn run(
    runtime: &dyn CodeRuntime,
    cx: &ToolContext,
    source: String,
    budgets: Budgets,
    max_parallel: usize,
) -> ToolResult<Outcome> {
    let (bindings, submitted) = Bindings::new(bound(cx));
    let cancellation = cx.cancellation().child_token();
    // Dropped half-way, the run takes what it started with it.
    let _cancel_on_drop = cancellation.clone().drop_guard();
    let over = CancellationToken::new();
    let program = Program { source, bindings, cancellation: cancellation.clone(), budgets };
    let program = async {
        let ran = catch_future("the code runtime", || runtime.run(program)).await;
        over.cancel();
        cancellation.cancel();
        ran.and_then(|outcome| outcome)
    };
    let options = CallOptions::new().nested_in(cx).with_cancellation(cancellation.clone());
    let calls = SubCalls {
        cx,
        lane: Lane::new(cx.registry(), options, max_parallel),
        over: over.clone(),
        submitted: 0,
    };
    tokio::join!(program, calls.serve(submitted)).0
}

/// The names of the tools that the caller may call, which a program calls by them.
fn bound(cx: &ToolContext) -> Vec<String> {
    let options = cx.execution.options();
    let definitions = match (&options.tool_set, options.scope()) {
        (Some(tool_set), _) => tool_set.definitions().into(),
        (None, Some(scope)) => scope.definitions(),
        (None, None) => cx.registry().definitions(),
    };
    definitions.iter().map(|definition| definition.name().to_owned()).collect()
}

/// The calls of a program.
struct SubCalls<'r> {
    cx: &'r ToolContext,
    lane: Lane<'r, Waiting>,
    /// Fires when the program has ended.
    over: CancellationToken,
    submitted: u64,
}

/// A call that was started, and who waits for it.
struct Waiting {
    call: ToolCall,
    reply: Reply,
}

impl SubCalls<'_> {
    async fn serve(mut self, mut submitted: UnboundedReceiver<Submission>) {
        loop {
            tokio::select! {
                biased;
                (waiting, settled) = self.lane.settled() => self.commit(waiting, settled).await,
                () = self.over.cancelled() => break,
                Some(submission) = submitted.recv() => self.start(submission).await,
                else => self.over.cancelled().await,
            }
        }
        submitted.close();
        while let Ok(submission) = submitted.try_recv() {
            abandon(&submission.name, submission.reply);
        }
        while !self.lane.is_empty() {
            self.commit_first().await;
        }
    }

    /// Starts a call as soon as its turn comes; an exclusive one also runs to its end.
    async fn start(&mut self, Submission { name, arguments, reply }: Submission) {
        self.submitted += 1;
        let id = format!("{}:ptc:{}", self.cx.call_id(), self.submitted);
        let call = ToolCall::new(id, name, arguments);
        let slots = self.lane.slots();
        let slot = loop {
            tokio::select! {
                biased;
                () = self.over.cancelled() => return abandon(&call.name, reply),
                (waiting, settled) = self.lane.settled() => self.commit(waiting, settled).await,
                slot = slots.clone().acquire_owned() => {
                    break slot.expect("nobody closes the semaphore of a lane");
                }
            }
        };
        while self.lane.has_settled() {
            self.commit_first().await;
        }
        // The class is asked for as late as can be: results that came meanwhile may change it.
        let exclusive = !self.lane.is_parallel(&call);
        while exclusive && !self.lane.is_empty() {
            tokio::select! {
                biased;
                () = self.over.cancelled() => return abandon(&call.name, reply),
                (waiting, settled) = self.lane.settled() => self.commit(waiting, settled).await,
            }
        }
        if self.over.is_cancelled() {
            return abandon(&call.name, reply);
        }
        self.log(|cx| Event::program_call(&call, cx)).await;
        let prepared = self.lane.prepare(call.clone()).await;
        self.lane.dispatch(slot, Waiting { call, reply }, prepared).await;
        while exclusive && !self.lane.is_empty() {
            self.commit_first().await;
        }
    }

    async fn commit_first(&mut self) {
        let (waiting, settled) = self.lane.settled().await;
        self.commit(waiting, settled).await;
    }

    /// Completes a call, hands on what it leaves behind, answers the program, then writes its record.
    async fn commit(&self, Waiting { call, reply }: Waiting, settled: Settled) {
        let completed = settled.complete().await;
        let result = completed.result();
        self.attach_images(result);
        self.cx.forward_contexts(result.contexts().iter().cloned());
        if result.concludes_turn() {
            self.cx.conclude_turn();
        }
        let answer = match (self.over.is_cancelled(), result.error()) {
            (true, _) => Err(is_over(&call.name, "result discarded")),
            (false, Some(error)) => Err(error.message().to_owned()),
            (false, None) => Ok(result.value().cloned().unwrap_or_default()),
        };
        // A program that has ended hears nothing.
        let _heard = reply.send(answer);
        self.log(|cx| Event::program_result(&call, result, cx)).await;
    }

    /// A program only sees values, so images follow the result of the run.
    fn attach_images(&self, result: &CallResult) {
        let is_image = |block: &ContentBlock| matches!(block, ContentBlock::Image { .. });
        if !result.is_error() && result.content().blocks().iter().any(is_image) {
            let context =
                Context { source: "ptc-mode".to_owned(), content: result.content().clone() };
            self.cx.forward_contexts([context]);
        }
    }

    async fn log(&self, event: impl FnOnce(&ToolContext) -> Event) {
        let options = self.cx.execution.options();
        if let (Some(log), Some(_)) = (&options.log, &options.scope) {
            log::append(&**log, event(self.cx)).await;
        }
    }
}

fn checked(outcome: Outcome, budgets: Budgets) -> Outcome {
    let Outcome { mut value, logs, mut failure } = outcome;
    if value.as_ref().is_some_and(|value| !is_lossless(value)) {
        let message = "program completion must be lossless JSON";
        failure = Some(Failure::new(FailureKind::InvalidOutput, message));
    }
    if failure.is_some() {
        value = None;
    }
    let mut ledger = Ledger::new(budgets.output_bytes);
    let message = failure.as_ref().map(|failure| Value::from(failure.message.as_str()));
    let fits = logs.iter().try_for_each(|line| ledger.print(line));
    if let Err(limit) = fits.and_then(|()| ledger.close(value.as_ref().or(message.as_ref()))) {
        value = None;
        failure = Some(Failure::new(FailureKind::OutputLimit, limit.to_string()));
    }
    Outcome { value, logs: ledger.into_lines(), failure }
}

/// Answers a call that was not started when the program ended.
fn abandon(name: &str, reply: Reply) {
    let _heard = reply.send(Err(is_over(name, "tool call abandoned")));
}

fn is_over(name: &str, what: &str) -> String {
    format!("run_code run is over (run_code settled); {name} {what}")
}

/// The value of `run_code`, or its failure with what was printed until then.
///
/// The runtime has kept to the budget for output and to JSON, or it has not: both are looked at again.
pub(super) fn result(outcome: Outcome, budgets: Budgets) -> ToolResult<Value> {
    let Outcome { value, logs, failure } = checked(outcome, budgets);
    let Some(failure) = failure else {
        let mut result = serde_json::Map::new();
        result.insert("logs".to_owned(), logs.into());
        if let Some(value) = value {
            result.insert("result".to_owned(), value);
        }
        return Ok(result.into());
    };
    let mut message = format!("code run failed ({}): {}", failure.kind.as_str(), failure.message);
    if !logs.is_empty() {
        message += "\nCaptured output:\n";
        message += &logs.join("\n");
    }
    Err(ToolError::named("CodeRunFailedError", "CODE_RUN_FAILED".into(), message))
}
