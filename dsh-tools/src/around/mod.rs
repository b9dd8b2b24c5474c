//! The wrappers we ship. Each is an [`Around`](crate::hooks::Around) hook that the host mounts.

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
