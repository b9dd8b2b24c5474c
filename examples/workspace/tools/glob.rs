//! `glob`: files by the pattern of their path.

use std::path::{Path, PathBuf};

use dsh_tools::{Schema, State, tool};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{Root, WorkspaceError, walk};

const DEFAULT_LIMIT: u64 = 500;
const MAX_LIMIT: u64 = 5_000;

/// Arguments of `glob`.
#[derive(Debug, Clone, Deserialize, Schema)]
pub struct Glob {
    /// Pattern of the path below `path`: `*` stays within a directory, `**` crosses them; such as `**/*.rs`.
    pub pattern: String,
    /// Directory to search, relative to the workspace root; default the root.
    pub path: Option<PathBuf>,
    /// Number of paths to return at most; default 500.
    #[schema(minimum = 1)]
    pub limit: Option<u64>,
}

/// What `glob` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct GlobOutput {
    /// Matching files, relative to the workspace root, sorted.
    pub paths: Vec<String>,
    /// Number of files that match.
    pub total: u64,
    /// Whether more files match than `paths` holds.
    pub truncated: bool,
    /// Number of entries that could not be read.
    pub unreadable: u64,
}

/// Find files by a pattern of their path, leaving out what `.gitignore` names.
#[tool(
    blocking,
    parallel,
    timeout = "30s",
    annotations(read_only, open_world = false),
    tags("files"),
    render = render
)]
fn glob(
    args: Glob,
    root: State<Root>,
    cancellation: CancellationToken,
) -> Result<GlobOutput, WorkspaceError> {
    run(&root, &args, &cancellation)
}

/// Finds files by a pattern, leaving out what `.gitignore` names and `.git`.
///
/// It blocks, and stops soon after `cancel`.
///
/// # Errors
///
/// `INVALID_PATTERN`, `INVALID_ARGUMENT` for an absolute pattern, one with `..` or a zero,
/// `NOT_A_DIRECTORY`, `CANCELLED`, and the codes of [`Root::resolve`].
///
/// # Examples
///
/// ```
/// use workspace_tools::{CancellationToken, Root, tools::glob::{self, Glob}};
///
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("a.rs"), "")?;
/// let args = Glob { pattern: "**/*.rs".into(), path: None, limit: None };
/// let output = glob::run(&Root::new(dir.path())?, &args, &CancellationToken::new())?;
/// assert_eq!(output.paths, ["a.rs"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    root: &Root,
    args: &Glob,
    cancel: &CancellationToken,
) -> Result<GlobOutput, WorkspaceError> {
    let limit = WorkspaceError::from_one("limit", args.limit.unwrap_or(DEFAULT_LIMIT))?;
    let glob = walk::glob("pattern", &args.pattern)?;
    let path = args.path.as_deref().unwrap_or(Path::new("."));
    let start = root.resolve(path)?;
    if !start.is_dir() {
        return Err(WorkspaceError::NotADirectory { path: path.into() });
    }

    let walked = walk::files_below(root, &start, cancel)?;
    let matching = walked.files.iter().filter(|file| {
        let below = file.strip_prefix(&start).unwrap_or(file);
        glob.is_match(below)
    });
    let mut output =
        GlobOutput { paths: Vec::new(), total: 0, truncated: false, unreadable: walked.unreadable };
    for file in matching {
        output.total += 1;
        if output.total <= limit.min(MAX_LIMIT) {
            output.paths.push(root.display(file));
        } else {
            output.truncated = true;
        }
    }
    Ok(output)
}

/// Shows a path a line, and how many were left out.
pub fn render(output: &GlobOutput) -> String {
    let mut rows: Vec<_> = output.paths.iter().map(|path| format!("{path}\n")).collect();
    if output.total == 0 {
        let note = "[no file matches; `*` stays within a directory, `**/` goes below it]\n";
        rows.push(note.to_owned());
    }
    if output.truncated {
        let (shown, total) = (output.paths.len(), output.total);
        rows.push(format!(
            "[{shown} of {total} files are shown; use a narrower pattern or path]\n"
        ));
    }
    if output.unreadable > 0 {
        rows.push(format!("[{} entries could not be read]\n", output.unreadable));
    }
    rows.concat()
}
