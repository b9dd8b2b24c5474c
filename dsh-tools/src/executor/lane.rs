//! Runs calls in order: they start and are completed in the order in which they come, and only their
//! bodies overlap.

use std::collections::VecDeque;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tracing::Instrument;

use crate::context::CallOptions;
use crate::execution::Execution;
use crate::log::{self, Event};
use crate::model::{CallResult, ToolCall, ToolError};
use crate::record::DecisionRecord;
use crate::registry::ToolRegistry;
use crate::stages::{Completed, Dispatched, Prepared};

/// Calls that were started and not completed, each with what its owner knows it by.
pub(crate) struct Lane<'r, K> {
    registry: &'r ToolRegistry,
    pub(crate) options: CallOptions,
    slots: Arc<Semaphore>,
    running: VecDeque<Running<K>>,
}

struct Running<K> {
    key: K,
    execution: Execution,
    settled: oneshot::Receiver<Dispatched>,
}

/// The right to run one body beside others.
pub(crate) type Slot = OwnedSemaphorePermit;

impl<'r, K> Lane<'r, K> {
    pub(crate) fn new(
        registry: &'r ToolRegistry,
        options: CallOptions,
        max_parallel: usize,
    ) -> Self {
        let slots = Arc::new(Semaphore::new(max_parallel));
        Self { registry, options, slots, running: VecDeque::new() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Whether the first of them has come to its end.
    pub(crate) fn has_settled(&self) -> bool {
        self.running.front().is_some_and(|first| !first.settled.is_empty())
    }

    /// Where a slot is to be had; nobody closes it.
    pub(crate) fn slots(&self) -> Arc<Semaphore> {
        Arc::clone(&self.slots)
    }

    /// Waits until fewer bodies run than may.
    pub(crate) async fn slot(&self) -> Slot {
        self.slots().acquire_owned().await.expect("nobody closes the semaphore of a lane")
    }

    /// Whether a call may overlap with others, as its tool is now.
    pub(crate) fn is_parallel(&self, call: &ToolCall) -> bool {
        let snapshot = self.registry.snapshot_for(self.options.scope());
        let definition = self.options.executable(&snapshot, &call.name);
        definition.is_some_and(|definition| definition.is_parallel(&call.arguments))
    }

    /// The first stage of a call.
    pub(crate) async fn prepare(&self, call: ToolCall) -> Prepared {
        self.registry.prepare(call, self.options.clone()).await
    }

    /// Starts the second stage of a call.
    pub(crate) async fn dispatch(&mut self, slot: Slot, key: K, prepared: Prepared) {
        let (settle, settled) = oneshot::channel();
        self.running.push_back(Running { key, execution: prepared.execution().clone(), settled });
        let is_admitted = prepared.is_admitted();
        let dispatch = async move {
            // A slot is free only when the result is there to be completed.
            let _nobody_waits = settle.send(prepared.dispatch().await);
            drop(slot);
        };
        if is_admitted {
            // A task has no span of its own; the call belongs below the step that asked for it.
            drop(tokio::spawn(dispatch.in_current_span()));
            // A body that is first in order also begins first.
            tokio::task::yield_now().await;
        } else {
            dispatch.await;
        }
    }

    /// Waits until the first of them has come to its end; for ever if there is none.
    ///
    /// # Cancel safety
    /// Yes: the call stays the first one.
    pub(crate) async fn settled(&mut self) -> (K, Settled) {
        let Some(first) = self.running.front_mut() else { return pending().await };
        let dispatched = (&mut first.settled).await.ok();
        let first = self.running.pop_front().expect("it is still there");
        (first.key, Settled { execution: first.execution, dispatched })
    }
}

/// A call that has come to its end and is not completed.
pub(crate) struct Settled {
    execution: Execution,
    dispatched: Option<Dispatched>,
}

impl Settled {
    /// The last stage of the call.
    pub(crate) async fn complete(self) -> Completed {
        if let Some(dispatched) = self.dispatched {
            return dispatched.complete().await;
        }
        // The runtime is going down, and dropped its task.
        let (call, tool) = (self.execution.call_id(), self.execution.name());
        tracing::error!(call, tool, "the dispatch of a call was dropped by the runtime");
        let completed = synthetic(self.execution, ToolError::aborted());
        if let Some(log) = &completed.execution.options().log {
            log::append(&**log, Event::result(&completed)).await;
        }
        completed
    }
}

/// A result that no stage made.
pub(crate) fn synthetic(execution: Execution, error: ToolError) -> Completed {
    Completed {
        execution,
        result: CallResult::failure(error),
        record: DecisionRecord::default(),
        took: Duration::ZERO,
    }
}
