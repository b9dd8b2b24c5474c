//! Finding regular files and replacing them as a whole.

use std::{
    fs::{self, File, Metadata, OpenOptions, Permissions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{Root, WorkspaceError};

/// Finds a regular file that exists.
pub(crate) fn existing(root: &Root, path: &Path) -> Result<(PathBuf, Metadata), WorkspaceError> {
    let real = root.resolve(path)?;
    let metadata = fs::metadata(&real).map_err(WorkspaceError::io("look at", path))?;
    if metadata.is_dir() {
        return Err(WorkspaceError::IsADirectory { path: path.into() });
    }
    if !metadata.is_file() {
        return Err(WorkspaceError::NotARegularFile { path: path.into() });
    }
    Ok((real, metadata))
}

/// Refuses a file whose permissions forbid writing, which a rename would not notice.
pub(crate) fn check_writable(path: &Path, metadata: &Metadata) -> Result<(), WorkspaceError> {
    if metadata.permissions().readonly() {
        return Err(WorkspaceError::ReadOnly { path: path.into() });
    }
    Ok(())
}

/// Puts a file in place at once: readers see the old content or the new one, never a part.
///
/// A link that appears at `path` meanwhile is replaced, not followed. Other hard links of a
/// replaced file keep the old content.
pub(crate) fn replace(
    path: &Path,
    content: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    let directory = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let (mut file, draft) = Draft::create(directory)?;
    file.write_all(content)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    drop(file);
    draft.rename(path)
}

/// A temporary file beside the one it will replace, removed unless it was renamed.
struct Draft {
    path: PathBuf,
    renamed: bool,
}

impl Draft {
    fn create(directory: &Path) -> io::Result<(File, Self)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!(".workspace-{}-{number}.tmp", std::process::id());
            let path = directory.join(name);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    let renamed = false;
                    return Ok((file, Self { path, renamed }));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn rename(mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.renamed {
            // Nobody is left to tell if this fails as well; the first error is on its way.
            drop(fs::remove_file(&self.path));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_replacement_leaves_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let taken = dir.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(replace(&taken, b"x", None).is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }
}
