//! The wrappers we ship. Each is an [`Around`](crate::hooks::Around) hook that the host mounts.
//!
//! The first one mounted is the outermost, and where one stands decides what it counts:
//!
//! ```
//! use std::num::NonZeroU32;
//! use std::time::Duration;
//!
//! use dsh_tools::ToolRegistry;
//! use dsh_tools::around::{Limit, RepeatGuard, Retry, Timeout};
//!
//! # fn main() -> Result<(), dsh_tools::BuildError> {
//! const THIRTY: NonZeroU32 = NonZeroU32::new(30).unwrap();
//! let registry = ToolRegistry::builder()
//!     // Sees calls, not attempts.
//!     .around("repeats", RepeatGuard::new())
//!     // Each attempt waits for its turn and has the whole timeout.
//!     .around("retry", Retry::new())
//!     // The time a call waits here is not the tool's.
//!     .around("limit", Limit::per(Duration::from_secs(60), THIRTY).with_tag("search"))
//!     .around("timeout", Timeout)
//!     .build()?;
//! # Ok(())
//! # }
//! ```
//!
//! With [`Timeout`] outside of [`Retry`] all attempts together have the time of one, and outside of
//! [`Limit`] a call may time out while it waits.

mod limit;
#[cfg(feature = "otel")]
mod metrics;
mod repeat;
mod retry;
mod timeout;
mod trace;

pub use self::limit::Limit;
#[cfg(feature = "otel")]
pub use self::metrics::Metrics;
pub use self::repeat::RepeatGuard;
pub use self::retry::Retry;
pub use self::timeout::Timeout;
pub use self::trace::Trace;
