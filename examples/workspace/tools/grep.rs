//! `grep`: lines of files that match a regular expression.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use dsh_tools::{Schema, State, tool};
use globset::GlobMatcher;
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{
    Root, WorkspaceError,
    search::{self, FileHits, Hit, Plan},
    walk::{self, Walked},
};

const DEFAULT_LIMIT: u64 = 200;
const MAX_LIMIT: u64 = 1_000;
const PER_FILE: usize = 50;
const MAX_CONTEXT: u64 = 10;

/// Arguments of `grep`.
#[derive(Debug, Clone, Default, Deserialize, Schema)]
pub struct Grep {
    /// Regular expression in Rust's syntax, matched within a line.
    pub pattern: String,
    /// File or directory to search, relative to the workspace root; default the root.
    pub path: Option<PathBuf>,
    /// Search only these files: `*.rs` matches names at any depth, `src/**/*.rs` paths below `path`.
    pub glob: Option<String>,
    /// Whether upper and lower case are the same; default false.
    #[serde(default)]
    pub ignore_case: bool,
    /// Number of lines to show before and after each match, up to 10; default 0.
    #[schema(maximum = 10)]
    pub context: Option<u64>,
    /// Number of matching lines to return at most; default 200.
    #[schema(minimum = 1)]
    pub limit: Option<u64>,
}

/// What `grep` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct GrepOutput {
    /// Files with matching lines, sorted by path.
    pub files: Vec<GrepFile>,
    /// Number of matching lines in all files.
    pub total: u64,
    /// Number of files with matching lines.
    pub total_files: u64,
    /// Whether more lines match than `files` holds.
    pub truncated: bool,
    /// Number of files and directories that could not be searched.
    pub unreadable: u64,
}

/// The matching lines of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct GrepFile {
    /// The file, relative to the workspace root.
    pub path: String,
    /// Its matching lines; a long one is cut around the match.
    pub matches: Vec<GrepLine>,
    /// Lines around the matching ones, if asked for.
    pub context: Vec<GrepLine>,
    /// Number of matching lines in this file.
    pub total: u64,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct GrepLine {
    /// Its number, from 1.
    pub line_number: u64,
    /// Its text without the line ending.
    pub line: String,
}

/// Search files for lines that match a regular expression, leaving out what `.gitignore` names.
#[tool(
    blocking,
    parallel,
    timeout = "30s",
    annotations(read_only, open_world = false),
    tags("files"),
    render = render
)]
fn grep(
    args: Grep,
    root: State<Root>,
    cancellation: CancellationToken,
) -> Result<GrepOutput, WorkspaceError> {
    run(&root, &args, &cancellation)
}

/// Searches files, leaving out binary ones, what `.gitignore` names, and `.git`.
///
/// Of one file among many at most 50 lines are kept, so that it cannot hide the others. A file
/// named by `path` is searched even if it is ignored. It blocks, and stops soon after `cancel`.
///
/// # Errors
///
/// `INVALID_PATTERN` with the explanation of the regex or glob, `INVALID_ARGUMENT` for an empty
/// pattern, a zero `limit` or a glob that is not relative, `NOT_A_REGULAR_FILE`, `CANCELLED`, and
/// the codes of [`Root::resolve`].
///
/// # Examples
///
/// ```
/// use workspace_tools::{CancellationToken, Root, tools::grep::{self, Grep}};
///
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("a.rs"), "fn one() {}\nfn two() {}\n")?;
/// let args = Grep { pattern: r"fn t\w+".into(), ..Grep::default() };
/// let output = grep::run(&Root::new(dir.path())?, &args, &CancellationToken::new())?;
/// assert_eq!(grep::render(&output), "a.rs\n2:fn two() {}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(
    root: &Root,
    args: &Grep,
    cancel: &CancellationToken,
) -> Result<GrepOutput, WorkspaceError> {
    let limit = WorkspaceError::from_one("limit", args.limit.unwrap_or(DEFAULT_LIMIT))?;
    let limit = to_usize(limit.min(MAX_LIMIT));
    let matcher = matcher(args)?;
    let glob = args.glob.as_deref().map(|glob| walk::glob("glob", glob)).transpose()?;

    let path = args.path.as_deref().unwrap_or(Path::new("."));
    let start = root.resolve(path)?;
    let (walked, per_file) = if start.is_dir() {
        (walk::files_below(root, &start, cancel)?, PER_FILE)
    } else {
        (Walked::single(root, path)?, limit)
    };
    let mut files = walked.files;
    if let Some(glob) = glob {
        files.retain(|file| selects(&glob, &start, file));
    }

    let context = to_usize(args.context.unwrap_or(0).min(MAX_CONTEXT));
    let plan = Plan { matcher, context, per_file, limit };
    let searched = search::search(&files, &plan, cancel);
    if cancel.is_cancelled() {
        return Err(WorkspaceError::Cancelled);
    }
    let unreadable = walked.unreadable + searched.unreadable;
    let mut output = first_lines(searched.files, &plan, |index| root.display(&files[index]));
    output.unreadable = unreadable;
    Ok(output)
}

/// Shows matching lines below the path of their file, as ripgrep does.
pub fn render(output: &GrepOutput) -> String {
    let blocks: Vec<_> = output.files.iter().map(render_file).collect();
    let mut parts = vec![blocks.join("\n")];
    if output.total == 0 {
        parts.push("[no line matches]\n".to_owned());
    }
    if output.truncated {
        let shown: usize = output.files.iter().map(|file| file.matches.len()).sum();
        let GrepOutput { total, total_files, .. } = output;
        parts.push(format!(
            "[{shown} of {total} matching lines in {total_files} files are shown; use a narrower pattern, path or glob]\n"
        ));
    }
    if output.unreadable > 0 {
        parts.push(format!("[{} files could not be searched]\n", output.unreadable));
    }
    parts.concat()
}

fn matcher(args: &Grep) -> Result<RegexMatcher, WorkspaceError> {
    if args.pattern.is_empty() {
        return Err(WorkspaceError::InvalidArgument {
            argument: "pattern",
            reason: "it is empty; use read_file to see a whole file",
        });
    }
    RegexMatcherBuilder::new()
        .case_insensitive(args.ignore_case)
        .line_terminator(Some(b'\n'))
        .build(&args.pattern)
        .map_err(|error| WorkspaceError::InvalidPattern {
            argument: "pattern",
            pattern: args.pattern.clone(),
            kind: "regular expression",
            source: error.into(),
        })
}

/// A glob without `/` is about names, as everywhere else in the world of ignore files.
fn selects(glob: &GlobMatcher, start: &Path, file: &Path) -> bool {
    let below = file.strip_prefix(start).unwrap_or(file);
    let by_name = !glob.glob().glob().contains('/');
    match file.file_name() {
        Some(name) if by_name => glob.is_match(name),
        _ => glob.is_match(below),
    }
}

/// Takes the first matching lines of all files.
fn first_lines(hits: Vec<FileHits>, plan: &Plan, path: impl Fn(usize) -> String) -> GrepOutput {
    let mut room = plan.limit;
    let mut output = GrepOutput {
        files: Vec::new(),
        total: hits.iter().map(|file| file.total).sum(),
        total_files: hits.len() as u64,
        truncated: false,
        unreadable: 0,
    };
    for mut file in hits {
        file.matches.truncate(room);
        room -= file.matches.len();
        output.truncated |= (file.matches.len() as u64) < file.total;
        if let Some(last) = file.matches.last() {
            let end = last.line_number + plan.context as u64;
            file.context.retain(|hit| hit.line_number <= end);
            output.files.push(GrepFile {
                path: path(file.index),
                matches: file.matches.into_iter().map(GrepLine::from).collect(),
                context: file.context.into_iter().map(GrepLine::from).collect(),
                total: file.total,
            });
        }
    }
    output
}

impl From<Hit> for GrepLine {
    fn from(Hit { line_number, line }: Hit) -> Self {
        Self { line_number, line }
    }
}

fn render_file(file: &GrepFile) -> String {
    let mut lines = BTreeMap::new();
    lines.extend(file.context.iter().map(|line| (line.line_number, ('-', &line.line))));
    lines.extend(file.matches.iter().map(|line| (line.line_number, (':', &line.line))));
    let mut rows = vec![format!("{}\n", file.path)];
    let mut last = None;
    for (number, (mark, line)) in lines {
        let gap = last.is_some_and(|last| last + 1 < number);
        let separator = if gap && !file.context.is_empty() { "--\n" } else { "" };
        rows.push(format!("{separator}{number}{mark}{line}\n"));
        last = Some(number);
    }
    let more = file.total - file.matches.len() as u64;
    if more > 0 {
        rows.push(format!("[{more} more in this file]\n"));
    }
    rows.concat()
}

fn to_usize(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
