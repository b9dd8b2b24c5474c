//! Records as JSON, one a line, appended.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::{Event, SessionLog};
use crate::hooks::BoxFuture;
use crate::model::ToolResult;

/// Writes records as JSON, one a line, each flushed before the next.
///
/// Threads may share it: lines never mix. A line is handed to the writer whole, so several processes
/// may append to one file. Flushing hands a line to the operating system; a host that must not lose
/// it with the power gives a writer whose `flush` waits for the disk.
///
/// As a [`SessionLog`] it writes events, while the task that appends waits.
///
/// ```
/// use dsh_tools::log::JsonLines;
///
/// # fn main() -> std::io::Result<()> {
/// let lines = JsonLines::new(std::io::sink());
/// lines.append(&serde_json::json!({"seen": 1}))?;
/// # Ok(())
/// # }
/// ```
pub struct JsonLines<W = File>(Mutex<Tail<W>>);

struct Tail<W> {
    writer: W,
    /// Whether what was written last may lack its end.
    torn: bool,
}

impl JsonLines {
    /// Opens a file to append to, and makes it if there is none.
    ///
    /// Where the last line lacks its end, as after a crash, the next record starts on a new line.
    ///
    /// # Errors
    /// The file cannot be opened or read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Self::open_as(path.as_ref(), |file| file)
    }
}

impl<W> JsonLines<W> {
    /// As [`open`](JsonLines::open), for another type of writer.
    pub(crate) fn open_as(path: &Path, writer: impl FnOnce(File) -> W) -> io::Result<Self> {
        let mut file = File::options().read(true).append(true).create(true).open(path)?;
        let torn = is_torn(&mut file)?;
        Ok(Self(Mutex::new(Tail { writer: writer(file), torn })))
    }
}

impl<W: Write> JsonLines<W> {
    /// Writes to this writer, from the start of a line on.
    pub fn new(writer: W) -> Self {
        Self(Mutex::new(Tail { writer, torn: false }))
    }

    /// Appends one record.
    ///
    /// # Errors
    /// The record has no JSON, or the writer fails. A later record then starts on a new line.
    pub fn append<T: Serialize + ?Sized>(&self, record: &T) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        // The lock is the order of the lines, so it is held while the writer works.
        let mut tail = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tail.torn {
            line.insert(0, b'\n');
        }
        // Set until all is written, so that it stays set when the writer panics.
        tail.torn = true;
        tail.writer.write_all(&line)?;
        tail.torn = false;
        tail.writer.flush()
    }
}

/// Whether a file ends within a line.
fn is_torn(file: &mut File) -> io::Result<bool> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(false);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last != [b'\n'])
}

impl<W: Write + Send + 'static> SessionLog for JsonLines<W> {
    fn append<'a>(&'a self, event: &'a Event) -> BoxFuture<'a, ToolResult<()>> {
        Box::pin(async move { Ok(self.append(event)?) })
    }
}

impl<W> fmt::Debug for JsonLines<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonLines").finish_non_exhaustive()
    }
}
