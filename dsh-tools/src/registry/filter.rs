//! Which of the tools that a scope inherits stay visible to it.

use std::collections::BTreeSet;

/// Which inherited tools a scope keeps: those allowed, less those denied.
///
/// It applies to what the scope inherits at any later time, too. Tools that are registered in the
/// scope itself are never filtered.
///
/// ```
/// use dsh_tools::{ToolDefinition, ToolFilter, ToolRegistry};
/// use serde_json::json;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tool = |name: &'static str| {
///     ToolDefinition::from_fn(name, "Does.", json!({"type": "object"}), |_, _| async { Ok(json!(1)) })
/// };
/// let registry = ToolRegistry::builder().tool(tool("read")).tool(tool("write")).build()?;
/// let reader = registry.scope("reader");
///
/// let restriction = reader.restrict(ToolFilter::deny(["write"]))?;
/// assert!(reader.get("write").is_none() && registry.get("write").is_some());
/// drop(restriction);
/// assert!(reader.get("write").is_some());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolFilter {
    allowed: Option<Vec<String>>,
    denied: Option<Vec<String>>,
}

impl ToolFilter {
    /// Keeps these only; an empty list hides every inherited tool.
    pub fn allow<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { allowed: Some(names.into_iter().map(Into::into).collect()), denied: None }
    }

    /// Keeps all but these; an empty list hides nothing.
    pub fn deny<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        Self { allowed: None, denied: Some(names.into_iter().map(Into::into).collect()) }
    }

    /// Keeps none of these either.
    #[must_use]
    pub fn and_deny<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.denied.get_or_insert_default().extend(names.into_iter().map(Into::into));
        self
    }

    /// Whether an inherited tool of this name stays visible.
    pub fn admits(&self, name: &str) -> bool {
        let holds = |names: &Vec<String>| names.iter().any(|other| other == name);
        self.allowed.as_ref().is_none_or(holds) && !self.denied.as_ref().is_some_and(holds)
    }

    /// What is wrong with it for a scope that inherits these names.
    pub(super) fn check(&self, inherited: &BTreeSet<&str>) -> Result<(), RestrictError> {
        if self.allowed.is_none() && self.denied.is_none() {
            return Err(RestrictError::Empty);
        }
        let named = || self.allowed.iter().chain(&self.denied).flatten();
        if named().any(|name| name == RUN_CODE) {
            return Err(RestrictError::Reserved);
        }
        let unknown: Vec<_> =
            named().filter(|name| !inherited.contains(&***name)).cloned().collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let known = inherited.iter().map(|name| (*name).to_owned()).collect();
        Err(RestrictError::Unknown { unknown, known })
    }
}

/// The name under which programs that call tools are run.
pub(super) const RUN_CODE: &str = "run_code";

/// Why a scope cannot be restricted like this.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestrictError {
    /// The filter says nothing.
    #[error(
        "tools.restrict({{}}) is a no-op: pass `allow` and/or `deny` (an empty filter is almost \
         always a materialized-empty-config bug)"
    )]
    Empty,
    /// The filter names what no filter applies to.
    #[error(
        "tools.restrict() cannot name reserved PTC presentation transport \"run_code\"; restrict \
         end-capability tools instead"
    )]
    Reserved,
    /// The filter names tools that the scope does not inherit.
    #[error(
        "tools.restrict() names unknown global {}; known global tools: {}",
        tools(unknown),
        listed(known)
    )]
    Unknown {
        /// The names, in the order of the filter.
        unknown: Vec<String>,
        /// What the scope inherits, sorted.
        known: Vec<String>,
    },
    /// A listener refused the change, so it was undone.
    #[error("{0}")]
    Listener(crate::ToolError),
}

pub(super) fn tools(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("{} {}", if names.len() == 1 { "tool" } else { "tools" }, quoted.join(", "))
}

pub(super) fn listed(names: &[String]) -> String {
    if names.is_empty() { "(none)".to_owned() } else { names.join(", ") }
}
