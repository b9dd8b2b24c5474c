//! A guard that undoes a registration on drop.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Weak};

use super::entries::Id;
use super::layer::ScopeId;
use super::{Shared, ToolRegistry};

/// Undoes what it was returned for when it is dropped.
///
/// Undoing removes exactly that registration, once: if the name was registered anew meanwhile, the
/// new tool stays.
#[must_use = "dropping it undoes the registration; call `.keep()` to let it live on"]
pub struct Registration {
    registry: Weak<Shared>,
    scope: ScopeId,
    ids: Range<Id>,
}

impl Registration {
    pub(super) fn new(registry: &ToolRegistry, scope: ScopeId, ids: Range<Id>) -> Self {
        Self { registry: Arc::downgrade(&registry.0), scope, ids }
    }

    /// Lets the registration live as long as the scope or registry it was made in.
    pub fn keep(mut self) {
        self.registry = Weak::new();
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        let Some(shared) = self.registry.upgrade() else { return };
        ToolRegistry(shared).undo(self.scope, &self.ids);
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registration({:?})", self.ids)
    }
}
