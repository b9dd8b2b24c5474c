//! What one scope sees: the tools of its layers after shadowing and masks, and its hooks.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::entries::{Entry, Id};
use super::layer::{Hooks, Layer};
use crate::definition::ToolDefinition;
use crate::hooks::ToolExecutor;

/// What one scope sees at one moment.
pub(crate) struct Snapshot {
    /// What it was made of: global first, then from the farthest ancestor, own last.
    layers: Vec<Arc<Layer>>,
    is_global: bool,
    /// In the order in which they are seen.
    tools: Vec<Arc<Entry>>,
    places: HashMap<String, usize>,
    pub(crate) hooks: Arc<Hooks>,
    definitions: OnceLock<Arc<[ToolDefinition]>>,
    schemas: OnceLock<Arc<[Arc<Value>]>>,
}

impl Snapshot {
    /// The snapshot of the scope whose layer is the last; there is one for the global scope, too.
    pub(super) fn new(layers: Vec<Arc<Layer>>, is_global: bool) -> Self {
        let hooks = Hooks::of(&layers);
        let mut snapshot = Self {
            layers,
            is_global,
            tools: Vec::new(),
            places: HashMap::new(),
            hooks,
            definitions: OnceLock::new(),
            schemas: OnceLock::new(),
        };
        let (inherited, own) = snapshot.parts();
        let mut tools = Tools::default();
        for layer in inherited {
            tools.overlay(layer);
        }
        tools.mask(&snapshot.layers);
        for layer in own {
            tools.overlay(layer);
        }
        let Tools { tools, places } = tools;
        (snapshot.tools, snapshot.places) = (tools, places);
        snapshot
    }

    /// Whether it is still the snapshot of these layers.
    pub(super) fn is_of<'a>(&self, layers: impl IntoIterator<Item = &'a Arc<Layer>>) -> bool {
        let mut layers = layers.into_iter();
        self.layers.iter().all(|own| layers.next().is_some_and(|layer| Arc::ptr_eq(own, layer)))
            && layers.next().is_none()
    }

    /// The executor that is nearest.
    pub(crate) fn executor(&self) -> Option<&Arc<dyn ToolExecutor>> {
        let mut near_to_far = self.layers.iter().rev();
        near_to_far.find_map(|layer| layer.executor.as_ref().map(|(_, executor)| executor))
    }

    pub(super) fn entry(&self, name: &str) -> Option<&Arc<Entry>> {
        self.places.get(name).map(|place| &self.tools[*place])
    }

    pub(super) fn entries(&self) -> &[Arc<Entry>] {
        &self.tools
    }

    pub(crate) fn get(&self, name: &str) -> Option<&ToolDefinition> {
        self.entry(name).map(|entry| &entry.definition)
    }

    /// The tool of this name, if it is there whatever the step.
    pub(crate) fn executable(&self, name: &str) -> Option<&ToolDefinition> {
        self.get(name).filter(|definition| definition.condition().is_none())
    }

    pub(super) fn is_registered(&self, name: &str, id: Id) -> bool {
        self.entry(name).is_some_and(|entry| entry.id == id)
    }

    pub(super) fn definitions(&self) -> Arc<[ToolDefinition]> {
        let made = || self.tools.iter().map(|entry| entry.definition.clone()).collect();
        Arc::clone(self.definitions.get_or_init(made))
    }

    pub(super) fn schemas(&self) -> Arc<[Arc<Value>]> {
        let made = || self.tools.iter().map(|entry| entry.definition.json()).collect();
        Arc::clone(self.schemas.get_or_init(made))
    }

    /// The names that a filter of this scope may name: what it inherits, masked or not.
    pub(super) fn restrictable(&self) -> BTreeSet<&str> {
        let (inherited, _) = self.parts();
        inherited.iter().flat_map(|layer| layer.tools.iter()).map(|entry| entry.name()).collect()
    }

    /// The names that it could see: those it inherits, masked or not, and its own.
    pub(super) fn known(&self) -> BTreeSet<&str> {
        self.layers.iter().flat_map(|layer| layer.tools.iter()).map(|entry| entry.name()).collect()
    }

    /// What is inherited and what is the scope's own; the global scope inherits nothing.
    fn parts(&self) -> (&[Arc<Layer>], &[Arc<Layer>]) {
        let own = usize::from(!self.is_global);
        self.layers.split_at(self.layers.len() - own)
    }
}

/// Tools in order, found by name.
#[derive(Default)]
struct Tools {
    tools: Vec<Arc<Entry>>,
    places: HashMap<String, usize>,
}

impl Tools {
    /// Puts the tools of a nearer layer over those that are there: one of the same name takes over
    /// the place of the farther one.
    fn overlay(&mut self, layer: &Layer) {
        for entry in layer.tools.iter() {
            if let Some(place) = self.places.get(entry.name()) {
                self.tools[*place] = Arc::clone(entry);
            } else {
                self.places.insert(entry.name().to_owned(), self.tools.len());
                self.tools.push(Arc::clone(entry));
            }
        }
    }

    /// Takes out what a restriction of any layer does not admit.
    fn mask(&mut self, layers: &[Arc<Layer>]) {
        let filters: Vec<_> = layers.iter().flat_map(|layer| &layer.restrictions).collect();
        if filters.is_empty() {
            return;
        }
        self.tools.retain(|entry| filters.iter().all(|(_, filter)| filter.admits(entry.name())));
        self.places = self
            .tools
            .iter()
            .enumerate()
            .map(|(place, entry)| (entry.name().to_owned(), place))
            .collect();
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|entry| entry.name())).finish()
    }
}
