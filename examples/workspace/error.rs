//! What can go wrong in a tool, in words for the model that called it.

use std::{error::Error, fmt, io, path::PathBuf};

use dsh_tools::CodedError;

use crate::PathError;

/// A tool call that went wrong; its text is meant for the model, so that it can correct itself.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// The path is not accepted.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A file was expected and a directory is there.
    #[error("`{path}` is a directory; use list_dir to see what is in it")]
    IsADirectory {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// A directory was expected and something else is there.
    #[error("`{path}` is not a directory; give the directory it is in")]
    NotADirectory {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// A device, socket or named pipe, which may block or never end.
    #[error("`{path}` is neither a file nor a directory; only regular files can be used")]
    NotARegularFile {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// The file is no UTF-8 text.
    #[error("`{path}` is binary or not UTF-8; only text files can be used")]
    BinaryFile {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// The file is larger than the tool takes.
    #[error("`{path}` has {size} bytes; files up to {limit} bytes are accepted")]
    FileTooLarge {
        /// The path as the model wrote it.
        path: PathBuf,
        /// How large it is.
        size: u64,
        /// How large it may be.
        limit: u64,
    },
    /// The permissions of the file forbid writing.
    #[error("`{path}` is read-only; its permissions forbid to write it")]
    ReadOnly {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// An argument has a value that makes no sense.
    #[error("`{argument}` is not accepted: {reason}")]
    InvalidArgument {
        /// The argument's name.
        argument: &'static str,
        /// What is accepted.
        reason: &'static str,
    },
    /// The first line asked for is behind the last one.
    #[error("`{path}` has {total_lines} lines; `offset` {offset} is beyond its end")]
    OffsetBeyondEnd {
        /// The path as the model wrote it.
        path: PathBuf,
        /// The line asked for.
        offset: u64,
        /// The lines there are.
        total_lines: u64,
    },
    /// The text to replace is not in the file.
    #[error("`old_text` is not in `{path}`{near}")]
    NoMatch {
        /// The path as the model wrote it.
        path: PathBuf,
        /// What almost matches.
        near: NearMiss,
    },
    /// The text to replace is in the file more than once.
    #[error(
        "`old_text` is in `{path}` more than once, {}; add the lines around it to tell which, or give `expected_count`",
        at_lines(.lines)
    )]
    AmbiguousMatch {
        /// The path as the model wrote it.
        path: PathBuf,
        /// Where it is; not more than the first ten places.
        lines: Vec<u64>,
    },
    /// The text to replace is in the file, but not as often as expected.
    #[error(
        "`old_text` is in `{path}` {found} times, {}; `expected_count` is {expected}",
        at_lines(.lines)
    )]
    CountMismatch {
        /// The path as the model wrote it.
        path: PathBuf,
        /// How often it should be there.
        expected: u64,
        /// How often it is there.
        found: u64,
        /// Where it is; not more than the first ten places.
        lines: Vec<u64>,
    },
    /// The edit would change nothing.
    #[error("`old_text` and `new_text` are the same; nothing would change")]
    NoChange,
    /// A glob or a regular expression that cannot be read.
    #[error("`{argument}` `{pattern}` is not a valid {kind}: {source}")]
    InvalidPattern {
        /// The argument's name.
        argument: &'static str,
        /// The pattern as the model wrote it.
        pattern: String,
        /// What it should be.
        kind: &'static str,
        /// The reason, in the words of whoever read it.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The call was cancelled before it was done.
    #[error("cancelled")]
    Cancelled,
    /// The operating system refused.
    #[error("cannot {action} `{path}`: {}", .source.kind())]
    Io {
        /// What was tried, such as "read".
        action: &'static str,
        /// The path as the model wrote it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl WorkspaceError {
    /// Returns the stable code that callers branch on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Path(error) => error.code(),
            Self::IsADirectory { .. } => "IS_A_DIRECTORY",
            Self::NotADirectory { .. } => "NOT_A_DIRECTORY",
            Self::NotARegularFile { .. } => "NOT_A_REGULAR_FILE",
            Self::BinaryFile { .. } => "BINARY_FILE",
            Self::FileTooLarge { .. } => "FILE_TOO_LARGE",
            Self::ReadOnly { .. } => "READ_ONLY",
            Self::InvalidArgument { .. } => "INVALID_ARGUMENT",
            Self::OffsetBeyondEnd { .. } => "OFFSET_BEYOND_END",
            Self::NoMatch { .. } => "NO_MATCH",
            Self::AmbiguousMatch { .. } => "AMBIGUOUS_MATCH",
            Self::CountMismatch { .. } => "COUNT_MISMATCH",
            Self::NoChange => "NO_CHANGE",
            Self::InvalidPattern { .. } => "INVALID_PATTERN",
            Self::Cancelled => "CANCELLED",
            Self::Io { .. } => "IO",
        }
    }

    /// An `Io` error of one action on one path, for `map_err`.
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }

    /// Accepts numbers that count from 1.
    pub(crate) fn from_one(argument: &'static str, value: u64) -> Result<u64, Self> {
        if value == 0 {
            let reason = "it counts from 1";
            return Err(Self::InvalidArgument { argument, reason });
        }
        Ok(value)
    }
}

impl CodedError for WorkspaceError {
    fn code(&self) -> &'static str {
        self.code()
    }

    fn name(&self) -> &'static str {
        "WorkspaceError"
    }
}

/// What almost matched the text that an edit should replace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum NearMiss {
    /// Nothing.
    Nothing,
    /// The same text with other line endings, at this line.
    LineEndings(u64),
    /// The same text with other white space, at this line.
    WhiteSpace(u64),
}

impl fmt::Display for NearMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("; read the file again and copy the text exactly"),
            Self::LineEndings(line) => {
                write!(f, "; line {line} differs from it only in line endings (`\\r\\n` or `\\n`)")
            }
            Self::WhiteSpace(line) => write!(
                f,
                "; the text at line {line} differs from it only in white space, copy that exactly"
            ),
        }
    }
}

/// "at line 3" or "at lines 3, 9, 12".
fn at_lines(lines: &[u64]) -> String {
    let numbers: Vec<_> = lines.iter().map(u64::to_string).collect();
    let noun = if numbers.len() == 1 { "line" } else { "lines" };
    format!("at {noun} {}", numbers.join(", "))
}
