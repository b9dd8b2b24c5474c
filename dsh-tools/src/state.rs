//! Values of the host that tools take: found by type, checked when the registry is built.

use std::any::{Any, TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use crate::context::{FromContext, ToolContext};
use crate::model::ToolError;

/// A value of the host, shared with every call.
///
/// A tool takes it as a parameter; [`build`](crate::RegistryBuilder::build) fails, naming the
/// tool, if the host did not supply it. A model never sees it.
///
/// ```
/// use dsh_tools::prelude::*;
///
/// struct Greeting(String);
///
/// /// Greets.
/// #[tool(register = false)]
/// fn greet(greeting: State<Greeting>) -> String {
///     greeting.0.clone()
/// }
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let missing = ToolRegistry::builder().function(greet).build();
/// assert!(missing.unwrap_err().to_string().contains("Greeting"));
///
/// let registry =
///     ToolRegistry::builder().function(greet).state(Greeting("hello".into())).build()?;
/// # Ok(())
/// # }
/// ```
pub struct State<T: ?Sized>(Arc<T>);

impl<T: ?Sized> State<T> {
    /// The shared value itself.
    pub fn into_inner(self) -> Arc<T> {
        self.0
    }
}

impl<T> State<T> {
    /// A state for calling a tool as a function, in a test for example.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }
}

impl<T: ?Sized> Deref for State<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: ?Sized> Clone for State<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for State<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Send + Sync + 'static> FromContext<'_> for State<T> {
    fn state() -> Option<StateType> {
        Some(StateType::of::<T>())
    }

    fn from_context(cx: &ToolContext) -> Result<Self, ToolError> {
        cx.shared_state::<T>()
            .map(Self)
            .ok_or_else(|| ToolError::new("the host did not supply what this tool needs to run"))
    }
}

/// A type of state that a tool needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateType {
    id: TypeId,
    name: &'static str,
}

impl StateType {
    /// The type `T`.
    pub fn of<T: 'static>() -> Self {
        Self { id: TypeId::of::<T>(), name: type_name::<T>() }
    }

    /// The name of the type, for people.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

impl fmt::Debug for StateType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The values a host supplied, by type.
#[derive(Clone, Default)]
pub(crate) struct StateMap(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl StateMap {
    pub(crate) fn insert<T: Send + Sync + 'static>(&mut self, value: Arc<T>) {
        self.0.insert(TypeId::of::<T>(), value);
    }

    pub(crate) fn get<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.0.get(&TypeId::of::<T>())?.clone().downcast().ok()
    }

    pub(crate) fn holds(&self, state: StateType) -> bool {
        self.0.contains_key(&state.id)
    }
}

impl fmt::Debug for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateMap({} types)", self.0.len())
    }
}
