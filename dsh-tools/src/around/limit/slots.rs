//! Places for calls that run at a time.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Duration, timeout};

use crate::execution::{CallToken, Execution};

/// Places that are given in the order in which they are asked for.
pub(super) struct Slots {
    pub(super) count: NonZeroUsize,
    semaphore: Semaphore,
    /// The calls that have a place, and those nested in them.
    inside: Mutex<HashSet<CallToken>>,
}

/// A place, or part of that of an outer call; it is free again when this is dropped.
pub(super) struct Slot<'s> {
    slots: &'s Slots,
    token: CallToken,
    /// Whether this is what brought the call in.
    is_first: bool,
    _permit: Option<SemaphorePermit<'s>>,
}

impl Slots {
    pub(super) fn new(count: NonZeroUsize) -> Self {
        let semaphore = Semaphore::new(count.get().min(Semaphore::MAX_PERMITS));
        Self { count, semaphore, inside: Mutex::default() }
    }

    /// Whether the call has a place already, or one that it is nested in has.
    pub(super) fn encloses(&self, execution: &Execution) -> bool {
        let inside = self.inside();
        inside.contains(&execution.token())
            || execution.parent().is_some_and(|parent| inside.contains(&parent))
    }

    /// A place, if one is free and nobody waits for it.
    pub(super) fn try_enter(&self, execution: &Execution) -> Option<Slot<'_>> {
        if self.encloses(execution) {
            return Some(self.slot(execution, None));
        }
        let permit = self.semaphore.try_acquire().ok()?;
        Some(self.slot(execution, Some(permit)))
    }

    /// A place as soon as there is one, unless that takes too long.
    pub(super) async fn enter(
        &self,
        execution: &Execution,
        max_wait: Option<Duration>,
    ) -> Option<Slot<'_>> {
        let place = self.semaphore.acquire();
        let permit = match max_wait {
            None => place.await,
            Some(Duration::ZERO) => return None,
            Some(max_wait) => timeout(max_wait, place).await.ok()?,
        };
        Some(self.slot(execution, Some(permit.expect("nobody closes the places of a limit"))))
    }

    fn slot<'s>(&'s self, execution: &Execution, permit: Option<SemaphorePermit<'s>>) -> Slot<'s> {
        let token = execution.token();
        let is_first = self.inside().insert(token);
        Slot { slots: self, token, is_first, _permit: permit }
    }

    fn inside(&self) -> MutexGuard<'_, HashSet<CallToken>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        if self.is_first {
            self.slots.inside().remove(&self.token);
        }
    }
}
