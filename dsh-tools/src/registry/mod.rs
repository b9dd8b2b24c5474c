//! What exists and who sees it. The registry runs nothing and holds no lock while foreign code runs.
//!
//! Everything is filed under a scope, in that scope's layer; what is filed under none is global.
//! Writers copy the layers and publish the copy; readers work on a view, which is made of the
//! layers that a scope sees and kept until one of them changes.

mod builder;
mod change;
mod check;
mod contribute;
mod declared;
mod entries;
mod error;
mod filter;
mod handle;
mod layer;
mod order;
mod scope;
mod sync;
mod tool_set;
mod toolset;
mod view;

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

pub use self::builder::RegistryBuilder;
pub use self::change::ChangeListener;
pub use self::error::{BuildError, Place, Problem};
pub use self::filter::{RestrictError, ToolFilter};
pub use self::handle::Registration;
pub use self::order::{ToolOrder, ToolOrderError};
pub use self::scope::Scope;
pub use self::tool_set::{ResolveError, ResolvedToolSet, Step};
pub use self::toolset::Toolset;

#[doc(hidden)]
pub use self::declared::Declared;
pub(crate) use self::layer::Hooks;
pub(crate) use self::scope::WeakScope;
pub(crate) use self::view::View;

use self::entries::Id;
use self::layer::{Layer, Layers, ScopeId};
use self::scope::ViewCell;
use self::sync::{ArcSwap, Mutex};
use crate::hooks::{Approver, Named};
use crate::state::StateMap;

/// The tools that exist, and the hooks every call of them goes through.
///
/// A handle: clones are the same registry. Reading takes no lock; a call works on the hooks that
/// were there when it came, and on the tool that is there when its body starts. Tools and hooks
/// that belong to one agent are registered in its [`Scope`].
///
/// ```
/// use dsh_tools::{ToolDefinition, ToolRegistry};
/// use serde_json::json;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder().build()?;
/// let parameters = json!({"type": "object", "properties": {}});
/// let ping = ToolDefinition::from_fn("ping", "Answers.", parameters, |_, _| async { Ok("pong".into()) });
///
/// let registration = registry.register(ping)?;
/// assert!(registry.get("ping").is_some());
/// drop(registration);
/// assert!(registry.get("ping").is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ToolRegistry(Arc<Shared>);

struct Shared {
    layers: ArcSwap<Layers>,
    /// Serializes writers, who copy; readers never wait.
    writing: Mutex<Writing>,
    next_scope: AtomicU64,
    view: ViewCell,
    state: Arc<StateMap>,
    approver: Option<Arc<dyn Approver>>,
    approval_deadline: Option<Duration>,
    specified_texts: bool,
}

/// What only writers look at.
#[derive(Default)]
struct Writing {
    /// The names that are taken in each layer.
    names: HashMap<ScopeId, HashMap<String, Id>>,
    last_id: Id,
}

impl Writing {
    /// Ids for so many contributions. They are given under the lock, so that they grow along every
    /// list.
    fn ids(&mut self, count: usize) -> Range<Id> {
        let first = self.last_id + 1;
        self.last_id += count as u64;
        first..self.last_id + 1
    }
}

impl ToolRegistry {
    /// Starts an empty registry.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    /// A scope of its own, which sees what is registered here.
    pub fn scope(&self, name: impl Into<Arc<str>>) -> Scope {
        Scope::new(self, name.into(), None)
    }

    /// Adds a listener for changes of any scope until the returned handle is dropped.
    pub fn on_change(
        &self,
        name: impl Into<Arc<str>>,
        listener: impl ChangeListener,
    ) -> Registration {
        let (name, hook): (Arc<str>, Arc<dyn ChangeListener>) = (name.into(), Arc::new(listener));
        let ids = self.write(|layers, writing| {
            let ids = writing.ids(1);
            layers.listeners.push(Named::last(ids.start, name, hook));
            ids
        });
        Registration::new(self, ScopeId::GLOBAL, ids)
    }

    pub(crate) fn view(&self) -> Arc<View> {
        let layers = self.0.layers.load();
        self.0.view.of(&[&layers.global], true)
    }

    /// The view of a scope, or of none.
    pub(crate) fn view_for(&self, scope: Option<&Scope>) -> Arc<View> {
        scope.map_or_else(|| self.view(), Scope::view)
    }

    pub(crate) fn state(&self) -> &Arc<StateMap> {
        &self.0.state
    }

    pub(crate) fn approver(&self) -> Option<&Arc<dyn Approver>> {
        self.0.approver.as_ref()
    }

    pub(crate) fn has_specified_texts(&self) -> bool {
        self.0.specified_texts
    }

    pub(crate) fn approval_deadline(&self) -> Option<Duration> {
        self.0.approval_deadline
    }

    /// Publishes changed layers; readers see all of a change or none of it.
    fn write<T>(&self, change: impl FnOnce(&mut Layers, &mut Writing) -> T) -> T {
        let mut writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut layers = Layers::clone(&self.0.layers.load());
        let answer = change(&mut layers, &mut writing);
        let before = self.0.layers.swap(Arc::new(layers));
        drop(writing);
        // What only the old layers held is foreign, and is dropped outside the lock.
        drop(before);
        answer
    }

    /// Files one thing under a scope.
    fn file(&self, scope: ScopeId, change: impl FnOnce(&mut Layer, Id)) -> Registration {
        let ids = self.write(|layers, writing| {
            let ids = writing.ids(1);
            layers.change(scope, |layer| change(layer, ids.start));
            ids
        });
        Registration::new(self, scope, ids)
    }

    /// Removes what was filed under these ids, if it is still there.
    fn undo(&self, scope: ScopeId, ids: &Range<Id>) {
        let (gone, is_seen) = self.write(|layers, writing| {
            layers.listeners.retain(|named| !ids.contains(&named.id));
            let (gone, is_seen) = layers.change(scope, |layer| layer.undo(ids));
            if let Some(taken) = writing.names.get_mut(&scope) {
                for entry in &gone {
                    taken.remove(entry.name());
                }
            }
            (gone, is_seen)
        });
        drop(gone);
        if is_seen {
            self.announce_undone();
        }
    }

    /// Removes all that is filed under a scope.
    fn clear(&self, scope: ScopeId) {
        let layer = self.write(|layers, writing| {
            writing.names.remove(&scope);
            layers.remove(scope)
        });
        if layer.is_some_and(|layer| layer.is_seen()) {
            self.announce_undone();
        }
    }
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRegistry").field("tools", &self.view()).finish_non_exhaustive()
    }
}
