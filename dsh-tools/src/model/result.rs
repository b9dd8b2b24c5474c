//! What one call came to.

use std::sync::Arc;

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use super::content::Content;
use super::error::ToolError;
use crate::json::{Document, Held, TextMap, is_lossless, map_strings};

/// What one call came to: a value or an error, and the content a model reads of it.
///
/// Immutable and cheap to clone. A failure never has a value, and never ends the turn.
///
/// ```
/// use dsh_tools::{CallResult, ToolError};
///
/// let result = CallResult::failure(ToolError::new("no such file"));
/// assert!(result.is_error());
/// assert_eq!(result.content().to_string(), "Error: no such file");
/// ```
#[derive(Clone, Debug)]
pub struct CallResult(Arc<Parts>);

#[derive(Clone, Debug)]
struct Parts {
    outcome: Result<Document, ToolError>,
    content: Content,
    meta: Option<Held>,
    contexts: Vec<Context>,
    concludes_turn: bool,
    /// The execution whose success the registry made; wrappers cannot set it.
    made_for: Option<u64>,
}

/// A user-role message that reaches the conversation after the result of the call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Context {
    /// Who added it.
    pub source: String,
    /// What it says.
    pub content: Content,
}

impl CallResult {
    /// A success with this value, rendered as text or as JSON.
    ///
    /// A wrapper that returns one does not decide what the model reads: the pipeline checks the
    /// value and renders it anew through the tool.
    pub fn success(value: impl Into<Value>) -> Self {
        let value = value.into();
        let content = super::default_render(&value);
        Self::rendered(value.into(), content, None, None)
    }

    pub(crate) fn rendered(
        value: Document,
        content: Content,
        meta: Option<Value>,
        made_for: Option<u64>,
    ) -> Self {
        Self::from_outcome(Ok(value), content, meta.map(Held::from), made_for)
    }

    /// A failure whose content is `Error: ` and the message.
    pub fn failure(error: impl Into<ToolError>) -> Self {
        let error = error.into();
        let content = format!("Error: {error}").into();
        Self::from_outcome(Err(error), content, None, None)
    }

    fn from_outcome(
        outcome: Result<Document, ToolError>,
        content: Content,
        meta: Option<Held>,
        made_for: Option<u64>,
    ) -> Self {
        Self(Arc::new(Parts {
            outcome,
            content,
            meta,
            contexts: Vec::new(),
            concludes_turn: false,
            made_for,
        }))
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.0.outcome.is_err()
    }

    /// The value of a success.
    pub fn value(&self) -> Option<&Value> {
        self.0.outcome.as_ref().ok().map(Document::value)
    }

    /// The error of a failure.
    pub fn error(&self) -> Option<&ToolError> {
        self.0.outcome.as_ref().err()
    }

    /// What the model reads.
    pub fn content(&self) -> &Content {
        &self.0.content
    }

    /// What the tool recorded for the card that shows this call.
    pub fn meta(&self) -> Option<&Value> {
        self.0.meta.as_ref().map(Held::value)
    }

    /// Messages that follow the result, in order.
    pub fn contexts(&self) -> &[Context] {
        &self.0.contexts
    }

    /// Whether the tool ended the turn with this success.
    pub fn concludes_turn(&self) -> bool {
        self.0.concludes_turn
    }

    /// Replaces what the model reads; value, error and the rest stay.
    ///
    /// Of a success that a wrapper gives, the tool renders the value anew.
    #[must_use]
    pub fn with_content(self, content: impl Into<Content>) -> Self {
        self.rewritten(|parts| parts.content = content.into())
    }

    /// Replaces what is recorded for the card that shows this call.
    ///
    /// Of a success that a wrapper gives, the tool records it anew.
    #[must_use]
    pub fn with_meta(self, meta: impl Into<Value>) -> Self {
        self.rewritten(|parts| parts.meta = Some(Held::from(meta.into())))
    }

    /// Adds messages that follow the result.
    #[must_use]
    pub fn with_contexts(self, contexts: impl IntoIterator<Item = Context>) -> Self {
        self.rewritten(|parts| parts.contexts.extend(contexts))
    }

    /// Adds messages to a result that stays the pipeline's own.
    pub(crate) fn and_contexts(self, contexts: impl IntoIterator<Item = Context>) -> Self {
        self.change(|parts| parts.contexts.extend(contexts))
    }

    pub(crate) fn with_contexts_before(self, mut contexts: Vec<Context>) -> Self {
        if contexts.is_empty() {
            return self;
        }
        self.change(|parts| {
            contexts.append(&mut parts.contexts);
            parts.contexts = contexts;
        })
    }

    pub(crate) fn concluding_turn(self, concludes: bool) -> Self {
        if concludes == self.0.concludes_turn || self.is_error() {
            return self;
        }
        self.change(|parts| parts.concludes_turn = concludes)
    }

    /// Whether writing content, meta and contexts as text and reading them back gives them.
    ///
    /// The value was checked when the success was made.
    pub(crate) fn is_lossless(&self) -> bool {
        self.content().is_lossless()
            && self.meta().is_none_or(is_lossless)
            && self.contexts().iter().all(|context| context.content.is_lossless())
    }

    /// The result with its texts changed: of value, error, content, meta and contexts; none if none
    /// changes.
    pub(crate) fn map_texts(&self, map: &TextMap<'_>) -> Option<Self> {
        let outcome = match &self.0.outcome {
            Ok(value) => map_strings(value.value(), map).map(|value| Ok(Document::from(value))),
            Err(error) => error.map_texts(map).map(Err),
        };
        let content = self.0.content.map_texts(map);
        let meta = self.meta().and_then(|meta| map_strings(meta, map)).map(Held::from);
        let contexts: Vec<_> =
            self.0.contexts.iter().map(|context| context.content.map_texts(map)).collect();
        let is_same = outcome.is_none()
            && content.is_none()
            && meta.is_none()
            && contexts.iter().all(Option::is_none);
        if is_same {
            return None;
        }
        Some(self.clone().rewritten(|parts| {
            if let Some(outcome) = outcome {
                parts.outcome = outcome;
            }
            if let Some(content) = content {
                parts.content = content;
            }
            if meta.is_some() {
                parts.meta = meta;
            }
            for (context, content) in parts.contexts.iter_mut().zip(contexts) {
                if let Some(content) = content {
                    context.content = content;
                }
            }
        }))
    }

    pub(crate) fn is_made_for(&self, execution: u64) -> bool {
        self.0.made_for == Some(execution)
    }

    /// A change by somebody else: the pipeline no longer takes the result for its own.
    fn rewritten(self, change: impl FnOnce(&mut Parts)) -> Self {
        self.change(|parts| {
            change(parts);
            parts.made_for = None;
        })
    }

    fn change(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        change(Arc::make_mut(&mut self.0));
        self
    }
}

/// Equal when value, error, content, meta, contexts and mark are.
impl PartialEq for CallResult {
    fn eq(&self, other: &Self) -> bool {
        self.0.outcome == other.0.outcome
            && self.0.content == other.0.content
            && self.0.meta == other.0.meta
            && self.0.contexts == other.0.contexts
            && self.0.concludes_turn == other.0.concludes_turn
    }
}

/// Everything there is to say; a log leaves the value out.
impl Serialize for CallResult {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("isError", &self.is_error())?;
        map.serialize_entry("content", self.content())?;
        match &self.0.outcome {
            Ok(value) => map.serialize_entry("value", value.value())?,
            Err(error) => {
                map.serialize_entry("message", error.message())?;
                if let Some(info) = error.info() {
                    map.serialize_entry("error", info)?;
                }
            }
        }
        if let Some(meta) = self.meta() {
            map.serialize_entry("meta", meta)?;
        }
        if !self.contexts().is_empty() {
            map.serialize_entry("contexts", self.contexts())?;
        }
        if self.concludes_turn() {
            map.serialize_entry("concludesTurn", &true)?;
        }
        map.end()
    }
}
