//! Why a policy cannot be used.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Everything that is wrong with a policy.
///
/// Its `Debug` form is its text, since that is what `main` and `expect` show.
///
/// ```
/// use dsh_tools::policy::Policy;
///
/// let error = Policy::from_toml("default = \"alow\"").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "line 1, column 11: unknown decision \"alow\", did you mean \"allow\"? \
///      accepted are \"allow\", \"ask\", \"deny\""
/// );
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub struct PolicyError {
    problems: Vec<PolicyProblem>,
}

/// One thing that is wrong with a policy, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PolicyProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong, and what is accepted.
    pub message: String,
}

/// Why a policy could not be loaded from a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read.
    #[error("the policy {} cannot be read", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file holds no policy.
    #[error("the policy {} is broken", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PolicyError,
    },
}

impl PolicyError {
    pub(super) const fn new(problems: Vec<PolicyProblem>) -> Self {
        Self { problems }
    }

    /// Every problem, in the order of the text.
    pub fn problems(&self) -> &[PolicyProblem] {
        &self.problems
    }
}

impl fmt::Debug for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &*self.problems {
            return only.fmt(f);
        }
        write!(f, "{} problems with this policy", self.problems.len())?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
    }
}

impl fmt::Display for PolicyProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}
