//! The files below a directory that a search looks at.
//!
//! `.gitignore` and `.ignore` files inside the root count, whether or not it is a repository;
//! nothing above the root and no setting of the user does, so that results repeat. Hidden files
//! are included, `.git` is not, links are not followed.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;
use tokio_util::sync::CancellationToken;

use crate::{Root, WorkspaceError, file};

/// The files found, sorted by path.
#[derive(Default)]
pub(crate) struct Walked {
    pub(crate) files: Vec<PathBuf>,
    /// Entries that could not be read.
    pub(crate) unreadable: u64,
    reached_start: bool,
}

impl Walked {
    /// One file that was named itself, ignored or not.
    pub(crate) fn single(root: &Root, path: &Path) -> Result<Self, WorkspaceError> {
        let (real, _) = file::existing(root, path)?;
        Ok(Self { files: vec![real], ..Self::default() })
    }
}

/// Finds the regular files below a directory.
///
/// The walk starts at the root so that all ignore files above `start` count. If they hide `start`
/// itself, it was asked for by name: then only those below it count.
pub(crate) fn files_below(
    root: &Root,
    start: &Path,
    cancel: &CancellationToken,
) -> Result<Walked, WorkspaceError> {
    let mut walked = walk(root.path(), start, cancel)?;
    if !walked.reached_start {
        walked = walk(start, start, cancel)?;
    }
    walked.files.sort();
    Ok(walked)
}

fn walk(from: &Path, start: &Path, cancel: &CancellationToken) -> Result<Walked, WorkspaceError> {
    let wanted = start.to_owned();
    let walk = WalkBuilder::new(from)
        .hidden(false)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(move |entry| {
            let path = entry.path();
            let on_the_way = wanted.starts_with(path);
            on_the_way || (path.starts_with(&wanted) && entry.file_name() != ".git")
        })
        .build();
    let mut walked = Walked::default();
    for entry in walk {
        if cancel.is_cancelled() {
            return Err(WorkspaceError::Cancelled);
        }
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                walked.files.push(entry.into_path());
            }
            Ok(entry) => walked.reached_start |= entry.path() == start,
            Err(_) => walked.unreadable += 1,
        }
    }
    Ok(walked)
}

/// Reads a glob in which `*` stays within a directory and `**` does not.
pub(crate) fn glob(argument: &'static str, pattern: &str) -> Result<GlobMatcher, WorkspaceError> {
    let steps = Path::new(pattern).components();
    if pattern.starts_with('/') || steps.into_iter().any(|step| step.as_os_str() == "..") {
        return Err(WorkspaceError::InvalidArgument {
            argument,
            reason: "it must be relative, without `..`; name the directory in `path`",
        });
    }
    let relative = pattern.strip_prefix("./").unwrap_or(pattern);
    match GlobBuilder::new(relative).literal_separator(true).build() {
        Ok(glob) => Ok(glob.compile_matcher()),
        Err(error) => Err(WorkspaceError::InvalidPattern {
            argument,
            pattern: pattern.to_owned(),
            kind: "glob",
            source: error.kind().to_string().into(),
        }),
    }
}
