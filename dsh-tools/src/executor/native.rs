//! Calls tools directly: a bounded rolling pool, exclusive barriers, results in call order.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tracing::Instrument;

use super::batch::{Batch, BatchOutcome};
use crate::context::CallOptions;
use crate::execution::Execution;
use crate::log::{self, Event};
use crate::model::{CallResult, ToolCall, ToolError};
use crate::record::DecisionRecord;
use crate::registry::ToolRegistry;
use crate::stages::{Completed, Dispatched};

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
/// # async fn main() -> Result<(), dsh_tools::BuildError> {
/// let executor = NativeExecutor::new(ToolRegistry::builder().function(double).build()?);
/// let outcome = executor
///     .execute(Batch::new([
///         ToolCall::new("1", "double", r#"{"number": 4}"#),
///         ToolCall::new("2", "triple", "{}"),
///         ToolCall::new("3", "double", r#"{"number": "four"}"#),
///     ]))
///     .await;
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
#[derive(Clone, Debug)]
pub struct NativeExecutor {
    registry: ToolRegistry,
    max_parallel: NonZeroUsize,
}

impl NativeExecutor {
    /// An executor for the tools of this registry, with at most 10 bodies at a time.
    pub fn new(registry: ToolRegistry) -> Self {
        const TEN: NonZeroUsize = NonZeroUsize::new(10).expect("ten is not zero");
        Self { registry, max_parallel: TEN }
    }

    /// Sets how many bodies of a batch may run at a time. Default: 10.
    #[must_use]
    pub fn with_max_parallel(mut self, max_parallel: NonZeroUsize) -> Self {
        self.max_parallel = max_parallel;
        self
    }

    /// Runs a batch and gives one result for every call, in call order.
    ///
    /// When the token of the options fires, nothing more is started, what runs is awaited, and
    /// every call that was not started is answered with `ABORTED_BEFORE_DISPATCH`. Bodies run as
    /// tasks of the current runtime.
    ///
    /// # Panics
    /// Outside of a tokio runtime.
    ///
    /// # Cancel safety
    /// No results are given when the future is dropped. Bodies that have started are cancelled
    /// then, and run to their end on the runtime.
    pub async fn execute(&self, batch: Batch) -> BatchOutcome {
        let Batch { calls, options } = batch;
        let caller = options.cancellation().cloned();
        let token = options.child_token();
        let mut pool = Pool {
            options: options.with_cancellation(token.clone()),
            caller,
            slots: Arc::new(Semaphore::new(self.max_parallel.get())),
            running: VecDeque::new(),
            results: Vec::with_capacity(calls.len()),
            _cancel_on_drop: token.drop_guard(),
        };
        for call in calls {
            self.start(&mut pool, call).await;
        }
        pool.commit_all().await;
        let concluded = pool.results.iter().any(|completed| completed.result.concludes_turn());
        BatchOutcome { results: pool.results, concluded }
    }

    /// Starts a call as soon as its turn comes; an exclusive one also runs to its end.
    async fn start(&self, pool: &mut Pool, call: ToolCall) {
        let slot = pool.next_slot().await;
        pool.commit_settled().await;
        // The class is asked for as late as can be: results that came meanwhile may change it.
        let exclusive = !self.is_parallel(&call, &pool.options);
        if exclusive {
            pool.commit_all().await;
        }
        if pool.caller.as_ref().is_some_and(CancellationToken::is_cancelled) {
            pool.skip(call).await;
            return;
        }
        let prepared = self.registry.prepare(call, pool.options.clone()).await;
        let execution = prepared.execution().clone();
        let dispatch = async move {
            let dispatched = prepared.dispatch().await;
            drop(slot);
            dispatched
        };
        // A task has no span of its own; the call belongs below the step that asked for it.
        let task = tokio::spawn(dispatch.in_current_span());
        pool.running.push_back(Running { execution, task });
        if exclusive {
            pool.commit_all().await;
        }
    }

    fn is_parallel(&self, call: &ToolCall, options: &CallOptions) -> bool {
        let snapshot = self.registry.snapshot_for(options.scope());
        let definition = options.executable(&snapshot, &call.name);
        definition.is_some_and(|definition| definition.is_parallel(&call.arguments))
    }
}

/// Calls that were started and not committed, and the results that were.
struct Pool {
    options: CallOptions,
    caller: Option<CancellationToken>,
    slots: Arc<Semaphore>,
    running: VecDeque<Running>,
    results: Vec<Completed>,
    /// Dropped with the batch, it tells the bodies that nobody waits any more.
    _cancel_on_drop: DropGuard,
}

struct Running {
    execution: Execution,
    task: JoinHandle<Dispatched>,
}

impl Pool {
    /// Waits until fewer bodies run than may.
    async fn next_slot(&self) -> OwnedSemaphorePermit {
        let slots = Arc::clone(&self.slots);
        slots.acquire_owned().await.expect("nobody closes the semaphore of a batch")
    }

    /// Commits what is settled at the front, without waiting.
    async fn commit_settled(&mut self) {
        while self.running.front().is_some_and(|first| first.task.is_finished()) {
            self.commit_first().await;
        }
    }

    async fn commit_all(&mut self) {
        while !self.running.is_empty() {
            self.commit_first().await;
        }
    }

    /// Waits for the oldest call and completes it.
    async fn commit_first(&mut self) {
        let Some(Running { execution, task }) = self.running.pop_front() else { return };
        let completed = match task.await {
            Ok(dispatched) => dispatched.complete().await,
            Err(error) => {
                tracing::error!(
                    call = execution.call_id(),
                    tool = execution.name(),
                    "the dispatch of a call broke: {error}"
                );
                let completed = synthetic(execution, ToolError::aborted());
                self.log(|| Event::result(&completed)).await;
                completed
            }
        };
        self.results.push(completed);
    }

    /// Answers a call that is not started, after all that were.
    async fn skip(&mut self, call: ToolCall) {
        self.commit_all().await;
        self.log(|| Event::call(&call, &self.options)).await;
        let execution = Execution::new(call, self.options.clone(), None);
        let completed = synthetic(execution, ToolError::aborted_before_dispatch());
        self.log(|| Event::result(&completed)).await;
        self.results.push(completed);
    }

    /// Logs an event of a call that no stage logs.
    async fn log(&self, event: impl FnOnce() -> Event) {
        if let Some(log) = &self.options.log {
            log::append(&**log, event()).await;
        }
    }
}

/// A result that no stage made.
fn synthetic(execution: Execution, error: ToolError) -> Completed {
    Completed {
        execution,
        result: CallResult::failure(error),
        record: DecisionRecord::default(),
        took: Duration::ZERO,
    }
}
