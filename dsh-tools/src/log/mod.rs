//! The session log: what was called and what it came to, as events that are kept.
//!
//! A host hands a [`SessionLog`] over with the options of a call or of a batch, since calls belong
//! to the session of one agent while a registry serves many. Each call then leaves one
//! [`CallEvent`] before anything is decided about it, and one [`ResultEvent`] after observers have
//! seen its result: also a call that is denied, unknown, malformed or panics, and one that a batch
//! never started. Calls that a body makes under its own are part of that body and are not logged.
//!
//! Arguments and results are in the log in full, so it is as private as the session itself.
//! [`Audit`](crate::audit::Audit) keeps decisions, and neither arguments nor results.
//!
//! ```
//! use std::{fs::File, io::BufReader, sync::Arc};
//!
//! use dsh_tools::log::{Event, JsonLines, Line, read_json_lines};
//! use dsh_tools::{CallOptions, ToolCall, ToolRegistry};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let path = std::env::temp_dir().join(format!("session-{}.jsonl", std::process::id()));
//! let registry = ToolRegistry::builder().build()?;
//! let options = CallOptions::new().with_log(Arc::new(JsonLines::open(&path)?));
//! registry.execute(ToolCall::new("c1", "nope", "{}"), options).await;
//!
//! let events = read_json_lines::<Event>(BufReader::new(File::open(&path)?));
//! let events = events.collect::<Result<Vec<_>, _>>()?;
//! let [Line::Record(Event::Call(call)), Line::Record(Event::Result(result))] = &*events else {
//!     panic!("one call leaves two events");
//! };
//! assert_eq!((&*call.call_id, &*call.name), ("c1", "nope"));
//! assert_eq!(result.content.to_string(), r#"Error: unknown tool "nope""#);
//! # std::fs::remove_file(&path)?;
//! # Ok(())
//! # }
//! ```

mod event;
mod json_lines;
mod read;

pub use self::event::{CallEvent, Event, ProgramCallEvent, ProgramResultEvent, ResultEvent};
pub use self::json_lines::JsonLines;
pub use self::read::{Line, Lines, ReadError, read_json_lines};

use crate::hooks::BoxFuture;
use crate::model::ToolResult;
use crate::panic::catch_future;

/// Keeps the events of a session, in the order in which they are appended.
///
/// The next stage of a call waits for its event, so an event that is appended durably is there
/// before the body runs. A log that fails or panics is reported and fails no call.
///
/// ```
/// use std::sync::Mutex;
///
/// use dsh_tools::ToolResult;
/// use dsh_tools::hooks::BoxFuture;
/// use dsh_tools::log::{Event, SessionLog};
///
/// struct InMemory(Mutex<Vec<Event>>);
///
/// impl SessionLog for InMemory {
///     fn append<'a>(&'a self, event: &'a Event) -> BoxFuture<'a, ToolResult<()>> {
///         Box::pin(async move {
///             self.0.lock().map_err(|_| "a writer panicked")?.push(event.clone());
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait SessionLog: Send + Sync + 'static {
    /// Keeps one event.
    ///
    /// # Errors
    /// Logged, and otherwise without effect on the call.
    fn append<'a>(&'a self, event: &'a Event) -> BoxFuture<'a, ToolResult<()>>;
}

impl<F> SessionLog for F
where
    F: for<'a> Fn(&'a Event) -> BoxFuture<'a, ToolResult<()>> + Send + Sync + 'static,
{
    fn append<'a>(&'a self, event: &'a Event) -> BoxFuture<'a, ToolResult<()>> {
        self(event)
    }
}

/// A log from a closure; without it the compiler does not infer the lifetimes.
///
/// ```
/// use dsh_tools::log::{Event, session_log_fn};
///
/// let print = session_log_fn(|event: &Event| {
///     println!("{event:?}");
///     Box::pin(async { Ok(()) })
/// });
/// # let _ = dsh_tools::CallOptions::new().with_log(std::sync::Arc::new(print));
/// ```
pub fn session_log_fn<F>(log: F) -> F
where
    F: for<'a> Fn(&'a Event) -> BoxFuture<'a, ToolResult<()>> + Send + Sync + 'static,
{
    log
}

/// Appends an event; a log that breaks is nobody's failure but its own.
///
/// Boxed, since most calls have no log.
pub(crate) fn append(log: &dyn SessionLog, event: Event) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let appended = catch_future("the session log", || log.append(&event)).await;
        if let Err(error) = appended.and_then(|appended| appended) {
            let call = event.call_id();
            tracing::error!(call, "an event is missing in the session log: {error}");
        }
    })
}
