//! What was filed under one scope, and what was filed under all of them at one moment.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::change::ChangeListener;
use super::entries::{Entries, Entry, Id};
use super::filter::ToolFilter;
use super::scope::Scope;
use crate::hooks::{
    Around, Guard, Named, Outbound, PostExecute, PreExecute, ResultObserver, ToolExecutor,
};

/// Which scope a contribution was filed under; the global layer is the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ScopeId(pub(super) u64);

impl ScopeId {
    pub(super) const GLOBAL: Self = Self(0);

    pub(super) fn of(scope: Option<&Scope>) -> Self {
        scope.map_or(Self::GLOBAL, Scope::id)
    }
}

/// Every layer at one moment.
#[derive(Clone, Default)]
pub(super) struct Layers {
    pub(super) global: Arc<Layer>,
    /// Those of scopes under which something is filed.
    scoped: HashMap<ScopeId, Arc<Layer>>,
    /// That of every other scope.
    empty: Arc<Layer>,
    pub(super) listeners: Vec<Named<dyn ChangeListener>>,
}

/// Everything that is filed under one scope.
#[derive(Clone, Default)]
pub(super) struct Layer {
    pub(super) tools: Entries,
    pub(super) restrictions: Vec<(Id, Arc<ToolFilter>)>,
    pub(super) hooks: Arc<Hooks>,
    pub(super) executor: Option<(Id, Arc<dyn ToolExecutor>)>,
}

/// The hooks of one layer, or of all that a call passes, in the order in which they run.
#[derive(Clone, Default)]
pub(crate) struct Hooks {
    pub(crate) pre_execute: Vec<Named<dyn PreExecute>>,
    pub(crate) guards: Vec<Named<dyn Guard>>,
    pub(crate) around: Vec<Named<dyn Around>>,
    pub(crate) post_execute: Vec<Named<dyn PostExecute>>,
    pub(crate) outbound: Vec<Named<dyn Outbound>>,
    pub(crate) observers: Vec<Named<dyn ResultObserver>>,
}

impl Layers {
    pub(super) fn of(global: Layer) -> Self {
        Self { global: Arc::new(global), ..Self::default() }
    }

    pub(super) fn get(&self, scope: ScopeId) -> &Arc<Layer> {
        match scope {
            ScopeId::GLOBAL => &self.global,
            scope => self.scoped.get(&scope).unwrap_or(&self.empty),
        }
    }

    /// Changes one layer; one in which nothing is left is dropped.
    pub(super) fn change<T>(&mut self, scope: ScopeId, change: impl FnOnce(&mut Layer) -> T) -> T {
        if scope == ScopeId::GLOBAL {
            return change(Arc::make_mut(&mut self.global));
        }
        let layer = self.scoped.entry(scope).or_default();
        let answer = change(Arc::make_mut(layer));
        if layer.is_empty() {
            self.scoped.remove(&scope);
        }
        answer
    }

    pub(super) fn remove(&mut self, scope: ScopeId) -> Option<Arc<Layer>> {
        self.scoped.remove(&scope)
    }
}

impl Layer {
    /// Removes what was filed under these ids; tells whether anybody sees other tools than before.
    pub(super) fn undo(&mut self, ids: &Range<Id>) -> (Vec<Arc<Entry>>, bool) {
        let gone = self.tools.remove(ids);
        let restrictions = self.restrictions.len();
        self.restrictions.retain(|(id, _)| !ids.contains(id));
        if self.hooks.holds(ids) {
            Arc::make_mut(&mut self.hooks).undo(ids);
        }
        self.executor.take_if(|(id, _)| ids.contains(id));
        let is_seen = !gone.is_empty() || self.restrictions.len() < restrictions;
        (gone, is_seen)
    }

    /// Whether anybody sees other tools for it.
    pub(super) fn is_seen(&self) -> bool {
        !self.tools.is_empty() || !self.restrictions.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.tools.is_empty()
            && self.restrictions.is_empty()
            && self.hooks.is_empty()
            && self.executor.is_none()
    }
}

macro_rules! each_kind {
    ($($kind:ident)*) => {
        impl Hooks {
            fn holds(&self, ids: &Range<Id>) -> bool {
                $(self.$kind.iter().any(|named| ids.contains(&named.id)))||*
            }

            fn undo(&mut self, ids: &Range<Id>) {
                $(self.$kind.retain(|named| !ids.contains(&named.id));)*
            }

            fn is_empty(&self) -> bool {
                $(self.$kind.is_empty())&&*
            }

            /// The hooks of these layers, which stand global first and own last.
            pub(super) fn of(layers: &[Arc<Layer>]) -> Arc<Self> {
                let filled: Vec<_> = layers.iter().filter(|layer| !layer.hooks.is_empty()).collect();
                if let [only] = &*filled {
                    return Arc::clone(&only.hooks);
                }
                let mut all = Self::default();
                for layer in filled {
                    $(all.$kind.extend(layer.hooks.$kind.iter().cloned());)*
                }
                all.sort();
                Arc::new(all)
            }
        }
    };
}

each_kind!(pre_execute guards around post_execute outbound observers);

impl Hooks {
    /// Adds a hook after those of its phase that are already there.
    pub(super) fn add_outbound(&mut self, named: Named<dyn Outbound>) {
        let place = self.outbound.partition_point(|other| other.order < named.order);
        self.outbound.insert(place, named);
    }

    /// Chains run in the order in which hooks were added, whatever their scope; guards layer by
    /// layer.
    fn sort(&mut self) {
        self.pre_execute.sort_by_key(|named| named.order);
        self.around.sort_by_key(|named| named.order);
        self.post_execute.sort_by_key(|named| named.order);
        self.outbound.sort_by_key(|named| named.order);
        self.observers.sort_by_key(|named| named.order);
    }
}
