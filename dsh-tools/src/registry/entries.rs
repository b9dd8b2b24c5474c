//! The tools of one layer, in a list that is cheap to copy: writers copy what readers hold.

use std::ops::Range;
use std::sync::Arc;

use crate::definition::ToolDefinition;

/// Identity of one act of registering something; it grows, and is never used twice in a registry.
pub(super) type Id = u64;

/// One registration of a tool.
pub(super) struct Entry {
    pub(super) id: Id,
    pub(super) definition: ToolDefinition,
}

/// Registrations in order, in chunks that copies share. Adding one to a copy costs one chunk and a
/// pointer for each other one, so adding many one by one does not cost the square of their number.
#[derive(Clone, Default)]
pub(super) struct Entries(Vec<Arc<Vec<Arc<Entry>>>>);

const CHUNK: usize = 64;

impl Entry {
    pub(super) fn new(id: Id, definition: ToolDefinition) -> Arc<Self> {
        Arc::new(Self { id, definition })
    }

    pub(super) fn name(&self) -> &str {
        self.definition.name()
    }
}

impl Entries {
    pub(super) fn push(&mut self, entry: Arc<Entry>) {
        match self.0.last_mut() {
            Some(last) if last.len() < CHUNK => Arc::make_mut(last).push(entry),
            _ => self.0.push(Arc::new(vec![entry])),
        }
    }

    /// Takes out what was registered under these ids.
    pub(super) fn remove(&mut self, ids: &Range<Id>) -> Vec<Arc<Entry>> {
        let mut removed = Vec::new();
        // Ids grow along the list.
        let first = self.0.partition_point(|chunk| chunk.last().is_none_or(|e| e.id < ids.start));
        for chunk in &mut self.0[first..] {
            if chunk.first().is_none_or(|entry| entry.id >= ids.end) {
                break;
            }
            let (gone, kept) = chunk.iter().cloned().partition(|entry| ids.contains(&entry.id));
            *chunk = Arc::new(kept);
            removed.extend::<Vec<_>>(gone);
        }
        self.0.retain(|chunk| !chunk.is_empty());
        removed
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.0.iter().flat_map(|chunk| chunk.iter())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
