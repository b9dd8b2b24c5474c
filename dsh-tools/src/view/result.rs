//! How a call looks when its result is there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::read::ReadResult;
use super::search::SearchResult;
use super::shared::FileDiff;
use super::web::WebResult;
use crate::model::Content;

/// How a call looks when its result is there; `card` says which of them it is.
///
/// It takes the place of the [`CallView`](super::CallView), so a tool that changes files shows its
/// diffs again. Without a title, that of the call stays.
///
/// ```
/// use dsh_tools::view::{Exit, ResultView, TerminalResult};
/// use serde_json::json;
///
/// let view = ResultView::from(TerminalResult::new("ok\n").with_exit(Exit::Code(0)));
/// let sent = json!({"card": "terminal", "output": "ok\n", "exitCode": 0});
/// assert_eq!(serde_json::to_value(&view)?, sent);
/// assert_eq!(serde_json::from_value::<ResultView>(sent)?, view);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "card", rename_all = "lowercase")]
#[non_exhaustive]
pub enum ResultView {
    /// A row with content.
    Generic(GenericResult),
    /// What a shell command wrote, and how it ended.
    Terminal(TerminalResult),
    /// What changed in files.
    Diff(DiffResult),
    /// What a search found.
    Search(SearchResult),
    /// Lines of a file.
    Read(ReadResult),
    /// What came from the web.
    Web(WebResult),
    /// What was read and is none of the others; to be shown as generic.
    #[serde(untagged)]
    Unknown(Value),
}

/// A row with content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct GenericResult {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What to show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
}

/// What a shell command wrote, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TerminalResult {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it wrote, as it was written.
    pub output: String,
    /// How it ended, if that is known.
    #[serde(flatten)]
    pub exit: Option<Exit>,
}

/// How a process ended: one of both, never both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Exit {
    /// It exited, with this code.
    #[serde(rename = "exitCode")]
    Code(i64),
    /// It was killed, by the signal of this name.
    #[serde(rename = "signal")]
    Signal(String),
}

/// What changed in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DiffResult {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What changed.
    pub diffs: Vec<FileDiff>,
}

impl GenericResult {
    /// A row with this content.
    pub fn new(content: impl Into<Content>) -> Self {
        Self { title: None, content: Some(content.into()) }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

impl TerminalResult {
    /// A command that wrote this.
    pub fn new(output: impl Into<String>) -> Self {
        Self { title: None, output: output.into(), exit: None }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets how the command ended.
    #[must_use]
    pub fn with_exit(mut self, exit: Exit) -> Self {
        self.exit = Some(exit);
        self
    }
}

impl DiffResult {
    /// These changes.
    pub fn new(diffs: impl IntoIterator<Item = FileDiff>) -> Self {
        Self { title: None, diffs: diffs.into_iter().collect() }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

impl From<GenericResult> for ResultView {
    fn from(result: GenericResult) -> Self {
        Self::Generic(result)
    }
}

impl From<TerminalResult> for ResultView {
    fn from(result: TerminalResult) -> Self {
        Self::Terminal(result)
    }
}

impl From<DiffResult> for ResultView {
    fn from(result: DiffResult) -> Self {
        Self::Diff(result)
    }
}
