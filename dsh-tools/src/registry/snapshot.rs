//! The immutable set that one call works on.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde_json::Value;

use crate::definition::ToolDefinition;
use crate::hooks::{Approver, Around, Guard, Named, PostExecute, PreExecute, ResultObserver};

/// Tools and hooks at one moment.
#[derive(Clone, Default)]
pub(crate) struct Snapshot {
    /// Grows with every change; caches are keyed by it.
    pub(crate) generation: u64,
    /// In the order in which they were registered.
    tools: Vec<(u64, ToolDefinition)>,
    places: HashMap<String, usize>,
    pub(crate) pre_execute: Vec<Named<dyn PreExecute>>,
    pub(crate) guards: Vec<Named<dyn Guard>>,
    pub(crate) around: Vec<Named<dyn Around>>,
    pub(crate) post_execute: Vec<Named<dyn PostExecute>>,
    pub(crate) observers: Vec<Named<dyn ResultObserver>>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    projection: Projection,
}

/// What is made of the tools when it is asked for first; a change starts anew.
#[derive(Default)]
struct Projection {
    sorted: OnceLock<Arc<[ToolDefinition]>>,
    schemas: OnceLock<Arc<[Value]>>,
}

/// A copy is about to change.
impl Clone for Projection {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Snapshot {
    pub(crate) fn get(&self, name: &str) -> Option<&ToolDefinition> {
        self.places.get(name).map(|place| &self.tools[*place].1)
    }

    /// All tools, in order of their names.
    pub(crate) fn definitions(&self) -> Arc<[ToolDefinition]> {
        let sorted = self.projection.sorted.get_or_init(|| {
            let definitions = self.tools.iter().map(|(_, definition)| definition.clone());
            let mut definitions: Vec<_> = definitions.collect();
            definitions.sort_by(|a, b| a.name().cmp(b.name()));
            definitions.into()
        });
        Arc::clone(sorted)
    }

    /// All tools as a model is told of them, in order of their names.
    pub(crate) fn schemas(&self) -> Arc<[Value]> {
        let schemas = self
            .projection
            .schemas
            .get_or_init(|| self.definitions().iter().map(ToolDefinition::to_json).collect());
        Arc::clone(schemas)
    }

    /// Adds a tool whose name is not taken.
    pub(crate) fn insert(&mut self, id: u64, definition: ToolDefinition) {
        self.places.insert(definition.name().to_owned(), self.tools.len());
        self.tools.push((id, definition));
    }

    /// Removes the tool or hook of this registration, if it is still there.
    pub(crate) fn remove(&mut self, id: u64) {
        self.tools.retain(|(other, _)| *other != id);
        self.places = self
            .tools
            .iter()
            .enumerate()
            .map(|(place, (_, definition))| (definition.name().to_owned(), place))
            .collect();
        self.pre_execute.retain(|named| named.id != id);
        self.guards.retain(|named| named.id != id);
        self.around.retain(|named| named.id != id);
        self.post_execute.retain(|named| named.id != id);
        self.observers.retain(|named| named.id != id);
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot")
            .field("generation", &self.generation)
            .field("tools", &self.tools.len())
            .finish_non_exhaustive()
    }
}
