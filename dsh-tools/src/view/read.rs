//! Lines of a file.

use serde::{Deserialize, Serialize};

use super::result::ResultView;
use crate::model::Content;

/// Lines of a file, with the numbers they have there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ReadResult {
    /// In place of the title of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The file.
    pub path: String,
    /// The first line that was asked for, from 1, also when no line fits.
    pub offset: u64,
    /// The lines, in order.
    pub lines: Vec<ReadLine>,
    /// How many lines the file has.
    pub total_lines: u64,
    /// The language, if the file's extension tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// For those that cannot show the card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ReadLine {
    /// Its number in the file, from 1.
    pub number: u64,
    /// Its text.
    pub text: String,
}

impl ReadResult {
    /// The lines from `offset` on, in a file of so many.
    pub fn new(
        path: impl Into<String>,
        offset: u64,
        lines: impl IntoIterator<Item = impl Into<String>>,
        total_lines: u64,
    ) -> Self {
        let number = |(number, text): (u64, _)| ReadLine { number, text: Into::into(text) };
        Self {
            title: None,
            path: path.into(),
            offset,
            lines: (offset..).zip(lines).map(number).collect(),
            total_lines,
            lang: None,
            content: None,
        }
    }

    /// Takes the place of the title of the call.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the language.
    #[must_use]
    pub fn with_lang(mut self, lang: impl Into<String>) -> Self {
        self.lang = Some(lang.into());
        self
    }

    /// Sets what those show that cannot show the card.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<Content>) -> Self {
        self.content = Some(content.into());
        self
    }
}

impl From<ReadResult> for ResultView {
    fn from(read: ReadResult) -> Self {
        Self::Read(read)
    }
}
