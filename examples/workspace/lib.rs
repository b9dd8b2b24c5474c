//! The tools every coding agent needs, confined to one directory.
//!
//! Each module of [`tools`] holds one tool: its arguments, its output, the function with `#[tool]`,
//! `run`, which does the work, and `render`, which gives the text a model reads. All of them take
//! the [`Root`] they work in. [`builder`] mounts them with the policy of [`policy`].
//!
//! The file tools cannot leave the root. `run_command` can: a shell reaches whatever its user
//! reaches, so it belongs behind an approval or inside a sandbox.

mod boundary;
mod captured;
mod error;
mod excerpt;
mod file;
pub mod policy;
mod process_group;
mod root;
mod search;
pub mod tools;
mod walk;

use dsh_tools::{RegistryBuilder, ToolRegistry, around::Timeout};

pub use error::{NearMiss, WorkspaceError};
pub use root::{PathError, Root};
pub use tokio_util::sync::CancellationToken;

/// Starts a registry with all tools, confined to a root, and the policy for them.
///
/// An approver has to be added for commands to run: nobody there means no.
pub fn builder(root: Root) -> RegistryBuilder {
    ToolRegistry::builder()
        .toolset(tools::toolset())
        .guard("inside the workspace", policy::inside(root.clone()))
        .guard("no secrets", policy::no_secrets)
        .pre_execute("ask before commands", policy::ask_before_commands())
        .around("timeout", Timeout)
        .state(root)
}
