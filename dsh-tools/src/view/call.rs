//! How a call looks before its result is there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shared::{FileDiff, Kind, Location};
use crate::model::Content;

/// How a call looks before its result is there; `card` says which of them it is.
///
/// ```
/// use dsh_tools::view::{CallView, TerminalCall};
/// use serde_json::json;
///
/// let view = CallView::from(TerminalCall::new("cargo test").with_cwd("/src"));
/// let sent = json!({"card": "terminal", "title": "cargo test", "cwd": "/src"});
/// assert_eq!(serde_json::to_value(&view)?, sent);
/// assert_eq!(serde_json::from_value::<CallView>(sent)?, view);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "lowercase")]
#[non_exhaustive]
pub enum CallView {
    /// A row with a title.
    Generic(GenericCall),
    /// A shell command.
    Terminal(TerminalCall),
    /// A change of files.
    Diff(DiffCall),
    /// What was read and is none of the others; to be shown as generic.
    #[serde(untagged)]
    Unknown(Value),
}

/// A row with a title.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct GenericCall {
    /// What the call does.
    pub title: String,
    /// What kind of work that is; none means other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    /// What matters of the arguments: text as it is, other values as indented JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_input: Option<Value>,
    /// More to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// The places it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

/// A shell command that runs in the foreground.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TerminalCall {
    /// The command.
    pub title: String,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where it runs; who shows it resolves a relative path, and none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
}

/// A change of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiffCall {
    /// What the call does.
    pub title: String,
    /// What changes.
    pub diffs: Vec<FileDiff>,
    /// The places it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
}

impl GenericCall {
    /// A row that only has a title.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            kind: None,
            raw_input: None,
            content: None,
            locations: Vec::new(),
        }
    }

    /// Sets what kind of work it is.
    #[must_use]
    pub fn with_kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
    }

    /// Sets what matters of the arguments.
    #[must_use]
    pub fn with_raw_input(mut self, input: impl Into<Value>) -> Self {
        self.raw_input = Some(input.into());
        self
    }

    /// Sets more to show.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<Content>) -> Self {
        self.content = Some(content.into());
        self
    }

    /// Adds a place it is about.
    #[must_use]
    pub fn with_location(mut self, location: Location) -> Self {
        self.locations.push(location);
        self
    }
}

impl TerminalCall {
    /// A command.
    pub fn new(command: impl Into<String>) -> Self {
        Self { title: command.into(), description: None, cwd: None }
    }

    /// Sets what the command is for.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    /// Sets where the command runs.
    #[must_use]
    pub fn with_cwd(mut self, cwd: impl Into<String>) -> Self {
        self.cwd = Some(cwd.into());
        self
    }
}

impl DiffCall {
    /// A change of these files.
    pub fn new(title: impl Into<String>, diffs: impl IntoIterator<Item = FileDiff>) -> Self {
        Self { title: title.into(), diffs: diffs.into_iter().collect(), locations: Vec::new() }
    }

    /// Adds a place it is about.
    #[must_use]
    pub fn with_location(mut self, location: Location) -> Self {
        self.locations.push(location);
        self
    }
}

impl From<GenericCall> for CallView {
    fn from(call: GenericCall) -> Self {
        Self::Generic(call)
    }
}

impl From<TerminalCall> for CallView {
    fn from(call: TerminalCall) -> Self {
        Self::Terminal(call)
    }
}

impl From<DiffCall> for CallView {
    fn from(call: DiffCall) -> Self {
        Self::Diff(call)
    }
}
