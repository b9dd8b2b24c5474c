//! The directory that all tools are confined to, and how a path is held to it.
//!
//! This module decides which paths are inside. It opens nothing: callers open what it returns.

use std::{
    ffi::OsString,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// More links than this in one path are taken for a loop, as Linux does.
const MAX_LINKS: usize = 40;

/// A directory that tools are confined to.
///
/// Paths are relative to the root; absolute ones are accepted if they lie inside it. A path that
/// leaves the root is refused even if it comes back, whether it leaves by `..`, from the top or by
/// a symbolic link. Links that stay inside are followed.
///
/// # Races
///
/// A path is checked first and opened afterwards. Whoever can write to the workspace meanwhile (a
/// command still running, another program) can put a link where a directory was and so lead the
/// opening outside. What `resolve` returned had no link in it at the time of the check. Only
/// opening relative to a directory handle (`openat2` with `RESOLVE_BENEATH`) or a sandbox closes
/// this gap; a hostile process needs the latter anyway.
///
/// # Examples
///
/// ```
/// use std::path::Path;
/// use workspace_tools::Root;
///
/// let dir = tempfile::tempdir()?;
/// std::fs::write(dir.path().join("a.txt"), "hello")?;
/// let root = Root::new(dir.path())?;
///
/// let file = root.resolve(Path::new("./a.txt"))?;
/// assert_eq!(root.display(&file), "a.txt");
/// assert_eq!(root.resolve(Path::new("../a.txt")).unwrap_err().code(), "PATH_OUTSIDE_WORKSPACE");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    real: PathBuf,
    /// The absolute path as the host wrote it, which a model may have been told.
    given: PathBuf,
}

/// A path that is not accepted; its text is meant for the model that wrote the path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The path leaves the root by `..` or starts elsewhere.
    #[error(
        "path `{path}` is outside the workspace; give a path inside it, relative to the workspace root"
    )]
    Outside {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// A symbolic link on the path leaves the root.
    #[error(
        "path `{path}` leads outside the workspace through a symbolic link; give a path that stays inside it, relative to the workspace root"
    )]
    LinkOutside {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// The symbolic links on the path lead in a circle.
    #[error("path `{path}` has too many symbolic links; give a path without links")]
    LinkLoop {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// Nothing is there.
    #[error("path `{path}` does not exist; paths are relative to the workspace root")]
    NotFound {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// The path goes on below something that is no directory.
    #[error("path `{path}` goes through a file as if it were a directory")]
    NotADirectory {
        /// The path as the model wrote it.
        path: PathBuf,
    },
    /// The operating system refused to look.
    #[error("path `{path}` cannot be looked at: {}", .source.kind())]
    Unreachable {
        /// The path as the model wrote it.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl PathError {
    /// Returns the stable code that callers branch on.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Outside { .. } | Self::LinkOutside { .. } => "PATH_OUTSIDE_WORKSPACE",
            Self::LinkLoop { .. } => "LINK_LOOP",
            Self::NotFound { .. } => "NOT_FOUND",
            Self::NotADirectory { .. } => "NOT_A_DIRECTORY",
            Self::Unreachable { .. } => "IO",
        }
    }
}

impl Root {
    /// Opens a directory as a root.
    ///
    /// # Errors
    ///
    /// When the directory does not exist, cannot be read or is no directory.
    pub fn new(path: impl AsRef<Path>) -> io::Result<Self> {
        let given = std::path::absolute(path)?;
        let real = given.canonicalize()?;
        if real.is_dir() {
            Ok(Self { real, given })
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    }

    /// Returns the real path of the root, for the host only: no model is told it.
    pub fn path(&self) -> &Path {
        &self.real
    }

    /// Checks a path by its text alone, without the file system.
    ///
    /// A policy guard can ask this before a tool runs. Links are not seen here, so a path that is
    /// admitted can still be refused by [`Root::resolve`]; the reverse does not happen.
    ///
    /// # Errors
    ///
    /// `PATH_OUTSIDE_WORKSPACE` when the path is absolute and outside, or climbs above the root.
    pub fn admits(&self, path: &Path) -> Result<(), PathError> {
        let outside = || PathError::Outside { path: path.into() };
        let mut depth = 0_usize;
        for component in self.below(path).ok_or_else(outside)?.components() {
            match component {
                Component::CurDir => {}
                Component::Normal(_) => depth += 1,
                Component::ParentDir => depth = depth.checked_sub(1).ok_or_else(outside)?,
                Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(())
    }

    /// Finds the real path of something that exists.
    ///
    /// # Errors
    ///
    /// `PATH_OUTSIDE_WORKSPACE`, `NOT_FOUND`, `NOT_A_DIRECTORY`, `LINK_LOOP`, or `IO` when the
    /// operating system refuses to look.
    pub fn resolve(&self, path: &Path) -> Result<PathBuf, PathError> {
        match self.follow(path)? {
            Found::Whole(real) => Ok(real),
            Found::Part { .. } => Err(PathError::NotFound { path: path.into() }),
        }
    }

    /// Finds the real path of something whose last components need not exist.
    ///
    /// A link to something that does not exist gives the place where it would be, so that writing
    /// through a dangling link is confined as well.
    ///
    /// # Errors
    ///
    /// As [`Root::resolve`], but `NOT_FOUND` only for `..` below a directory that does not exist.
    pub fn resolve_new(&self, path: &Path) -> Result<PathBuf, PathError> {
        match self.follow(path)? {
            Found::Whole(real) => Ok(real),
            Found::Part { real, mut missing } => {
                if missing.iter().any(|step| step == "..") {
                    return Err(PathError::NotFound { path: path.into() });
                }
                missing.reverse();
                Ok(missing.iter().fold(real, |path, step| path.join(step)))
            }
        }
    }

    /// Writes a path relative to the root with `/`, as models see it.
    ///
    /// The root itself is `.`. Nothing is said of an absolute path outside.
    pub fn display(&self, path: &Path) -> String {
        let Some(below) = self.below(path) else {
            return "(outside the workspace)".to_owned();
        };
        let steps: Vec<_> = steps(below).map(|step| step.to_string_lossy().into_owned()).collect();
        if steps.is_empty() { ".".to_owned() } else { steps.join("/") }
    }

    fn below<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        if path.is_relative() {
            return Some(path);
        }
        path.strip_prefix(&self.real).or_else(|_| path.strip_prefix(&self.given)).ok()
    }

    /// Follows a path step by step, as the kernel would, but never above the root.
    ///
    /// `canonicalize` would follow it outside first and tell a missing file there from an
    /// existing one, which is already more than a model should learn.
    fn follow(&self, path: &Path) -> Result<Found, PathError> {
        self.admits(path)?;
        let link_outside = || PathError::LinkOutside { path: path.into() };
        let unreachable = |source| unreachable(path, source);

        let below = self.below(path).ok_or_else(link_outside)?;
        let mut pending: Vec<OsString> = steps(below).rev().collect();
        let mut real = self.real.clone();
        let mut links = 0;
        while let Some(step) = pending.pop() {
            if step == ".." {
                if real == self.real {
                    return Err(link_outside());
                }
                real.pop();
                continue;
            }
            let next = real.join(&step);
            match fs::symlink_metadata(&next) {
                Ok(metadata) if metadata.is_symlink() => {
                    links += 1;
                    if links > MAX_LINKS {
                        return Err(PathError::LinkLoop { path: path.into() });
                    }
                    let target = fs::read_link(&next).map_err(unreachable)?;
                    if target.is_absolute() {
                        real.clone_from(&self.real);
                    }
                    let below = self.below(&target).ok_or_else(link_outside)?;
                    pending.extend(steps(below).rev());
                }
                Ok(_) => real = next,
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    pending.push(step);
                    return Ok(Found::Part { real, missing: pending });
                }
                Err(error) => return Err(unreachable(error)),
            }
        }
        Ok(Found::Whole(real))
    }
}

/// How far a path could be followed.
enum Found {
    Whole(PathBuf),
    /// The real path up to the first missing step, and the steps from there, last one first.
    Part {
        real: PathBuf,
        missing: Vec<OsString>,
    },
}

/// The names and `..` of a relative path, without `.`.
fn steps(path: &Path) -> impl DoubleEndedIterator<Item = OsString> {
    path.components()
        .filter(|component| *component != Component::CurDir)
        .map(|component| component.as_os_str().to_owned())
}

fn unreachable(path: &Path, source: io::Error) -> PathError {
    let path = path.into();
    if source.kind() == io::ErrorKind::NotADirectory {
        PathError::NotADirectory { path }
    } else {
        PathError::Unreachable { path, source }
    }
}
