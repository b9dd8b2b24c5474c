//! What a tool says about its effects.

use serde::{Deserialize, Serialize};

/// Hints about what a tool does, named as MCP names them.
///
/// An absent hint has MCP's default (2025-11-25, `ToolAnnotations`): not read-only, destructive,
/// not idempotent, open world. Hints of a tool from elsewhere are claims: no policy may trust them.
///
/// ```
/// use dsh_tools::Annotations;
///
/// let annotations = Annotations { read_only: Some(true), ..Annotations::NONE };
/// assert!(annotations.is_read_only());
/// assert!(!annotations.is_destructive());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotations {
    /// Does not change its environment.
    #[serde(rename = "readOnlyHint", skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// May destroy something; only meaningful when it is not read-only.
    #[serde(rename = "destructiveHint", skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// Calling it twice with the same arguments does no more than calling it once.
    #[serde(rename = "idempotentHint", skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// Talks to things outside, the web for example.
    #[serde(rename = "openWorldHint", skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Annotations {
    /// No hint at all.
    pub const NONE: Self =
        Self { read_only: None, destructive: None, idempotent: None, open_world: None };

    /// Whether it says that it changes nothing. Default: false.
    pub fn is_read_only(&self) -> bool {
        self.read_only.unwrap_or(false)
    }

    /// Whether it may destroy something. Default: true, unless it is read-only.
    pub fn is_destructive(&self) -> bool {
        !self.is_read_only() && self.destructive.unwrap_or(true)
    }

    /// Whether calling it again does no more. Default: false, unless it is read-only.
    pub fn is_idempotent(&self) -> bool {
        self.idempotent.unwrap_or(self.is_read_only())
    }

    /// Whether it talks to the outside. Default: true.
    pub fn is_open_world(&self) -> bool {
        self.open_world.unwrap_or(true)
    }
}
