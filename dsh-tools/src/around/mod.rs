//! The wrappers we ship. Each is an [`Around`](crate::hooks::Around) hook that the host mounts.
//!
//! The first one mounted is the outermost, and where one stands decides what it counts:
//!
//! ```
//! use dsh_tools::ToolRegistry;
//! use dsh_tools::around::{Retry, Timeout};
//!
//! # fn main() -> Result<(), dsh_tools::BuildError> {
//! let registry = ToolRegistry::builder()
//!     // Each attempt has the whole timeout.
//!     .around("retry", Retry::new())
//!     .around("timeout", Timeout)
//!     .build()?;
//! # Ok(())
//! # }
//! ```
//!
//! With [`Timeout`] outside of [`Retry`] all attempts together have the time of one.

#[cfg(feature = "otel")]
mod metrics;
mod retry;
mod timeout;
mod trace;

#[cfg(feature = "otel")]
pub use self::metrics::Metrics;
pub use self::retry::Retry;
pub use self::timeout::Timeout;
pub use self::trace::Trace;
