//! A guard that undoes a registration on drop.

use std::fmt;
use std::sync::{Arc, PoisonError, Weak};

use super::snapshot::Snapshot;
use super::{Shared, ToolRegistry};

/// Undoes what it was returned for when it is dropped.
///
/// Undoing removes exactly that registration: if the name was registered anew meanwhile, the new
/// tool stays.
#[must_use = "dropping it undoes the registration; call `.keep()` to let it live on"]
pub struct Registration {
    registry: Weak<Shared>,
    id: u64,
}

impl Registration {
    pub(super) fn new(registry: &Arc<Shared>, id: u64) -> Self {
        Self { registry: Arc::downgrade(registry), id }
    }

    /// Lets the registration live as long as the registry.
    pub fn keep(mut self) {
        self.registry = Weak::new();
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let Some(shared) = self.registry.upgrade() else { return };
        let registry = ToolRegistry(shared);
        let _writing = registry.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut snapshot = Snapshot::clone(&registry.snapshot());
        snapshot.remove(self.id);
        registry.publish(snapshot);
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registration({})", self.id)
    }
}
