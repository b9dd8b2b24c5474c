//! The wrappers we ship. Each is an [`Around`](crate::hooks::Around) hook that the host mounts.

mod timeout;

pub use self::timeout::Timeout;
