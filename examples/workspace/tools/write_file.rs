//! `write_file`: a whole text file, new or in place of another.

use std::{
    fs,
    path::{Path, PathBuf},
};

use dsh_tools::{Schema, State, tool};
use serde::{Deserialize, Serialize};

use crate::{Root, WorkspaceError, file};

/// Arguments of `write_file`.
#[derive(Debug, Clone, Deserialize, Schema)]
pub struct WriteFile {
    /// File to write, relative to the workspace root; missing directories are created.
    pub path: PathBuf,
    /// The whole new content of the file.
    pub content: String,
}

/// What `write_file` did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct WriteFileOutput {
    /// The file, relative to the workspace root.
    pub path: String,
    /// Whether the file is new; otherwise its content was replaced.
    pub created: bool,
    /// Size of the file now, in bytes.
    pub bytes: u64,
    /// Directories that had to be created, the outermost first.
    pub created_dirs: Vec<String>,
}

/// Write a whole file, creating it and its directories where they are missing.
#[tool(
    blocking,
    timeout = "10s",
    annotations(destructive, idempotent, open_world = false),
    tags("files"),
    render = render
)]
fn write_file(args: WriteFile, root: State<Root>) -> Result<WriteFileOutput, WorkspaceError> {
    run(&root, &args)
}

/// Writes a file as a whole, creating the directories it needs.
///
/// The file is replaced at once, so a reader or a crash never meets a part of it; its permissions
/// stay. Directories are always created, because a model that names one means it; the output
/// names them, so that a misspelt one is noticed.
///
/// # Errors
///
/// `IS_A_DIRECTORY`, `NOT_A_REGULAR_FILE`, `READ_ONLY`, `IO`, and the codes of
/// [`Root::resolve_new`].
///
/// # Examples
///
/// ```
/// use workspace_tools::{Root, tools::write_file::{self, WriteFile}};
///
/// let dir = tempfile::tempdir()?;
/// let args = WriteFile { path: "src/a.rs".into(), content: "fn a() {}\n".into() };
/// let output = write_file::run(&Root::new(dir.path())?, &args)?;
/// assert!(output.created);
/// assert_eq!(output.created_dirs, ["src"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run(root: &Root, args: &WriteFile) -> Result<WriteFileOutput, WorkspaceError> {
    let real = root.resolve_new(&args.path)?;
    let created = !real.exists();
    let mut created_dirs = Vec::new();
    let mut permissions = None;
    if created {
        created_dirs = create_parents(root, &real, &args.path)?;
    } else {
        let (_, metadata) = file::existing(root, &args.path)?;
        file::check_writable(&args.path, &metadata)?;
        permissions = Some(metadata.permissions());
    }
    file::replace(&real, args.content.as_bytes(), permissions)
        .map_err(WorkspaceError::io("write", &args.path))?;
    Ok(WriteFileOutput {
        path: root.display(&real),
        created,
        bytes: args.content.len() as u64,
        created_dirs,
    })
}

/// Says in a line what was done.
pub fn render(output: &WriteFileOutput) -> String {
    let done = if output.created { "created" } else { "overwrote" };
    let dirs = if output.created_dirs.is_empty() {
        String::new()
    } else {
        format!("; new directories: {}", output.created_dirs.join(", "))
    };
    format!("{done} {} ({} bytes){dirs}\n", output.path, output.bytes)
}

fn create_parents(root: &Root, real: &Path, path: &Path) -> Result<Vec<String>, WorkspaceError> {
    let mut missing: Vec<_> = real
        .ancestors()
        .skip(1)
        .take_while(|dir| !dir.exists())
        .map(|dir| root.display(dir))
        .collect();
    missing.reverse();
    let parent = real.parent().unwrap_or(real);
    fs::create_dir_all(parent).map_err(WorkspaceError::io("create the directory of", path))?;
    Ok(missing)
}
