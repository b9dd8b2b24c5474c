//! What came from the web.

use serde::{Deserialize, Serialize};

use super::result::ResultView;

/// What came from the web; `kind` says how it was asked for.
///
/// It holds no copy of the text: who cannot show the card shows the content of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[non_exhaustive]
pub enum WebResult {
    /// A search.
    Search(WebSearch),
    /// One page.
    Fetch(WebFetch),
}

/// What a search of the web found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct WebSearch {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The pages, the best first.
    pub sources: Vec<WebSource>,
    /// What the search answers in its own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether there are more than shown.
    pub truncated: bool,
}

/// A page that a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebSource {
    /// Where it is.
    pub url: String,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A piece of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// When it was published, in the words of the source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<String>,
}

/// One page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct WebFetch {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it is, after all redirects.
    pub url: String,
    /// The status of the answer.
    pub status_code: u16,
    /// Whether there is more than was read.
    pub truncated: bool,
}

impl WebSearch {
    /// These pages, and no more.
    pub fn new(sources: impl IntoIterator<Item = WebSource>) -> Self {
        let sources = sources.into_iter().collect();
        Self { title: None, sources, answer: None, truncated: false }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets what the search answers in its own words.
    #[must_use]
    pub fn with_answer(mut self, answer: impl Into<String>) -> Self {
        self.answer = Some(answer.into());
        self
    }

    /// Says whether there are more than shown.
    #[must_use]
    pub fn truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }
}

impl WebSource {
    /// A page of which only the address is known.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), title: None, snippet: None, published_at: None }
    }

    /// Sets what it is called.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets a piece of its text.
    #[must_use]
    pub fn with_snippet(mut self, snippet: impl Into<String>) -> Self {
        self.snippet = Some(snippet.into());
        self
    }

    /// Sets when it was published.
    #[must_use]
    pub fn with_published_at(mut self, published_at: impl Into<String>) -> Self {
        self.published_at = Some(published_at.into());
        self
    }
}

impl WebFetch {
    /// A page that was read as a whole, wherever redirects led.
    pub fn new(url: impl Into<String>, status_code: u16) -> Self {
        Self { title: None, url: url.into(), status_code, truncated: false }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says whether there is more than was read.
    #[must_use]
    pub fn truncated(mut self, truncated: bool) -> Self {
        self.truncated = truncated;
        self
    }
}

impl From<WebSearch> for ResultView {
    fn from(search: WebSearch) -> Self {
        Self::Web(WebResult::Search(search))
    }
}

impl From<WebFetch> for ResultView {
    fn from(fetch: WebFetch) -> Self {
        Self::Web(WebResult::Fetch(fetch))
    }
}
