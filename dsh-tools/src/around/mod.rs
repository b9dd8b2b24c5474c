//! The wrappers we ship. Each is an [`Around`](crate::hooks::Around) hook that the host mounts.

mod timeout;
mod trace;

pub use self::timeout::Timeout;
pub use self::trace::Trace;
