//! What views of calls and of results share.

use std::num::NonZeroU64;

use serde::{Deserialize, Serialize};

/// What kind of work a call does; a kind that is not known reads as other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Kind {
    /// Reads.
    Read,
    /// Changes what is there.
    Edit,
    /// Deletes.
    Delete,
    /// Moves or renames.
    Move,
    /// Looks for something.
    Search,
    /// Runs a command or a program.
    Execute,
    /// Gets something from elsewhere.
    Fetch,
    /// Anything else.
    #[serde(other)]
    Other,
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Location {
    /// The file.
    pub path: String,
    /// The line, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<NonZeroU64>,
}

/// What changes in one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FileDiff {
    /// The file.
    pub path: String,
    /// The text before; none for a new file, and where a call cannot know it.
    pub old_text: Option<String>,
    /// The text after.
    pub new_text: String,
}

impl Location {
    /// The file as a whole.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into(), line: None }
    }

    /// Sets the line, from 1; zero, which is no line, says nothing.
    #[must_use]
    pub fn at_line(mut self, line: u64) -> Self {
        self.line = NonZeroU64::new(line);
        self
    }
}

impl FileDiff {
    /// A file that is new, or is overwritten whatever it held.
    pub fn written(path: impl Into<String>, new_text: impl Into<String>) -> Self {
        Self { path: path.into(), old_text: None, new_text: new_text.into() }
    }

    /// A file, or a part of it, that held other text before.
    pub fn changed(
        path: impl Into<String>,
        old_text: impl Into<String>,
        new_text: impl Into<String>,
    ) -> Self {
        Self { old_text: Some(old_text.into()), ..Self::written(path, new_text) }
    }
}
