//! A session log that remembers how it broke.

use std::sync::{Arc, OnceLock};

use crate::hooks::BoxFuture;
use crate::log::{Event, SessionLog};
use crate::model::{ToolError, ToolResult};
use crate::panic::catch_future;

/// The log of a batch, and what it said when it broke first.
pub(super) struct WatchedLog {
    log: Arc<dyn SessionLog>,
    failure: OnceLock<ToolError>,
}

impl WatchedLog {
    pub(super) fn new(log: Arc<dyn SessionLog>) -> Arc<Self> {
        Arc::new(Self { log, failure: OnceLock::new() })
    }

    pub(super) fn failure(&self) -> Option<&ToolError> {
        self.failure.get()
    }
}

impl SessionLog for WatchedLog {
    fn append<'a>(&'a self, event: &'a Event) -> BoxFuture<'a, ToolResult<()>> {
        Box::pin(async move {
            let appended = catch_future("the session log", || self.log.append(event)).await;
            appended.and_then(|appended| appended).inspect_err(|error| {
                self.failure.get_or_init(|| error.clone());
            })
        })
    }
}
