//! The outbound hooks we ship: what hosts let out of a result, and how much of it.
//!
//! Each is an [`Outbound`](crate::hooks::Outbound) hook that the host mounts. [`Redact`] takes secrets
//! out.

mod redact;

pub use self::redact::{PatternError, Redact};
