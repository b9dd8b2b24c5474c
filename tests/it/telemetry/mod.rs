//! What a host can see and keep of calls.

mod metrics;
mod recording;
mod spans;

pub(crate) use self::recording::Recording;
