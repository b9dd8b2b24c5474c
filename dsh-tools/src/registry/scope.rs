//! An agent, or whatever else has tools and policy of its own.

use std::fmt;
use std::iter;
use std::ptr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};

use super::filter::{RestrictError, ToolFilter};
use super::handle::Registration;
use super::layer::{Layer, Layers, ScopeId};
use super::snapshot::Snapshot;
use super::sync::ArcSwapOption;
use super::{Shared, ToolRegistry};

/// An agent, or whatever else has tools and policy of its own.
///
/// A scope sees the tools of the registry and of the scopes it is nested in, less what
/// [restrictions](Self::restrict) hide, and the tools registered in itself, which stand before
/// inherited ones of the same name. Its hooks see the calls made for it and for scopes nested in
/// it. What is filed under it is removed when its last handle is dropped.
///
/// ```
/// use dsh_tools::prelude::*;
/// use dsh_tools::{CallOptions, ToolCall};
///
/// /// Says who is asked.
/// #[tool(register = false)]
/// fn who(cx: &ToolContext) -> String {
///     cx.agent().unwrap_or("nobody").to_owned()
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = ToolRegistry::builder().build()?;
/// let agent = registry.scope("researcher");
/// agent.register(ToolDefinition::of(who).unwrap())?.keep();
///
/// assert!(registry.get("who").is_none() && agent.get("who").is_some());
/// let options = CallOptions::new().with_scope(&agent);
/// let completed = registry.execute(ToolCall::new("c1", "who", "{}"), options).await;
/// assert_eq!(completed.result().content().to_string(), "researcher");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Scope {
    registry: ToolRegistry,
    parts: Arc<Parts>,
}

struct Parts {
    id: ScopeId,
    name: Arc<str>,
    /// Held, so that what is inherited lasts as long as the scope.
    parent: Option<Scope>,
    snapshot: SnapshotCell,
    registry: Weak<Shared>,
}

/// A scope that somebody else keeps.
#[derive(Clone)]
pub(crate) struct WeakScope(Weak<Parts>);

impl WeakScope {
    /// Whether the last handle of the scope was dropped.
    pub(crate) fn is_gone(&self) -> bool {
        self.0.strong_count() == 0
    }

    pub(super) fn upgrade(&self, registry: &ToolRegistry) -> Option<Scope> {
        Some(Scope { registry: registry.clone(), parts: self.0.upgrade()? })
    }

    /// Whether a scope is this one or nested in it.
    pub(crate) fn holds(&self, scope: &Scope) -> bool {
        iter::successors(Some(scope), |scope| scope.parent())
            .any(|scope| ptr::eq(self.0.as_ptr(), Arc::as_ptr(&scope.parts)))
    }
}

/// The snapshot that was made last; it is made anew when one of its layers has changed.
#[derive(Default)]
pub(super) struct SnapshotCell(ArcSwapOption<Snapshot>);

impl SnapshotCell {
    /// The snapshot of these layers, whose last one is the scope's own.
    pub(super) fn of(&self, layers: &[&Arc<Layer>], is_global: bool) -> Arc<Snapshot> {
        if let Some(snapshot) = &*self.0.load()
            && snapshot.is_of(layers.iter().copied())
        {
            return Arc::clone(snapshot);
        }
        let layers = layers.iter().map(|layer| Arc::clone(layer)).collect();
        let snapshot = Arc::new(Snapshot::new(layers, is_global));
        self.0.store(Some(Arc::clone(&snapshot)));
        snapshot
    }
}

impl Scope {
    pub(super) fn new(registry: &ToolRegistry, name: Arc<str>, parent: Option<Self>) -> Self {
        let parts = Parts {
            id: ScopeId(registry.0.next_scope.fetch_add(1, Ordering::Relaxed)),
            name,
            parent,
            snapshot: SnapshotCell::default(),
            registry: Arc::downgrade(&registry.0),
        };
        Self { registry: registry.clone(), parts: Arc::new(parts) }
    }

    /// A scope nested in this one, with what this one sees.
    #[must_use]
    pub fn scope(&self, name: impl Into<Arc<str>>) -> Self {
        Self::new(&self.registry, name.into(), Some(self.clone()))
    }

    /// Its name; several scopes may have the same one.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The scope it is nested in, if it is nested.
    pub fn parent(&self) -> Option<&Self> {
        self.parts.parent.as_ref()
    }

    /// The registry it belongs to.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    /// Whether both are handles of one scope.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.parts, &other.parts)
    }

    /// Hides inherited tools until the returned handle is dropped; several filters intersect.
    ///
    /// It also holds for what scopes nested in this one inherit.
    ///
    /// # Errors
    /// The filter says nothing, or names a tool that the scope does not inherit; or a change
    /// listener refused. Nothing is hidden then.
    pub fn restrict(&self, filter: ToolFilter) -> Result<Registration, RestrictError> {
        filter.check(&self.snapshot().restrictable())?;
        let registration = self.registry.file(self.parts.id, |layer, id| {
            layer.restrictions.push((id, Arc::new(filter)));
        });
        match self.registry.announce() {
            Ok(()) => Ok(registration),
            Err(error) => Err(RestrictError::Listener(error)),
        }
    }

    /// Removes everything that is filed under this scope.
    ///
    /// Also done when the last handle is dropped.
    pub fn clear(&self) {
        self.registry.clear(self.parts.id);
    }

    pub(super) fn id(&self) -> ScopeId {
        self.parts.id
    }

    /// What tells it from other scopes, of any registry, as long as a [`WeakScope`] of it exists.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.parts).addr()
    }

    pub(crate) fn downgrade(&self) -> WeakScope {
        WeakScope(Arc::downgrade(&self.parts))
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        let layers = self.registry.0.layers.load();
        self.snapshot_of(&layers)
    }

    pub(super) fn newer_snapshot(
        &self,
        layers: &Layers,
        known: &Snapshot,
    ) -> Option<Arc<Snapshot>> {
        let chain = self.chain(layers);
        let is_known = known.is_of(chain.iter().copied());
        (!is_known).then(|| self.parts.snapshot.of(&chain, false))
    }

    fn snapshot_of(&self, layers: &Layers) -> Arc<Snapshot> {
        self.parts.snapshot.of(&self.chain(layers), false)
    }

    /// What it sees of the layers: the global one first, its own last.
    fn chain<'l>(&self, layers: &'l Layers) -> Vec<&'l Arc<Layer>> {
        let mut chain = vec![layers.get(self.parts.id)];
        let mut above = self.parent();
        while let Some(scope) = above {
            chain.push(layers.get(scope.parts.id));
            above = scope.parent();
        }
        chain.push(&layers.global);
        chain.reverse();
        chain
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        if let Some(shared) = self.registry.upgrade() {
            ToolRegistry(shared).clear(self.id);
        }
    }
}

impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
    }
}

impl Eq for Scope {}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").field("name", &self.name()).field("parent", &self.parent()).finish()
    }
}
