//! Holds results to the number of bytes that a model may be given of them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::store::{KeptOutput, OutputStore};
use super::{cut, reader};
use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::hooks::{BoxFuture, Outbound, OutboundPhase};
use crate::model::{CallResult, Content, ToolError, ToolResult};
use crate::panic::catch_future;
use crate::registry::RegistryBuilder;

/// Below this there is no room for a note beside some text.
const MIN_BYTES: usize = 500;

/// What a failure may have in any case.
const ERROR_BYTES: usize = 16_000;

/// What `read_output` gives at once where no budget says.
const PART_BYTES: usize = 16_000;

/// Cuts what is too long for a model, and says how to read the rest.
///
/// Of a text that exceeds the budget the head and the tail stay, half and half, cut where lines end
/// if that is near. A note between them says how many bytes and lines are left out and, with a
/// [store](Self::with_store), by which call of `read_output` they are read. A budget counts bytes of
/// text in UTF-8, the note among them; less than 500 counts as 500.
///
/// | what | is cut |
/// |---|---|
/// | the text of content, also of embedded resources | to the smaller of this budget and the one the tool [declares](ToolDefinition::with_output_budget): the author knows how much is of use, the host how much fits |
/// | the content of a failure | to 16 000 bytes at least; [`with_error_bytes`](Self::with_error_bytes) says otherwise. The error's message is kept out of the cut unless it is itself half of that |
/// | error, value, meta, messages that follow the result | no |
/// | images, sounds, other bytes in base64, resource links | no: what they cost a model is not their size |
/// | the result of a nested call | no: programs get values whole, and the outer result has the one budget |
/// | the result of `read_output` | no: it keeps to the budget by itself |
///
/// It is an [outbound hook](Outbound) of the last phase, so it measures what finalizers and other
/// hooks leave, and keeps nothing that [`Redact`](super::Redact) takes out.
///
/// ```
/// use dsh_tools::outbound::{MemoryStore, OutputBudget};
/// use dsh_tools::{CallOptions, ToolCall, ToolDefinition, ToolRegistry};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dsh_tools::BuildError> {
/// let parameters = json!({"type": "object"});
/// let log = ToolDefinition::from_fn("log", "Gives a log.", parameters, |_, _| async {
///     Ok("nothing to see\n".repeat(10_000).into())
/// });
/// let budget = OutputBudget::new(20_000).with_store(MemoryStore::new());
/// let registry = budget.mount(ToolRegistry::builder().tool(log)).build()?;
///
/// let completed = registry.execute(ToolCall::new("c1", "log", "{}"), CallOptions::new()).await;
/// let text = completed.result().content().to_string();
/// assert!(text.len() <= 20_000);
/// assert!(text.contains(r#"The whole is kept: call read_output with {"handle": "0-"#));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct OutputBudget {
    bytes: Option<usize>,
    error_bytes: usize,
    store: Option<Arc<dyn OutputStore>>,
}

/// What became of the whole.
enum Whole {
    /// There is nowhere to keep it.
    Dropped,
    /// The store failed.
    Lost,
    /// Under this handle.
    Kept(String),
}

impl OutputBudget {
    /// Holds every tool to so many bytes, or to what it declares if that is less.
    pub fn new(bytes: usize) -> Self {
        Self { bytes: Some(bytes), ..Self::declared() }
    }

    /// Holds tools to what they declare, and others to nothing.
    pub fn declared() -> Self {
        Self { bytes: None, error_bytes: ERROR_BYTES, store: None }
    }

    /// Keeps the whole of what is cut, for [`read_output`](Self::read_output). Default: it is lost.
    ///
    /// Notes tell the model to call that tool, so it has to be there: [`mount`](Self::mount) adds
    /// both.
    #[must_use]
    pub fn with_store(mut self, store: impl OutputStore) -> Self {
        self.store = Some(Arc::new(store));
        self
    }

    /// Sets how many bytes the content of a failure may have, if its budget is less.
    #[must_use]
    pub fn with_error_bytes(mut self, bytes: usize) -> Self {
        self.error_bytes = bytes;
        self
    }

    /// The tool `read_output`, which reads on in what was cut; none without a store.
    ///
    /// It takes `handle`, `offset` and `limit`, in bytes, and gives a part that ends with a character,
    /// and with a line where that is near. A handle is good for calls in the scope for which the
    /// output was made and in those nested in it.
    pub fn read_output(&self) -> Option<ToolDefinition> {
        let most = self.bytes.map_or(PART_BYTES, |bytes| bytes.max(MIN_BYTES)) - reader::BELOW;
        self.store.as_ref().map(|store| reader::read_output(Arc::clone(store), most))
    }

    /// Adds the budget to a registry, and with a store the tool `read_output`.
    #[must_use]
    pub fn mount(self, builder: RegistryBuilder) -> RegistryBuilder {
        let builder = match self.read_output() {
            Some(tool) => builder.tool(tool),
            None => builder,
        };
        builder.outbound("output budget", self)
    }

    /// How many bytes the content of a result may have, if that is limited.
    fn limit(&self, execution: &Execution, result: &CallResult) -> Option<usize> {
        let definition = execution.definition();
        let pages = definition.is_some_and(ToolDefinition::pages_output);
        if execution.parent().is_some() || pages {
            return None;
        }
        let declared = definition.and_then(ToolDefinition::output_budget);
        let bytes = declared.into_iter().chain(self.bytes).min()?.max(MIN_BYTES);
        Some(if result.is_error() { bytes.max(self.error_bytes) } else { bytes })
    }

    async fn keep(&self, execution: &Execution, whole: &str) -> Whole {
        let Some(store) = &self.store else { return Whole::Dropped };
        let output = KeptOutput::new(execution, whole.to_owned());
        let put = catch_future("the output store", || store.put(output)).await;
        match put.and_then(|put| put) {
            Ok(handle) => Whole::Kept(handle),
            Err(error) => {
                tracing::warn!(
                    tool = execution.name(),
                    call = execution.call_id(),
                    "an output that was cut could not be kept: {error}"
                );
                Whole::Lost
            }
        }
    }
}

impl Outbound for OutputBudget {
    fn outbound<'a>(
        &'a self,
        execution: &'a Execution,
        result: &'a CallResult,
    ) -> BoxFuture<'a, ToolResult<Option<CallResult>>> {
        Box::pin(async move {
            let exceeded = |limit: &usize| cut::size(result.content()) > *limit;
            let Some(limit) = self.limit(execution, result).filter(exceeded) else {
                return Ok(None);
            };
            let text = cut::whole(result.content());
            let whole = self.keep(execution, &text).await;
            let message = result.error().map(ToolError::message);
            let content = cut(result.content(), &text, limit, message, whole);
            Ok(Some(result.clone().with_content(content)))
        })
    }

    fn phase(&self) -> OutboundPhase {
        OutboundPhase::Limit
    }
}

/// Content with at most so many bytes of text, and a note in place of the rest.
fn cut(
    content: &Content,
    text: &str,
    limit: usize,
    message: Option<&str>,
    mut whole: Whole,
) -> Content {
    // No gap has longer numbers than that of everything, but for where it starts.
    let longest =
        |whole: &Whole| note(text, &(0..text.len()), whole).len() + text.len().to_string().len();
    let mut reserved = longest(&whole);
    if reserved > limit / 2 {
        // A handle of this length leaves no room for what it is the handle of.
        whole = Whole::Lost;
        reserved = longest(&whole);
    }
    // The line breaks before and after the note.
    let room = limit - reserved - 2;
    let gap = cut::gap(text, room);
    let hidden = message.filter(|message| is_hidden(text, &gap, message));
    match hidden.map(|message| format!("\nError: {message}")) {
        Some(error) if error.len() <= room / 2 => {
            let gap = cut::gap(text, room - error.len());
            cut::without(content, &gap, &(note(text, &gap, &whole) + &error))
        }
        _ => cut::without(content, &gap, &note(text, &gap, &whole)),
    }
}

/// Whether a message is told in a text, and only in what is left out of it.
fn is_hidden(text: &str, gap: &Range<usize>, message: &str) -> bool {
    let (head, _) = text.split_at(gap.start);
    let (_, tail) = text.split_at(gap.end);
    text.contains(message) && !head.contains(message) && !tail.contains(message)
}

/// The line that stands where something was left out.
fn note(text: &str, gap: &Range<usize>, whole: &Whole) -> String {
    let left_out = text.get(gap.clone()).unwrap_or_default();
    let (bytes, total) = (left_out.len(), text.len());
    let lines = match left_out.lines().count() {
        1 => "1 line".to_owned(),
        lines => format!("{lines} lines"),
    };
    let rest = match whole {
        Whole::Dropped => String::new(),
        Whole::Lost => " The whole could not be kept.".to_owned(),
        Whole::Kept(handle) => format!(
            " The whole is kept: call {} with {{\"handle\": {}, \"offset\": {}}}.",
            reader::NAME,
            serde_json::Value::from(handle.as_str()),
            gap.start,
        ),
    };
    format!("[{bytes} of {total} bytes ({lines}) are left out here.{rest}]")
}

/// The store is left out, as it is whatever the host made.
impl fmt::Debug for OutputBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutputBudget")
            .field("bytes", &self.bytes)
            .field("error_bytes", &self.error_bytes)
            .field("store", &self.store.is_some())
            .finish()
    }
}
