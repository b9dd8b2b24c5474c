//! `read_file`: a part of a text file, by lines.
//!
//! The file is read once from start to end and only the part that is shown is kept, so its size
//! costs time but no memory.

use std::{
    fs::File,
    io::{self, BufRead, BufReader},
    path::PathBuf,
};

use dsh_tools::{Schema, State, tool};
use serde::{Deserialize, Serialize};

use crate::{Root, WorkspaceError, boundary::complete_len, file};

const DEFAULT_LIMIT: u64 = 2_000;
const MAX_TEXT_BYTES: usize = 64 * 1024;
const MAX_LINE_BYTES: usize = 2_000;

/// Arguments of `read_file`.
#[derive(Debug, Clone, Deserialize, Schema)]
pub struct ReadFile {
    /// File to read, relative to the workspace root.
    pub path: PathBuf,
    /// First line to read, counted from 1; default 1.
    #[schema(minimum = 1)]
    pub offset: Option<u64>,
    /// Number of lines to read; default 2000.
    #[schema(minimum = 1)]
    pub limit: Option<u64>,
}

/// What `read_file` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct ReadFileOutput {
    /// The file, relative to the workspace root.
    pub path: String,
    /// Number of the first line in `text`, counted from 1.
    pub first_line: u64,
    /// Number of lines in the whole file.
    pub total_lines: u64,
    /// The lines, ended by `\n`; a very long line is cut and says so.
    pub text: String,
    /// Whether lines follow that are not in `text`.
    pub truncated: bool,
}

/// Read a text file, or some of its lines, with line numbers.
#[tool(
    blocking,
    parallel,
    timeout = "10s",
    annotations(read_only, open_world = false),
    tags("files"),
    render = render
)]
fn read_file(args: ReadFile, root: State<Root>) -> Result<ReadFileOutput, WorkspaceError> {
    run(&root, &args)
}

/// Reads lines of a text file.
///
/// # Errors
///
/// `BINARY_FILE` when what would be shown has NUL bytes or is no UTF-8, `OFFSET_BEYOND_END`,
/// `IS_A_DIRECTORY`, `NOT_A_REGULAR_FILE`, `INVALID_ARGUMENT` for a zero, `IO`, and the codes of
/// [`Root::resolve`].
///
/// # Examples
///
/// ```
/// use workspace_tools::{Root, tools::read_file::{self, ReadFile}};
///
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("a.txt"), "one\ntwo\n")?;
/// let args = ReadFile { path: "a.txt".into(), offset: Some(2), limit: None };
/// let output = read_file::run(&Root::new(dir.path())?, &args)?;
/// assert_eq!(output.text, "two\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(root: &Root, args: &ReadFile) -> Result<ReadFileOutput, WorkspaceError> {
    let first_line = WorkspaceError::from_one("offset", args.offset.unwrap_or(1))?;
    let limit = WorkspaceError::from_one("limit", args.limit.unwrap_or(DEFAULT_LIMIT))?;

    let (real, _) = file::existing(root, &args.path)?;
    let file = File::open(&real).map_err(WorkspaceError::io("read", &args.path))?;
    let excerpt = Excerpt::read(&mut BufReader::new(file), first_line, limit)
        .map_err(WorkspaceError::io("read", &args.path))?;

    let total_lines = excerpt.total;
    if first_line > total_lines.max(1) {
        return Err(WorkspaceError::OffsetBeyondEnd {
            path: args.path.clone(),
            offset: first_line,
            total_lines,
        });
    }
    let text = match String::from_utf8(excerpt.text) {
        Ok(text) if !text.contains('\0') => text,
        _ => {
            return Err(WorkspaceError::BinaryFile { path: args.path.clone() });
        }
    };
    Ok(ReadFileOutput {
        path: root.display(&real),
        first_line,
        total_lines,
        text,
        truncated: first_line - 1 + excerpt.shown < total_lines,
    })
}

/// Shows the lines with their numbers, and how to read on.
pub fn render(output: &ReadFileOutput) -> String {
    if output.total_lines == 0 {
        return format!("[`{}` is empty]\n", output.path);
    }
    let ReadFileOutput { first_line, total_lines, .. } = output;
    let mut rows: Vec<_> = (*first_line..)
        .zip(output.text.lines())
        .map(|(number, line)| format!("{number:>6}\t{line}\n"))
        .collect();
    if output.truncated {
        let next = first_line + rows.len() as u64;
        rows.push(format!(
            "[lines {first_line} to {} of {total_lines} are shown; read on with offset={next}]\n",
            next - 1
        ));
    }
    rows.concat()
}

/// The part of a file that is shown.
#[derive(Default)]
struct Excerpt {
    text: Vec<u8>,
    shown: u64,
    total: u64,
}

impl Excerpt {
    fn read(reader: &mut impl BufRead, first: u64, limit: u64) -> io::Result<Self> {
        let mut excerpt = Self::default();
        let mut full = false;
        loop {
            let wanted = !full && excerpt.total + 1 >= first;
            let keep = if wanted { MAX_LINE_BYTES } else { 0 };
            let Some(line) = Line::read(reader, keep)? else {
                return Ok(excerpt);
            };
            excerpt.total += 1;
            if wanted {
                let bytes = line.into_bytes();
                full = excerpt.text.len() + bytes.len() > MAX_TEXT_BYTES;
                if !full {
                    excerpt.text.extend(bytes);
                    excerpt.shown += 1;
                    full = excerpt.shown == limit;
                }
            }
        }
    }
}

/// One line, of which only the start is kept.
#[derive(Default)]
struct Line {
    start: Vec<u8>,
    len: usize,
    ended: bool,
}

impl Line {
    /// Reads a line, or nothing at the end of the file.
    fn read(reader: &mut impl BufRead, keep: usize) -> io::Result<Option<Self>> {
        let mut line = Self::default();
        while !line.ended {
            let buffer = match reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if buffer.is_empty() {
                return Ok((line.len > 0).then_some(line));
            }
            let newline = buffer.iter().position(|byte| *byte == b'\n');
            let piece = &buffer[..newline.unwrap_or(buffer.len())];
            let room = keep - line.start.len();
            line.start.extend(&piece[..piece.len().min(room)]);
            line.len += piece.len();
            line.ended = newline.is_some();
            let read = piece.len() + usize::from(line.ended);
            reader.consume(read);
        }
        Ok(Some(line))
    }

    /// Gives the line as it is shown: `\r\n` as `\n`, and cut with a note if it is long.
    fn into_bytes(self) -> Vec<u8> {
        let mut bytes = self.start;
        if bytes.len() < self.len {
            bytes.truncate(complete_len(&bytes));
            let cut = self.len - bytes.len();
            bytes.extend(format!(" [line cut, {cut} more bytes]").into_bytes());
        } else if self.ended && bytes.ends_with(b"\r") {
            bytes.pop();
        }
        if self.ended {
            bytes.push(b'\n');
        }
        bytes
    }
}
