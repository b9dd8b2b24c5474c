//! Calls tools directly: a bounded rolling pool, exclusive barriers, results in call order.

use std::num::NonZeroUsize;
use std::sync::Arc;

use tokio_util::sync::{CancellationToken, DropGuard};

use super::batch::{Batch, BatchOutcome};
use super::error::ExecutorError;
use super::lane::{Lane, synthetic};
use super::watched_log::WatchedLog;
use crate::context::CallOptions;
use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::hooks::{BoxFuture, Offer, ToolExecutor};
use crate::log::{self, Event, SessionLog};
use crate::model::{ToolCall, ToolError, ToolResult};
use crate::registry::ToolRegistry;
use crate::stages::Completed;

/// Runs the calls of a batch directly.
///
/// Consecutive calls of tools that are [`parallel`](crate::ToolDefinition::with_parallel) overlap;
/// every other call runs alone. Policy before and after a call runs in call order, one at a time,
/// and only bodies overlap.
///
/// ```
/// use dsh_tools::prelude::*;
/// use dsh_tools::{Batch, NativeExecutor, ToolCall};
///
/// /// Double a number.
/// #[tool(parallel)]
/// fn double(#[arg] number: i32) -> i32 {
///     number * 2
/// }
///
/// # #[tokio::main]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let executor = NativeExecutor::new();
/// let registry = ToolRegistry::builder().function(double).executor(executor).build()?;
/// let outcome = registry
///     .execute_batch(Batch::new([
///         ToolCall::new("1", "double", r#"{"number": 4}"#),
///         ToolCall::new("2", "triple", "{}"),
///         ToolCall::new("3", "double", r#"{"number": "four"}"#),
///     ]))
///     .await?;
/// let texts: Vec<_> = outcome.results.iter().map(|r| r.result().content().to_string()).collect();
/// assert_eq!(
///     texts,
///     [
///         "8",
///         r#"Error: unknown tool "triple""#,
///         r#"Error: invalid arguments: "number" must be an integer, got a string"#,
///     ]
/// );
/// # Ok(())
/// # }
/// ```
///
/// When the token of the options fires, nothing more is started, what runs is awaited, and every call
/// that was not started is answered with `ABORTED_BEFORE_DISPATCH`. A session log that breaks ends the
/// batch with an error: nothing more is started, what runs is awaited, and the error has the results.
///
/// # Panics
/// [`execute`](ToolExecutor::execute) does outside of a tokio runtime: bodies run as its tasks.
///
/// # Cancel safety
/// No results are given when the future of a batch is dropped. Bodies that have started are cancelled
/// then, and run to their end on the runtime.
#[derive(Clone, Copy, Debug)]
pub struct NativeExecutor {
    max_parallel: NonZeroUsize,
}

impl NativeExecutor {
    /// An executor with at most 10 bodies of a batch at a time.
    pub const fn new() -> Self {
        const TEN: NonZeroUsize = NonZeroUsize::new(10).expect("ten is not zero");
        Self { max_parallel: TEN }
    }

    /// Sets how many bodies of a batch may run at a time; one is strictly serial. Default: 10.
    #[must_use]
    pub const fn with_max_parallel(mut self, max_parallel: NonZeroUsize) -> Self {
        self.max_parallel = max_parallel;
        self
    }
}

impl Default for NativeExecutor {
    fn default() -> Self {
        Self::new()
    }
}

impl ToolExecutor for NativeExecutor {
    /// Every tool as it is.
    fn describe(&self, tools: &[ToolDefinition]) -> ToolResult<Offer> {
        Ok(Offer {
            schemas: tools.iter().map(ToolDefinition::json).collect(),
            names: tools.iter().map(|tool| tool.name().to_owned()).collect(),
            sections: Vec::new(),
        })
    }

    fn execute<'a>(
        &'a self,
        registry: &'a ToolRegistry,
        batch: Batch,
    ) -> BoxFuture<'a, Result<BatchOutcome, ExecutorError>> {
        Box::pin(async move {
            let (calls, options) = batch.into_parts();
            let mut pool = Pool::new(registry, options, self.max_parallel.get(), calls.len());
            for call in calls {
                pool.start(call).await;
                if pool.log_failure().is_some() {
                    break;
                }
            }
            pool.commit_all().await;
            pool.finish()
        })
    }
}

/// One batch under way.
struct Pool<'r> {
    lane: Lane<'r, ()>,
    log: Option<Arc<WatchedLog>>,
    caller: Option<CancellationToken>,
    results: Vec<Completed>,
    /// Dropped with the batch, it tells the bodies that nobody waits any more.
    _cancel_on_drop: DropGuard,
}

impl<'r> Pool<'r> {
    fn new(
        registry: &'r ToolRegistry,
        mut options: CallOptions,
        max_parallel: usize,
        calls: usize,
    ) -> Self {
        let caller = options.cancellation().cloned();
        let token = options.child_token();
        let log = options.log.take().map(WatchedLog::new);
        options.log = log.clone().map(|log| -> Arc<dyn SessionLog> { log });
        Self {
            lane: Lane::new(registry, options.with_cancellation(token.clone()), max_parallel),
            log,
            caller,
            results: Vec::with_capacity(calls),
            _cancel_on_drop: token.drop_guard(),
        }
    }

    /// Starts a call as soon as its turn comes; an exclusive one also runs to its end.
    async fn start(&mut self, call: ToolCall) {
        let slot = self.lane.slot().await;
        while self.lane.has_settled() {
            self.commit_first().await;
        }
        // The class is asked for as late as can be: results that came meanwhile may change it.
        let exclusive = !self.lane.is_parallel(&call);
        if exclusive {
            self.commit_all().await;
        }
        if self.log_failure().is_some() {
            return;
        }
        if self.caller.as_ref().is_some_and(CancellationToken::is_cancelled) {
            self.skip(call).await;
            return;
        }
        let prepared = self.lane.prepare(call).await;
        if self.log_failure().is_some() {
            return;
        }
        self.lane.dispatch(slot, (), prepared).await;
        if exclusive {
            self.commit_all().await;
        }
    }

    /// How the session log broke, if it did.
    fn log_failure(&self) -> Option<&ToolError> {
        self.log.as_ref()?.failure()
    }

    async fn commit_all(&mut self) {
        while !self.lane.is_empty() {
            self.commit_first().await;
        }
    }

    /// Waits for the oldest call and completes it.
    async fn commit_first(&mut self) {
        let ((), settled) = self.lane.settled().await;
        self.results.push(settled.complete().await);
    }

    /// Answers a call that is not started, after all that were.
    async fn skip(&mut self, call: ToolCall) {
        self.commit_all().await;
        let options = self.lane.options.clone();
        let event = Event::call(&call, &options);
        let execution = Execution::new(call, options, None);
        let completed = synthetic(execution, ToolError::aborted_before_dispatch());
        if let Some(log) = &self.log {
            log::append(&**log, event).await;
            log::append(&**log, Event::result(&completed)).await;
        }
        self.results.push(completed);
    }

    fn finish(self) -> Result<BatchOutcome, ExecutorError> {
        if let Some(error) = self.log_failure().cloned() {
            return Err(ExecutorError::Log { error, completed: self.results });
        }
        let concluded = self.results.iter().any(|completed| completed.result.concludes_turn());
        Ok(BatchOutcome { results: self.results, concluded })
    }
}
