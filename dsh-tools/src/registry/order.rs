//! The order in which tools are sent to a model.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use crate::definition::ToolDefinition;

/// Where a listed order puts the tools that it does not name.
const UNLISTED: &str = "<unlisted-tools>";

/// The order in which tools are sent to a model.
///
/// By default by name, whatever the order of registration: the bytes a model is sent stay the same,
/// and prompts stay cached.
///
/// ```
/// use dsh_tools::{ToolDefinition, ToolOrder, ToolRegistry};
/// use serde_json::json;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let tool = |name: &'static str| {
///     ToolDefinition::from_fn(name, "Does.", json!({"type": "object"}), |_, _| async { Ok(json!(1)) })
/// };
/// let registry = ToolRegistry::builder().tool(tool("a")).tool(tool("b")).tool(tool("z")).build()?;
/// let order = ToolOrder::listed(["z", "<unlisted-tools>"])?;
/// let sent = order.arrange(&registry.definitions(), &registry.known_names())?;
/// let names: Vec<_> = sent.iter().map(ToolDefinition::name).collect();
/// assert_eq!(names, ["z", "a", "b"]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolOrder {
    /// None for the order of names.
    listed: Option<Vec<String>>,
}

impl ToolOrder {
    /// The order of names, by their UTF-16 code units.
    pub fn by_name() -> Self {
        Self::default()
    }

    /// These names in this order, with `<unlisted-tools>` where all others go, by name.
    ///
    /// # Errors
    /// A name is listed twice, or the place of the others is not said.
    pub fn listed<N: Into<String>>(
        names: impl IntoIterator<Item = N>,
    ) -> Result<Self, ToolOrderError> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| !seen.insert(name.as_str())) {
            return Err(ToolOrderError::Twice { name: twice.clone() });
        }
        if !seen.contains(UNLISTED) {
            return Err(ToolOrderError::NoPlaceForOthers);
        }
        Ok(Self { listed: Some(names) })
    }

    /// The tools in this order. `known` is every name there could be, hidden now or not.
    ///
    /// # Errors
    /// The order names a tool that is not known, or a tool has the name of the place for the others.
    pub fn arrange(
        &self,
        definitions: &[ToolDefinition],
        known: &BTreeSet<String>,
    ) -> Result<Vec<ToolDefinition>, ToolOrderError> {
        if definitions.iter().any(|definition| definition.name() == UNLISTED) {
            return Err(ToolOrderError::NamedLikeThePlace);
        }
        let listed = self.listed.as_deref().unwrap_or_default();
        let unknown = listed.iter().filter(|name| *name != UNLISTED && !known.contains(*name));
        let unknown: Vec<_> = unknown.cloned().collect();
        if !unknown.is_empty() {
            let known = known.iter().cloned().collect();
            return Err(ToolOrderError::Unknown { unknown, known });
        }
        let place = |name: &str| {
            let position = |wanted: &str| listed.iter().position(|name| name == wanted);
            position(name).or_else(|| position(UNLISTED))
        };
        let mut arranged = definitions.to_vec();
        arranged.sort_by(|a, b| {
            place(a.name()).cmp(&place(b.name())).then_with(|| by_code_units(a.name(), b.name()))
        });
        Ok(arranged)
    }
}

fn by_code_units(a: &str, b: &str) -> Ordering {
    a.encode_utf16().cmp(b.encode_utf16())
}

/// Why tools cannot be put into an order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolOrderError {
    /// A name is listed more than once.
    #[error("toolOrder lists \"{name}\" more than once")]
    Twice {
        /// The name.
        name: String,
    },
    /// The list does not say where the tools go that it does not name.
    #[error(
        "toolOrder must contain the \"<unlisted-tools>\" rest entry (where unlisted tools are \
         inserted)"
    )]
    NoPlaceForOthers,
    /// The list names tools that do not exist.
    #[error(
        "toolOrder lists unregistered {}; known tools: {}",
        super::filter::tools(unknown),
        super::filter::listed(known)
    )]
    Unknown {
        /// The names, in the order of the list.
        unknown: Vec<String>,
        /// Every name there could be, sorted.
        known: Vec<String>,
    },
    /// A tool is named like the place for unlisted tools.
    #[error("a tool cannot be named \"<unlisted-tools>\" where an order of tools is made")]
    NamedLikeThePlace,
}
