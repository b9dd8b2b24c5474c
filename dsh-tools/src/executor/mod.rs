//! Runs batches of calls.

mod batch;
mod native;

pub use self::batch::{Batch, BatchOutcome};
pub use self::native::NativeExecutor;
