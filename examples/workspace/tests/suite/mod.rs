mod cli;
mod edit_file;
mod glob;
mod grep;
mod list_dir;
mod policy;
mod read_file;
mod root;
mod run_command;
mod terminal;
mod write_file;

use std::{
    fmt::Debug,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use workspace_tools::{Root, WorkspaceError};

/// A root with a directory `outside` beside it that holds `secret.txt`.
struct Workspace {
    dir: TempDir,
    root: Root,
}

impl Workspace {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("root")).unwrap();
        fs::create_dir(dir.path().join("outside")).unwrap();
        fs::write(dir.path().join("outside/secret.txt"), "secret").unwrap();
        let root = Root::new(dir.path().join("root")).unwrap();
        Self { dir, root }
    }

    fn with(files: &[(&str, &str)]) -> Self {
        let workspace = Self::new();
        for (path, content) in files {
            workspace.write(path, content);
        }
        workspace
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn outside(&self, path: &str) -> PathBuf {
        self.dir.path().join("outside").join(path)
    }

    fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    fn link(&self, path: &str, target: impl AsRef<Path>) {
        symlink(target, self.path(path)).unwrap();
    }

    /// The names in the root, to see that nothing else was left there.
    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.root.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

#[track_caller]
fn check_error<T: Debug>(result: Result<T, WorkspaceError>, code: &str, text: &str) {
    let error = result.unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert!(error.to_string().contains(text), "{error}");
}
