//! The outbound hooks we ship: what hosts let out of a result, and how much of it.
//!
//! Each is an [`Outbound`](crate::hooks::Outbound) hook that the host mounts. [`Redact`] takes secrets
//! out. [`OutputBudget`] cuts what is too long for a model, and keeps the whole in an
//! [`OutputStore`] for the tool `read_output`. Whatever the order in which they are mounted, what is
//! cut and kept is what was left after redaction.

mod budget;
mod cut;
mod memory;
mod reader;
mod redact;
mod store;

pub use self::budget::OutputBudget;
pub use self::memory::MemoryStore;
pub use self::redact::{PatternError, Redact};
pub use self::store::{KeptOutput, OutputStore};
