//! What a search found.

use serde::{Deserialize, Serialize};

use super::result::ResultView;

/// What a search found; `shape` says in which form.
///
/// It holds no copy of the text: who cannot show the card shows the content of the result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
#[non_exhaustive]
pub enum SearchResult {
    /// Lines of files.
    Matches(SearchMatches),
    /// Files.
    Paths(SearchPaths),
}

/// Lines of files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchMatches {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The files that have matches.
    pub files: Vec<FileMatches>,
    /// Whether there are more than shown.
    pub truncated: bool,
    /// How many matching lines there are.
    pub total: u64,
}

/// The matching lines of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileMatches {
    /// The file.
    pub path: String,
    /// Its lines, in order.
    pub matches: Vec<LineMatch>,
}

/// A matching line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LineMatch {
    /// Its number in the file, from 1.
    pub line_number: u64,
    /// Its text.
    pub line: String,
}

/// Files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SearchPaths {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The files.
    pub paths: Vec<String>,
    /// Whether there are more than shown.
    pub truncated: bool,
    /// How many files there are.
    pub total: u64,
}

impl SearchMatches {
    /// All there are.
    pub fn new(files: impl IntoIterator<Item = FileMatches>) -> Self {
        let files: Vec<FileMatches> = files.into_iter().collect();
        let total = files.iter().map(|file| file.matches.len() as u64).sum();
        Self { title: None, files, truncated: false, total }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says how many there are; more than shown means that the result is truncated.
    #[must_use]
    pub fn of_total(mut self, total: u64) -> Self {
        (self.truncated, self.total) = (total > self.total, total.max(self.total));
        self
    }
}

impl FileMatches {
    /// The matching lines of a file, in order.
    pub fn new(path: impl Into<String>, matches: impl IntoIterator<Item = LineMatch>) -> Self {
        Self { path: path.into(), matches: matches.into_iter().collect() }
    }
}

impl LineMatch {
    /// The line of this number, from 1.
    pub fn new(line_number: u64, line: impl Into<String>) -> Self {
        Self { line_number, line: line.into() }
    }
}

impl SearchPaths {
    /// All there are.
    pub fn new(paths: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let paths: Vec<String> = paths.into_iter().map(Into::into).collect();
        let total = paths.len() as u64;
        Self { title: None, paths, truncated: false, total }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Says how many there are; more than shown means that the result is truncated.
    #[must_use]
    pub fn of_total(mut self, total: u64) -> Self {
        (self.truncated, self.total) = (total > self.total, total.max(self.total));
        self
    }
}

impl From<SearchMatches> for ResultView {
    fn from(matches: SearchMatches) -> Self {
        Self::Search(SearchResult::Matches(matches))
    }
}

impl From<SearchPaths> for ResultView {
    fn from(paths: SearchPaths) -> Self {
        Self::Search(SearchResult::Paths(paths))
    }
}
