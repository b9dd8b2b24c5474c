//! `list_dir`: what is in a directory.

use std::{
    collections::{BTreeSet, VecDeque},
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use dsh_tools::{Schema, State, tool};
use serde::{Deserialize, Serialize};

use crate::{PathError, Root, WorkspaceError};

const MAX_ENTRIES: usize = 1_000;

/// Arguments of `list_dir`.
#[derive(Debug, Clone, Default, Deserialize, Schema)]
pub struct ListDir {
    /// Directory to list, relative to the workspace root; default the root.
    pub path: Option<PathBuf>,
    /// How many levels to list; default 1, which is the directory alone.
    #[schema(minimum = 1)]
    pub depth: Option<u64>,
}

/// What `list_dir` found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct ListDirOutput {
    /// The directory, relative to the workspace root.
    pub path: String,
    /// Its entries, each directory followed by what is in it; hidden ones are included.
    pub entries: Vec<DirEntry>,
    /// Number of entries in all directories that were read.
    pub total: u64,
    /// Whether there is more than `entries` holds.
    pub truncated: bool,
    /// Directories below that could not be read.
    pub unreadable: Vec<String>,
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct DirEntry {
    /// Path relative to the workspace root.
    pub path: String,
    /// What it is.
    pub kind: EntryKind,
    /// Size in bytes, of files only.
    pub size: Option<u64>,
    /// Where a symbolic link leads, relative to the workspace root.
    pub target: Option<String>,
}

/// What an entry of a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, which is not followed.
    Link,
    /// A device, socket or named pipe.
    Other,
}

/// List a directory, ignored files included.
#[tool(
    blocking,
    parallel,
    timeout = "10s",
    annotations(read_only, open_world = false),
    tags("files"),
    render = render
)]
fn list_dir(args: ListDir, root: State<Root>) -> Result<ListDirOutput, WorkspaceError> {
    run(&root, &args)
}

/// Lists a directory, ignored files included; of `.git` only the name.
///
/// Entries near the top come first when there are too many, so one large directory does not hide
/// its neighbours.
///
/// # Errors
///
/// `NOT_A_DIRECTORY`, `INVALID_ARGUMENT` for a zero, `IO`, and the codes of [`Root::resolve`].
///
/// # Examples
///
/// ```
/// use workspace_tools::{Root, tools::list_dir::{self, ListDir}};
///
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("a.txt"), "hello")?;
/// let output = list_dir::run(&Root::new(dir.path())?, &ListDir::default())?;
/// assert_eq!(list_dir::render(&output), "a.txt (5 bytes)\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(root: &Root, args: &ListDir) -> Result<ListDirOutput, WorkspaceError> {
    let depth = WorkspaceError::from_one("depth", args.depth.unwrap_or(1))?;
    let path = args.path.as_deref().unwrap_or(Path::new("."));
    let real = root.resolve(path)?;
    if !real.is_dir() {
        return Err(WorkspaceError::NotADirectory { path: path.into() });
    }

    let mut found: Vec<(PathBuf, DirEntry)> = Vec::new();
    let mut total = 0;
    let mut unreadable = Vec::new();
    let mut skipped = false;
    let mut pending = VecDeque::from([(real.clone(), 1)]);
    while let Some((dir, level)) = pending.pop_front() {
        if found.len() == MAX_ENTRIES {
            skipped = true;
            break;
        }
        let names = match Names::read(&dir) {
            Ok(names) => names,
            Err(error) if dir == real => return Err(WorkspaceError::io("list", path)(error)),
            Err(_) => {
                unreadable.push(root.display(&dir));
                continue;
            }
        };
        total += names.total;
        for name in names.first.into_iter().take(MAX_ENTRIES - found.len()) {
            let place = dir.join(&name);
            let entry = entry(root, &place);
            if entry.kind == EntryKind::Directory && level < depth && name != ".git" {
                pending.push_back((place.clone(), level + 1));
            }
            found.push((place, entry));
        }
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(ListDirOutput {
        path: root.display(&real),
        truncated: skipped || total > found.len() as u64,
        entries: found.into_iter().map(|(_, entry)| entry).collect(),
        total,
        unreadable,
    })
}

/// Shows an entry a line: directories end in `/`, links point to their target.
pub fn render(output: &ListDirOutput) -> String {
    let mut rows: Vec<_> = output.entries.iter().map(row).collect();
    if rows.is_empty() {
        rows.push("[the directory is empty]\n".to_owned());
    }
    for dir in &output.unreadable {
        rows.push(format!("[{dir}/ cannot be read]\n"));
    }
    if output.truncated {
        let (shown, total) = (output.entries.len(), output.total);
        rows.push(format!(
            "[only {shown} of {total} or more entries are shown; list a directory below, use a smaller depth, or use glob]\n"
        ));
    }
    rows.concat()
}

fn row(entry: &DirEntry) -> String {
    let path = &entry.path;
    match entry.kind {
        EntryKind::File => format!("{path} ({} bytes)\n", entry.size.unwrap_or(0)),
        EntryKind::Directory => format!("{path}/\n"),
        EntryKind::Link => format!("{path} -> {}\n", entry.target.as_deref().unwrap_or("?")),
        EntryKind::Other => format!("{path} (special file)\n"),
    }
}

/// The first names of a directory in order, and how many it has.
#[derive(Default)]
struct Names {
    first: BTreeSet<OsString>,
    total: u64,
}

impl Names {
    fn read(dir: &Path) -> io::Result<Self> {
        let mut names = Self::default();
        for entry in fs::read_dir(dir)? {
            names.total += 1;
            names.first.insert(entry?.file_name());
            if names.first.len() > MAX_ENTRIES {
                names.first.pop_last();
            }
        }
        Ok(names)
    }
}

fn entry(root: &Root, place: &Path) -> DirEntry {
    let metadata = fs::symlink_metadata(place);
    let kind = match &metadata {
        Ok(metadata) if metadata.is_symlink() => EntryKind::Link,
        Ok(metadata) if metadata.is_dir() => EntryKind::Directory,
        Ok(metadata) if metadata.is_file() => EntryKind::File,
        _ => EntryKind::Other,
    };
    DirEntry {
        path: root.display(place),
        kind,
        size: metadata.ok().filter(|_| kind == EntryKind::File).map(|metadata| metadata.len()),
        target: (kind == EntryKind::Link).then(|| target(root, place)),
    }
}

/// Where a link leads; of what is outside nothing is told, not even its name.
fn target(root: &Root, link: &Path) -> String {
    match root.resolve(link) {
        Ok(real) => root.display(&real),
        Err(PathError::NotFound { .. }) => match root.resolve_new(link) {
            Ok(real) => format!("{} (missing)", root.display(&real)),
            Err(_) => "(missing)".to_owned(),
        },
        Err(PathError::LinkLoop { .. }) => "(a loop)".to_owned(),
        Err(PathError::NotADirectory { .. }) => "(missing)".to_owned(),
        Err(_) => "(outside the workspace)".to_owned(),
    }
}
