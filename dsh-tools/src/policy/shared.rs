//! A policy that is replaced while calls run.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arc_swap::ArcSwap;

use super::error::LoadError;
use super::{Parts, Policy, PolicyError};

/// A policy that can be replaced while calls run; clones share it.
///
/// A call is judged by the policy that is there when it comes to the hook, and keeps that
/// judgement.
///
/// ```
/// use dsh_tools::ToolRegistry;
/// use dsh_tools::policy::{Decision, Policy, SharedPolicy};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let policy = SharedPolicy::new(Policy::from_toml("default = \"deny\"")?);
/// let registry = ToolRegistry::builder().pre_execute("policy", policy.clone()).build()?;
///
/// policy.replace(Policy::from_toml("default = \"ask\"")?);
/// assert_eq!(policy.current().default_decision(), Decision::Ask);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SharedPolicy(Arc<ArcSwap<Parts>>);

impl SharedPolicy {
    /// A shared policy that begins with this one.
    pub fn new(policy: Policy) -> Self {
        Self(Arc::new(ArcSwap::new(policy.0)))
    }

    /// A shared policy that begins with the one in a file. Blocks while the file is read.
    ///
    /// # Errors
    /// The file cannot be read, or holds no policy.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        parse(path, read(path)).map(Self::new)
    }

    /// The policy as it is now.
    pub fn current(&self) -> Policy {
        Policy(self.0.load_full())
    }

    /// Replaces the policy for calls to come, and gives the one that was there.
    pub fn replace(&self, policy: Policy) -> Policy {
        Policy(self.0.swap(policy.0))
    }

    /// Replaces the policy by the one in a file. Blocks while the file is read.
    ///
    /// # Errors
    /// The file cannot be read, or holds no policy; the old policy stays.
    pub fn reload(&self, path: impl AsRef<Path>) -> Result<(), LoadError> {
        let path = path.as_ref();
        self.replace(parse(path, read(path))?);
        Ok(())
    }
}

/// The text of a file.
pub(super) fn read(path: &Path) -> io::Result<String> {
    fs::read_to_string(path)
}

/// The policy that a file holds.
pub(super) fn parse(path: &Path, text: io::Result<String>) -> Result<Policy, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let broken = |source: PolicyError| LoadError::Broken { path: path.to_owned(), source };
    Policy::from_toml(&text.map_err(unreadable)?).map_err(broken)
}

impl fmt::Debug for SharedPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedPolicy").field(&self.current()).finish()
    }
}
