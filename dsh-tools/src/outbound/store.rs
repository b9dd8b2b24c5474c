//! Where outputs are kept whole that were cut for a model.

use std::fmt;
use std::sync::Arc;

use crate::execution::Execution;
use crate::hooks::BoxFuture;
use crate::model::ToolResult;
use crate::registry::{Scope, WeakScope};

/// Keeps outputs that were cut, for `read_output` to page through.
///
/// [`MemoryStore`](super::MemoryStore) is one. A store does not look at who reads: that an output is
/// read only where it [may be](KeptOutput::is_readable_in) is seen to by `read_output`.
///
/// ```
/// use std::collections::HashMap;
/// use std::sync::Mutex;
///
/// use dsh_tools::ToolResult;
/// use dsh_tools::hooks::BoxFuture;
/// use dsh_tools::outbound::{KeptOutput, OutputStore};
///
/// /// Keeps the last output of each call; good enough where there is one agent.
/// #[derive(Default)]
/// struct ByCall(Mutex<HashMap<String, KeptOutput>>);
///
/// impl OutputStore for ByCall {
///     fn put(&self, output: KeptOutput) -> BoxFuture<'_, ToolResult<String>> {
///         Box::pin(async move {
///             let handle = output.call_id().to_owned();
///             self.0.lock().map_err(|_| "a writer panicked")?.insert(handle.clone(), output);
///             Ok(handle)
///         })
///     }
///
///     fn get<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, ToolResult<Option<KeptOutput>>> {
///         Box::pin(async move {
///             Ok(self.0.lock().map_err(|_| "a writer panicked")?.get(handle).cloned())
///         })
///     }
/// }
/// ```
pub trait OutputStore: Send + Sync + 'static {
    /// Keeps an output, and gives the handle by which it is read.
    ///
    /// A handle goes to the model, so it should be short, and nobody should be able to guess one of
    /// somebody else.
    ///
    /// # Errors
    /// Logged; the output is cut all the same, and the model is told that it was not kept.
    fn put(&self, output: KeptOutput) -> BoxFuture<'_, ToolResult<String>>;

    /// The output with this handle; none if there never was one.
    ///
    /// # Errors
    /// The output is no longer there, or cannot be read. What the error says goes to the model.
    fn get<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, ToolResult<Option<KeptOutput>>>;
}

/// A store that the host shares.
impl<S: OutputStore + ?Sized> OutputStore for Arc<S> {
    fn put(&self, output: KeptOutput) -> BoxFuture<'_, ToolResult<String>> {
        (**self).put(output)
    }

    fn get<'a>(&'a self, handle: &'a str) -> BoxFuture<'a, ToolResult<Option<KeptOutput>>> {
        (**self).get(handle)
    }
}

/// The whole text of a result that was cut, and for whom it was made. Cheap to clone.
#[derive(Clone)]
pub struct KeptOutput {
    text: Arc<str>,
    tool: Arc<str>,
    call_id: Arc<str>,
    scope: Option<WeakScope>,
}

impl KeptOutput {
    pub(super) fn new(execution: &Execution, text: String) -> Self {
        Self {
            text: text.into(),
            tool: execution.name().into(),
            call_id: execution.call_id().into(),
            scope: execution.scope().map(Scope::downgrade),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same output with another text, for stores that keep texts elsewhere.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<Arc<str>>) -> Self {
        self.text = text.into();
        self
    }

    /// The name of the tool that was called.
    pub fn tool_name(&self) -> &str {
        &self.tool
    }

    /// Identity of the call.
    pub fn call_id(&self) -> &str {
        &self.call_id
    }

    /// Whether it may be read by calls for this scope: that of the call that made it, or one nested in
    /// that.
    ///
    /// The output of a call for nobody may be read by all, as its tool is seen by all.
    pub fn is_readable_in(&self, scope: Option<&Scope>) -> bool {
        match (&self.scope, scope) {
            (None, _) => true,
            (Some(own), Some(scope)) => own.holds(scope),
            (Some(_), None) => false,
        }
    }
}

/// The text is left out, since it is long and may be private.
impl fmt::Debug for KeptOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeptOutput")
            .field("tool_name", &self.tool_name())
            .field("call_id", &self.call_id())
            .field("bytes", &self.text.len())
            .finish_non_exhaustive()
    }
}
