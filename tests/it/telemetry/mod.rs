//! What a host can see and keep of calls: spans, metrics, the session log, the audit.

mod audit;
mod disk;
mod json_lines;
mod metrics;
mod recording;
mod session_log;
mod spans;

pub(crate) use self::disk::Disk;
pub(crate) use self::recording::Recording;
