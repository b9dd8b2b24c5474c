//! What a file with tools needs, in one `use`.
//!
//! ```
//! use dsh_tools::prelude::*;
//! ```
//!
//! `Deserialize` and `Serialize` are serde's; their derives need `serde` in your manifest.

pub use serde::{Deserialize, Serialize};

pub use crate::{
    Content, Schema, State, ToolContext, ToolDefinition, ToolError, ToolRegistry, ToolResult, Tools,
};

#[cfg(feature = "macros")]
pub use crate::{tool, tools};
