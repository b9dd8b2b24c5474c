//! The wrappers we ship. Each is an [`Around`](crate::hooks::Around) hook that the host mounts.

#[cfg(feature = "otel")]
mod metrics;
mod timeout;
mod trace;

#[cfg(feature = "otel")]
pub use self::metrics::Metrics;
pub use self::timeout::Timeout;
pub use self::trace::Trace;
