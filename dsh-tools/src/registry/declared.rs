//! Definitions that `#[tool]` left in the binary.
//!
//! The linker gives no order and keeps no crate that nobody names. So nothing is loaded by itself:
//! `discover` is a call, what it finds is sorted, and a [`Toolset`](super::Toolset) names a crate.

use std::any::TypeId;
use std::fmt;

use crate::__private::Tool;
use crate::definition::ToolDefinition;

/// One tool in the binary.
pub struct Declared {
    /// What is known of it while compiling.
    pub tool: &'static Tool,
    /// Makes its definition.
    pub definition: fn() -> ToolDefinition,
    /// The type of the author's function, by which [`ToolDefinition::of`] finds it.
    pub function: fn() -> TypeId,
    /// Whether `discover` and toolsets take it.
    pub register: bool,
}

inventory::collect!(Declared);

/// Everything that is to be registered, in order of names, then of places.
pub(super) fn registered() -> Vec<&'static Declared> {
    let mut all: Vec<_> =
        inventory::iter::<Declared>.into_iter().filter(|declared| declared.register).collect();
    all.sort_by_key(|declared| {
        let origin = declared.tool.origin;
        (declared.tool.name, origin.module, origin.line)
    });
    all
}

/// The tool made from this function.
pub(super) fn of(function: TypeId) -> Option<&'static Declared> {
    inventory::iter::<Declared>.into_iter().find(|declared| (declared.function)() == function)
}

impl ToolDefinition {
    /// The definition of a function with `#[tool]`, or none for any other function.
    ///
    /// ```
    /// use dsh_tools::prelude::*;
    ///
    /// /// Adds two numbers.
    /// #[tool(register = false)]
    /// fn add(#[arg] a: i32, #[arg] b: i32) -> i32 {
    ///     a + b
    /// }
    ///
    /// assert_eq!(ToolDefinition::of(add).unwrap().name(), "add");
    /// assert_eq!(add(1, 2), 3);
    /// ```
    pub fn of<F: 'static>(_function: F) -> Option<Self> {
        of(TypeId::of::<F>()).map(|declared| (declared.definition)())
    }
}

impl fmt::Debug for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Declared")
            .field("name", &self.tool.name)
            .field("origin", &self.tool.origin)
            .finish_non_exhaustive()
    }
}
