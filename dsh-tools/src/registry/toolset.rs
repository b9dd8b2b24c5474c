//! A named group of tools; mounting it keeps its crate linked.

use super::declared::{Declared, registered};

/// The tools of one module, made by [`toolset!`](crate::toolset).
#[derive(Clone, Debug)]
pub struct Toolset {
    name: &'static str,
    pub(super) tools: Vec<&'static Declared>,
}

impl Toolset {
    #[doc(hidden)]
    pub fn __of_module(name: &'static str, module: &'static str) -> Self {
        let inside = |declared: &&Declared| {
            let rest = declared.tool.origin.module.strip_prefix(module);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        Self { name, tools: registered().into_iter().filter(|tool| inside(tool)).collect() }
    }

    /// The name of the group.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The names of its tools, sorted.
    pub fn tool_names(&self) -> impl Iterator<Item = &'static str> {
        self.tools.iter().map(|declared| declared.tool.name)
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
