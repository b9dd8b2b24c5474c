//! Runs batches of calls.

mod batch;
mod error;
mod lane;
mod native;
mod select;
mod watched_log;

pub use self::batch::{Batch, BatchOutcome};
pub use self::error::{ExecutorError, ExecutorTaken};
#[cfg(feature = "ptc")]
pub(crate) use self::lane::{Lane, Settled};
pub use self::native::NativeExecutor;
pub(crate) use self::select::describe;
