//! Keeps outputs in memory, the newest of them.

use std::collections::VecDeque;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hmac_sha256::HMAC;

use super::store::{KeptOutput, OutputStore};
use crate::hooks::BoxFuture;
use crate::model::{ToolError, ToolResult};

/// Keeps outputs in memory; the oldest make room for new ones.
///
/// A handle is a number with a code that only this store can make, so none can be guessed, and that
/// an output was dropped can be told from a handle that never was. Share a store that several
/// registries or budgets use as an `Arc`.
///
/// ```
/// use dsh_tools::ToolRegistry;
/// use dsh_tools::outbound::{MemoryStore, OutputBudget};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let store = MemoryStore::new().with_max_bytes(8 << 20);
/// let budget = OutputBudget::new(20_000).with_store(store);
/// let registry = budget.mount(ToolRegistry::builder()).build()?;
/// # Ok(())
/// # }
/// ```
pub struct MemoryStore {
    key: [u8; 32],
    max_bytes: usize,
    max_outputs: usize,
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    outputs: VecDeque<KeptOutput>,
    /// The number of the oldest output.
    first: u64,
    bytes: usize,
}

impl MemoryStore {
    /// Keeps 32 MiB in at most 256 outputs.
    pub fn new() -> Self {
        Self { key: key(), max_bytes: 32 << 20, max_outputs: 256, kept: Mutex::default() }
    }

    /// Sets how many bytes of text are kept; a single output that is longer is not.
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    /// Sets how many outputs are kept.
    #[must_use]
    pub fn with_max_outputs(mut self, outputs: usize) -> Self {
        self.max_outputs = outputs;
        self
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, output: KeptOutput) -> ToolResult<String> {
        let size = output.text().len();
        let no_room = || ToolError::new("the output is larger than its store");
        if size > self.max_bytes {
            return Err(no_room());
        }
        let mut kept = self.kept();
        while kept.bytes + size > self.max_bytes || kept.outputs.len() >= self.max_outputs {
            let oldest = kept.outputs.pop_front().ok_or_else(no_room)?;
            kept.bytes -= oldest.text().len();
            kept.first += 1;
        }
        let number = kept.first + kept.outputs.len() as u64;
        kept.bytes += size;
        kept.outputs.push_back(output);
        Ok(self.handle(number))
    }

    fn find(&self, handle: &str) -> ToolResult<Option<KeptOutput>> {
        let number = handle.split_once('-').and_then(|(number, _)| number.parse().ok());
        let Some(number) = number.filter(|number| self.handle(*number) == handle) else {
            return Ok(None);
        };
        let kept = self.kept();
        let Some(place) = number.checked_sub(kept.first) else {
            return Err(ToolError::new(
                "this output is no longer kept, as newer ones took its place; make the call again \
                 to have it",
            )
            .with_code("OUTPUT_DROPPED"));
        };
        Ok(usize::try_from(place).ok().and_then(|place| kept.outputs.get(place)).cloned())
    }

    fn handle(&self, number: u64) -> String {
        let code = HMAC::mac(number.to_be_bytes(), self.key);
        let code = code.first_chunk().expect("it has 32 bytes");
        format!("{number}-{:016x}", u64::from_be_bytes(*code))
    }
}

/// Random bits, which the standard library gets from the system for its hash maps.
fn key() -> [u8; 32] {
    let mut key = [0; 32];
    for (index, part) in key.chunks_exact_mut(8).enumerate() {
        part.copy_from_slice(&RandomState::new().hash_one(index).to_ne_bytes());
    }
    key
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl OutputStore for MemoryStore {
    fn put(&self, output: KeptOutput) -> BoxFuture<'_, ToolResult<String>> {
        Box::pin(async move { self.add(output) })
    }

    fn get<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, ToolResult<Option<KeptOutput>>> {
        Box::pin(async move { self.find(handle) })
    }
}

/// Neither outputs nor what makes handles.
impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (outputs, bytes) = {
            let kept = self.kept();
            (kept.outputs.len(), kept.bytes)
        };
        f.debug_struct("MemoryStore")
            .field("outputs", &outputs)
            .field("bytes", &bytes)
            .finish_non_exhaustive()
    }
}
