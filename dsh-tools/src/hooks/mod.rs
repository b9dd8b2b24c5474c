//! The traits people extend the pipeline with: one or two methods each, and closures implement them.
//!
//! Hooks of one kind run in the order they were added; the first is the outermost. Outbound hooks
//! enclose nothing, and have phases. A hook that fails or panics never lets a call through.

mod approval;
mod around;
mod condition;
mod executor;
mod guard;
mod observer;
mod outbound;
mod post_execute;
mod pre_execute;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

pub use self::approval::{Approval, ApprovalRequest, Approver, Grant, approver_fn};
pub use self::around::{Around, AroundNext, around_fn};
pub use self::condition::{Condition, ConditionContext, ModelSelection};
pub use self::executor::{Offer, ToolExecutor};
pub use self::guard::Guard;
pub use self::observer::ResultObserver;
pub use self::outbound::{Outbound, OutboundPhase, outbound_fn};
pub use self::post_execute::{PostDecision, PostExecute, PostNext, post_execute_fn};
pub use self::pre_execute::{PreDecision, PreExecute, PreNext, pre_execute_fn};

pub(crate) use self::around::{Innermost, Inside, any_cancelled, first_cancelled};

/// A boxed future, so that hooks can be stored and called without knowing their type.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A hook under the name that decision records call it by.
pub(crate) struct Named<H: ?Sized> {
    pub(crate) id: u64,
    /// Its place among hooks of its kind, whatever their scopes.
    pub(crate) order: i128,
    pub(crate) name: Arc<str>,
    pub(crate) hook: Arc<H>,
}

impl<H: ?Sized> Named<H> {
    /// Inside all hooks that were added before.
    pub(crate) fn last(id: u64, name: Arc<str>, hook: Arc<H>) -> Self {
        Self { id, order: id.into(), name, hook }
    }

    /// Outside all hooks that were added before.
    pub(crate) fn first(id: u64, name: Arc<str>, hook: Arc<H>) -> Self {
        Self { id, order: -i128::from(id), name, hook }
    }

    /// After all hooks of earlier phases and before all of later ones.
    pub(crate) fn in_phase(mut self, phase: OutboundPhase) -> Self {
        /// Larger than any id.
        const PHASE: i128 = 1 << 64;
        self.order += PHASE * phase as i128;
        self
    }
}

impl<H: ?Sized> Clone for Named<H> {
    fn clone(&self) -> Self {
        let Self { id, order, name, hook } = self;
        Self { id: *id, order: *order, name: Arc::clone(name), hook: Arc::clone(hook) }
    }
}
