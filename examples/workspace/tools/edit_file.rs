//! `edit_file`: an exact piece of text in a file, replaced by another.

use std::{
    fs,
    path::{Path, PathBuf},
};

use dsh_tools::{Schema, State, tool};
use serde::{Deserialize, Serialize};

use crate::{
    NearMiss, Root, WorkspaceError,
    excerpt::{self, Change, Replacement},
    file,
};

const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;
/// Places named when there are several.
const MAX_PLACES: usize = 10;

/// Arguments of `edit_file`.
#[derive(Debug, Clone, Deserialize, Schema)]
pub struct EditFile {
    /// File to edit, relative to the workspace root.
    pub path: PathBuf,
    /// Text to replace, exactly as it is in the file, without line numbers.
    pub old_text: String,
    /// Text to put in its place.
    pub new_text: String,
    /// How often `old_text` is in the file; all of them are replaced. Default: it must be unique.
    #[schema(minimum = 1)]
    pub expected_count: Option<u64>,
}

/// What `edit_file` changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct EditFileOutput {
    /// The file, relative to the workspace root.
    pub path: String,
    /// How many pieces of text were replaced.
    pub replacements: u64,
    /// The lines that changed, in order.
    pub changes: Vec<LineChange>,
    /// The changes as a unified diff without file names; long ones are cut and say so.
    pub excerpt: String,
}

/// Lines that changed together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct LineChange {
    /// First changed line, numbered from 1 as the file is now.
    pub first_line: u64,
    /// Number of lines taken away.
    pub removed: u64,
    /// Number of lines put in their place.
    pub added: u64,
}

/// Replace an exact piece of a file, which has to be there once, or as often as expected.
#[tool(
    blocking,
    timeout = "10s",
    annotations(destructive, open_world = false),
    tags("files"),
    render = render
)]
fn edit_file(args: EditFile, root: State<Root>) -> Result<EditFileOutput, WorkspaceError> {
    run(&root, &args)
}

/// Replaces text in a file.
///
/// In a file whose lines all end in `\r\n`, both texts are taken with these endings, since models
/// write `\n`. The file is replaced at once and keeps its permissions.
///
/// # Errors
///
/// `NO_MATCH`, `AMBIGUOUS_MATCH`, `COUNT_MISMATCH`, `NO_CHANGE`, `INVALID_ARGUMENT` for an empty
/// `old_text` or a zero, `BINARY_FILE`, `FILE_TOO_LARGE`, `IS_A_DIRECTORY`, `NOT_A_REGULAR_FILE`,
/// `READ_ONLY`, `IO`, and the codes of [`Root::resolve`].
///
/// # Examples
///
/// ```
/// use workspace_tools::{Root, tools::edit_file::{self, EditFile}};
///
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("a.txt"), "one\ntwo\n")?;
/// let args = EditFile {
///     path: "a.txt".into(),
///     old_text: "two".into(),
///     new_text: "2".into(),
///     expected_count: None,
/// };
/// let output = edit_file::run(&Root::new(dir.path())?, &args)?;
/// assert_eq!(output.excerpt, "@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(root: &Root, args: &EditFile) -> Result<EditFileOutput, WorkspaceError> {
    if args.old_text.is_empty() {
        return Err(WorkspaceError::InvalidArgument {
            argument: "old_text",
            reason: "it is empty; use write_file to fill a new file",
        });
    }
    if let Some(expected) = args.expected_count {
        WorkspaceError::from_one("expected_count", expected)?;
    }

    let (real, metadata) = file::existing(root, &args.path)?;
    file::check_writable(&args.path, &metadata)?;
    let content = read_text(&real, &args.path, metadata.len())?;
    let (old_text, new_text) = with_endings_of(&content, args);
    if old_text == new_text {
        return Err(WorkspaceError::NoChange);
    }

    let places = places(&content, &old_text, args)?;
    let (edited, replacements) = replace(&content, &places, old_text.len(), &new_text);
    file::replace(&real, edited.as_bytes(), Some(metadata.permissions()))
        .map_err(WorkspaceError::io("write", &args.path))?;

    let changes = excerpt::changes(&content, &edited, &replacements);
    Ok(EditFileOutput {
        path: root.display(&real),
        replacements: places.len() as u64,
        excerpt: excerpt::unified(&content, &edited, &changes),
        changes: changes.iter().map(LineChange::from).collect(),
    })
}

/// Says what was changed and shows the excerpt.
pub fn render(output: &EditFileOutput) -> String {
    let lines: Vec<_> = output.changes.iter().map(changed_lines).collect();
    let more = lines.len().saturating_sub(MAX_PLACES);
    let shown = lines[..lines.len() - more].join(", ");
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let EditFileOutput { path, replacements, excerpt, .. } = output;
    let noun = if *replacements == 1 { "replacement" } else { "replacements" };
    format!("edited {path}: {replacements} {noun}, now at lines {shown}{more}\n{excerpt}")
}

fn changed_lines(change: &LineChange) -> String {
    let LineChange { first_line, added, .. } = change;
    match added {
        0 | 1 => first_line.to_string(),
        _ => format!("{first_line}-{}", first_line + added - 1),
    }
}

impl From<&Change> for LineChange {
    fn from(change: &Change) -> Self {
        Self {
            first_line: change.new.start as u64 + 1,
            removed: change.old.len() as u64,
            added: change.new.len() as u64,
        }
    }
}

fn read_text(real: &Path, path: &Path, size: u64) -> Result<String, WorkspaceError> {
    if size > MAX_FILE_BYTES {
        return Err(WorkspaceError::FileTooLarge {
            path: path.into(),
            size,
            limit: MAX_FILE_BYTES,
        });
    }
    let bytes = fs::read(real).map_err(WorkspaceError::io("read", path))?;
    match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text),
        _ => Err(WorkspaceError::BinaryFile { path: path.into() }),
    }
}

/// Gives both texts the line endings of the file, if it has only `\r\n`.
fn with_endings_of(content: &str, args: &EditFile) -> (String, String) {
    let crlf = content.matches("\r\n").count();
    if crlf > 0 && crlf == content.matches('\n').count() {
        (to_crlf(&args.old_text), to_crlf(&args.new_text))
    } else {
        (args.old_text.clone(), args.new_text.clone())
    }
}

fn to_crlf(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\n', "\r\n")
}

/// Finds where the text starts, as often as it should be there.
fn places(content: &str, old_text: &str, args: &EditFile) -> Result<Vec<usize>, WorkspaceError> {
    let places: Vec<usize> = match args.expected_count {
        Some(_) => content.match_indices(old_text).map(|(at, _)| at).collect(),
        None => overlapping(content, old_text).take(MAX_PLACES).collect(),
    };
    let found = places.len() as u64;
    let path = args.path.clone();
    let lines = || {
        let named = places.iter().take(MAX_PLACES);
        named.map(|at| line_of(content, *at)).collect()
    };
    match args.expected_count {
        _ if found == 0 => {
            let near = near_miss(content, old_text);
            Err(WorkspaceError::NoMatch { path, near })
        }
        None if found > 1 => Err(WorkspaceError::AmbiguousMatch { path, lines: lines() }),
        Some(expected) if found != expected => {
            Err(WorkspaceError::CountMismatch { path, expected, found, lines: lines() })
        }
        _ => Ok(places),
    }
}

/// All places of a text, also those that share bytes: of such two, none is *the* one.
fn overlapping<'t>(content: &'t str, text: &'t str) -> impl Iterator<Item = usize> + 't {
    let step = text.chars().next().map_or(1, char::len_utf8);
    let find = move |from: usize| Some(from + content.get(from..)?.find(text)?);
    std::iter::successors(find(0), move |at| find(at + step))
}

fn replace(content: &str, places: &[usize], len: usize, new: &str) -> (String, Vec<Replacement>) {
    let mut edited = String::with_capacity(content.len());
    let mut replacements = Vec::with_capacity(places.len());
    let mut copied = 0;
    for &at in places {
        edited.push_str(content.get(copied..at).expect("places are at characters, in order"));
        let start = edited.len();
        edited.push_str(new);
        copied = at + len;
        replacements.push(Replacement { old: at..copied, new: start..edited.len() });
    }
    edited.push_str(content.get(copied..).expect("a match ends at a character"));
    (edited, replacements)
}

/// Looks for the text again, ignoring what models most often get wrong.
fn near_miss(content: &str, text: &str) -> NearMiss {
    if let Some(line) = line_ignoring(content, text, |c| c == '\r') {
        NearMiss::LineEndings(line)
    } else if let Some(line) = line_ignoring(content, text, char::is_whitespace) {
        NearMiss::WhiteSpace(line)
    } else {
        NearMiss::Nothing
    }
}

/// The line at which the text is found when some characters do not count.
fn line_ignoring(content: &str, text: &str, ignored: fn(char) -> bool) -> Option<u64> {
    let text: String = text.chars().filter(|c| !ignored(*c)).collect();
    if text.is_empty() {
        return None;
    }
    let counted: String = content.chars().filter(|c| !ignored(*c)).collect();
    let before = counted.find(&text)?;
    let mut passed = 0;
    let mut positions = content.char_indices().filter(|(_, c)| !ignored(*c));
    let (at, _) = positions.find(|(_, c)| {
        passed += c.len_utf8();
        passed > before
    })?;
    Some(line_of(content, at))
}

fn line_of(content: &str, at: usize) -> u64 {
    let before = &content.as_bytes()[..at];
    before.split(|byte| *byte == b'\n').count() as u64
}
