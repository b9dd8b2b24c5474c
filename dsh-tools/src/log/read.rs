//! JSON lines, read back.

use std::io::{self, BufRead};
use std::marker::PhantomData;

use serde::de::DeserializeOwned;

/// Reads records that [`JsonLines`](super::JsonLines) wrote, one after the other.
///
/// A line that was cut off, by a crash or a full disk, is reported as [`Line::Torn`]: the last line
/// if it has no end, and any line whose JSON stops before it is complete. Blank lines are passed over.
///
/// ```
/// use dsh_tools::log::{Line, read_json_lines};
///
/// let text = "{\"n\": 1}\n{\"n\": 2}\n{\"n\"";
/// let lines = read_json_lines::<serde_json::Value>(text.as_bytes());
/// let lines = lines.collect::<Result<Vec<_>, _>>().unwrap();
/// assert_eq!(lines.len(), 3);
/// assert_eq!(lines[2], Line::Torn { line: 3 });
///
/// let mut lines = read_json_lines::<serde_json::Value>("hello\n".as_bytes());
/// assert_eq!(lines.next().unwrap().unwrap_err().to_string(), "line 1 is not a record");
/// ```
pub fn read_json_lines<T: DeserializeOwned>(reader: impl BufRead) -> Lines<impl BufRead, T> {
    Lines { reader, number: 0, bytes: Vec::new(), ended: false, records: PhantomData }
}

/// What [`read_json_lines`] gives: the lines in order, each a record, torn, or an error.
#[derive(Debug)]
pub struct Lines<R, T> {
    reader: R,
    number: u64,
    bytes: Vec<u8>,
    ended: bool,
    records: PhantomData<fn() -> T>,
}

/// One line of a file of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<T> {
    /// A record.
    Record(T),
    /// The beginning of a record, whose rest was never written.
    Torn {
        /// The number of the line, counted from 1.
        line: u64,
    },
}

/// Why a line could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The reader failed; nothing follows.
    #[error("the records cannot be read")]
    Io(#[from] io::Error),
    /// A line is whole and holds something else.
    #[error("line {line} is not a record")]
    NotARecord {
        /// The number of the line, counted from 1.
        line: u64,
        /// What is wrong with it.
        source: serde_json::Error,
    },
}

impl<T> Line<T> {
    /// The record, if it is one.
    pub fn record(self) -> Option<T> {
        match self {
            Self::Record(record) => Some(record),
            Self::Torn { .. } => None,
        }
    }
}

impl<R: BufRead, T: DeserializeOwned> Iterator for Lines<R, T> {
    type Item = Result<Line<T>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.ended {
            self.bytes.clear();
            if let Err(error) = self.reader.read_until(b'\n', &mut self.bytes) {
                self.ended = true;
                return Some(Err(error.into()));
            }
            self.number += 1;
            self.ended = !self.bytes.ends_with(b"\n");
            if !self.bytes.trim_ascii().is_empty() {
                return Some(self.line());
            }
        }
        None
    }
}

impl<R, T: DeserializeOwned> Lines<R, T> {
    fn line(&self) -> Result<Line<T>, ReadError> {
        let line = self.number;
        match serde_json::from_slice(self.bytes.trim_ascii_end()) {
            Ok(record) => Ok(Line::Record(record)),
            Err(error) if error.is_eof() || (self.ended && error.is_syntax()) => {
                Ok(Line::Torn { line })
            }
            Err(source) => Err(ReadError::NotARecord { line, source }),
        }
    }
}
