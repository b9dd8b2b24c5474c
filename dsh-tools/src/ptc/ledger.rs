//! Keeps what a program gives out, up to a limit.

use serde_json::Value;

use crate::json::to_text;

/// What a program printed, and how many bytes of it may follow.
///
/// Bytes are those of compact JSON in UTF-8: of the list of lines, and of the value or the failure. Exactly
/// the limit is fine. Of a line that does not fit, what fits is kept.
///
/// ```
/// use dsh_tools::ptc::Ledger;
///
/// let mut ledger = Ledger::new(14);
/// ledger.print("one").unwrap();
/// assert!(ledger.print("two three").is_err());
/// assert_eq!(ledger.into_lines(), ["one", "two "]);
/// ```
#[derive(Debug)]
pub struct Ledger {
    lines: Vec<String>,
    limit: u64,
    /// Of the list so far, with its brackets.
    bytes: u64,
}

/// A program gave out more than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("outer output exceeded {limit} bytes")]
pub struct OutputLimit {
    /// How many bytes it may give out.
    pub limit: u64,
}

impl Ledger {
    /// An empty ledger with this limit, in bytes.
    pub fn new(limit: u64) -> Self {
        Self { lines: Vec::new(), limit, bytes: 2 }
    }

    /// Keeps a line.
    ///
    /// # Errors
    /// It does not fit; as much of it as fits was kept.
    pub fn print(&mut self, line: &str) -> Result<(), OutputLimit> {
        // A comma, but for the first, and two quotes.
        let around = if self.lines.is_empty() { 2 } else { 3 };
        let Some(mut left) = self.left().checked_sub(around) else { return Err(self.exceeded()) };
        let mut fits = 0;
        for (index, char) in line.char_indices() {
            let Some(rest) = left.checked_sub(escaped(char)) else { break };
            left = rest;
            fits = index + char.len_utf8();
        }
        let (kept, rest) = line.split_at(fits);
        if !kept.is_empty() || rest.is_empty() {
            self.lines.push(kept.to_owned());
            self.bytes = self.limit - left;
        }
        if rest.is_empty() { Ok(()) } else { Err(self.exceeded()) }
    }

    /// Checks that the value or the failure, if there is one, fits behind the lines.
    ///
    /// # Errors
    /// It does not.
    pub fn close(&self, last: Option<&Value>) -> Result<(), OutputLimit> {
        let bytes = last.map_or(0, |last| to_text(last).len() as u64);
        if bytes <= self.left() { Ok(()) } else { Err(self.exceeded()) }
    }

    /// The lines so far.
    pub fn into_lines(self) -> Vec<String> {
        self.lines
    }

    fn left(&self) -> u64 {
        self.limit.saturating_sub(self.bytes)
    }

    fn exceeded(&self) -> OutputLimit {
        OutputLimit { limit: self.limit }
    }
}

/// How many bytes a character has inside a JSON string.
fn escaped(char: char) -> u64 {
    match char {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        other => other.len_utf8() as u64,
    }
}
