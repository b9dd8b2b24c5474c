//! A named group of tools, mounted as one.

use std::borrow::Cow;
use std::sync::Arc;

use super::declared::{Declared, registered};
use crate::definition::ToolDefinition;

/// A named group of tools: those of a module, of a value, or made at run time.
///
/// [`toolset!`](crate::toolset) makes one from the tools of a module, which keeps their crate
/// linked; [`#[tools]`](macro@crate::tools) makes one from a value whose methods are tools. A host
/// mounts it when it [builds](crate::RegistryBuilder::toolset) a registry, or later, since it gives
/// its definitions in the order of their names:
///
/// ```
/// use dsh_tools::{ToolDefinition, ToolRegistry, Toolset};
/// use serde_json::json;
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let parameters = json!({"type": "object", "properties": {}});
/// let ping = ToolDefinition::from_fn("ping", "Answers.", parameters, |_, _| async { Ok("pong".into()) });
/// let network = Toolset::new("network", [ping]);
/// assert_eq!(network.tool_names().collect::<Vec<_>>(), ["ping"]);
///
/// let registry = ToolRegistry::builder().build()?;
/// let agent = registry.scope("agent");
/// let registration = agent.register_all(network)?;
/// assert!(agent.get("ping").is_some() && registry.get("ping").is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Toolset {
    name: Cow<'static, str>,
    members: Vec<Member>,
}

/// One tool of a set. What the binary declares is known as such, since it may be discovered too.
#[derive(Clone, Debug)]
pub(super) enum Member {
    Declared(&'static Declared),
    Made(ToolDefinition),
}

impl Member {
    fn name(&self) -> &str {
        match self {
            Self::Declared(declared) => declared.tool.name,
            Self::Made(definition) => definition.name(),
        }
    }
}

impl Toolset {
    /// A group of tools that are made at run time.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        definitions: impl IntoIterator<Item = ToolDefinition>,
    ) -> Self {
        let mut members: Vec<_> = definitions.into_iter().map(Member::Made).collect();
        members.sort_by(|a, b| a.name().cmp(b.name()));
        Self { name: name.into(), members }
    }

    #[doc(hidden)]
    pub fn __of_module(name: &'static str, module: &'static str) -> Self {
        let inside = |declared: &&Declared| {
            let rest = declared.tool.origin.module.strip_prefix(module);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let members = registered().into_iter().filter(inside).map(Member::Declared).collect();
        Self { name: name.into(), members }
    }

    /// The name of the group.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its tools, sorted.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(Member::name)
    }

    pub(super) fn into_members(self) -> Vec<Member> {
        self.members
    }
}

/// Gives the definitions, for [`register_all`](crate::Scope::register_all).
impl IntoIterator for Toolset {
    type Item = ToolDefinition;
    type IntoIter = std::vec::IntoIter<ToolDefinition>;

    fn into_iter(self) -> Self::IntoIter {
        let definition = |member| match member {
            Member::Declared(declared) => (declared.definition)(),
            Member::Made(definition) => definition,
        };
        self.members.into_iter().map(definition).collect::<Vec<_>>().into_iter()
    }
}

/// A type whose methods are tools.
///
/// [`#[tools]`](macro@crate::tools) implements it. The tools share the value they are called on, so
/// it comes in an [`Arc`], which a registry accepts as it is:
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use dsh_tools::prelude::*;
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// #[tools]
/// impl Counter {
///     /// Counts on.
///     #[tool]
///     fn count(&self, #[arg] by: u64) -> u64 {
///         self.0.fetch_add(by, Ordering::Relaxed) + by
///     }
/// }
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let counter = Arc::new(Counter::default());
/// let registry = ToolRegistry::builder().toolset(counter.clone()).build()?;
///
/// // The same tools, for one agent alone.
/// let agent = registry.scope("agent");
/// let registration = agent.register_all(counter.toolset())?;
/// # Ok(())
/// # }
/// ```
///
/// By hand, it gives any definitions that the value has something to do with.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no tools",
    note = "write `#[tools]` above an `impl {Self} {{ … }}`, and `#[tool]` above the methods in it"
)]
pub trait Tools: Send + Sync + 'static {
    /// The tools of this value, which they share and keep alive.
    fn toolset(self: Arc<Self>) -> Toolset;
}

impl<S: Tools + ?Sized> From<Arc<S>> for Toolset {
    fn from(owner: Arc<S>) -> Self {
        owner.toolset()
    }
}

/// Declares a function that gives the tools of this module and the modules in it.
///
/// A library of tools writes this once, and a host mounts what it gives. Naming the function is
/// what keeps the linker from dropping the library's tools.
///
/// ```
/// mod files {
///     use dsh_tools::prelude::*;
///
///     /// Says where it is.
///     #[tool]
///     fn here() -> &'static str {
///         "."
///     }
///
///     dsh_tools::toolset!(pub files);
/// }
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = dsh_tools::ToolRegistry::builder().toolset(files::files()).build()?;
/// assert!(registry.get("here").is_some());
/// # Ok(())
/// # }
/// ```
#[macro_export]
macro_rules! toolset {
    ($(#[$attribute:meta])* $visibility:vis $name:ident) => {
        #[doc = concat!("The tools of `", module_path!(), "`.")]
        $(#[$attribute])*
        $visibility fn $name() -> $crate::Toolset {
            $crate::Toolset::__of_module(::core::stringify!($name), ::core::module_path!())
        }
    };
}
