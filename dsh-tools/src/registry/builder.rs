//! Puts a registry together and refuses it with every problem at once.

use std::any::{TypeId, type_name};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::ToolRegistry;
use super::declared::{self, Declared};
use super::snapshot::Snapshot;
use super::toolset::Toolset;
use crate::definition::{Origin, ToolDefinition};
use crate::hooks::{Approver, Around, Guard, Named, PostExecute, PreExecute, ResultObserver};
use crate::state::{StateMap, StateType};

/// Puts a registry together; [`build`](Self::build) checks it as a whole.
#[derive(Default)]
pub struct RegistryBuilder {
    state: StateMap,
    declared: Vec<&'static Declared>,
    definitions: Vec<ToolDefinition>,
    not_tools: Vec<&'static str>,
    hooks: Snapshot,
    next_id: u64,
}

impl RegistryBuilder {
    /// Supplies a value for tools that take [`State<T>`](crate::State); a later one of the same type replaces it.
    #[must_use]
    pub fn state<T: Send + Sync + 'static>(self, value: T) -> Self {
        self.shared_state(Arc::new(value))
    }

    /// Supplies a value that the host shares already.
    #[must_use]
    pub fn shared_state<T: Send + Sync + 'static>(mut self, value: Arc<T>) -> Self {
        self.state.insert(value);
        self
    }

    /// Adds every tool that is linked into the binary and not marked `register = false`.
    ///
    /// A crate that nobody names is not linked; mount its [`Toolset`] instead.
    #[must_use]
    pub fn discover(mut self) -> Self {
        self.declared.extend(declared::registered());
        self
    }

    /// Adds the tools of a toolset; one that was discovered too counts once.
    #[must_use]
    pub fn toolset(mut self, toolset: Toolset) -> Self {
        self.declared.extend(toolset.tools);
        self
    }

    /// Adds the tool made from this function, also one marked `register = false`.
    #[must_use]
    pub fn function<F: 'static>(mut self, _function: F) -> Self {
        match declared::of(TypeId::of::<F>()) {
            Some(declared) => self.declared.push(declared),
            None => self.not_tools.push(type_name::<F>()),
        }
        self
    }

    /// Adds a tool made without macros.
    #[must_use]
    pub fn tool(mut self, definition: ToolDefinition) -> Self {
        self.definitions.push(definition);
        self
    }

    /// Adds a hook before calls.
    #[must_use]
    pub fn pre_execute(mut self, name: impl Into<Arc<str>>, hook: impl PreExecute) -> Self {
        let id = self.next_id();
        self.hooks.pre_execute.push(Named { id, name: name.into(), hook: Arc::new(hook) });
        self
    }

    /// Adds a guard.
    #[must_use]
    pub fn guard(mut self, name: impl Into<Arc<str>>, guard: impl Guard) -> Self {
        let id = self.next_id();
        self.hooks.guards.push(Named { id, name: name.into(), hook: Arc::new(guard) });
        self
    }

    /// Adds a wrapper around bodies, inside those already there.
    #[must_use]
    pub fn around(mut self, name: impl Into<Arc<str>>, wrapper: impl Around) -> Self {
        let id = self.next_id();
        self.hooks.around.push(Named { id, name: name.into(), hook: Arc::new(wrapper) });
        self
    }

    /// Adds a hook after calls.
    #[must_use]
    pub fn post_execute(mut self, name: impl Into<Arc<str>>, hook: impl PostExecute) -> Self {
        let id = self.next_id();
        self.hooks.post_execute.push(Named { id, name: name.into(), hook: Arc::new(hook) });
        self
    }

    /// Adds an observer of final results.
    #[must_use]
    pub fn observe(mut self, name: impl Into<Arc<str>>, observer: impl ResultObserver) -> Self {
        let id = self.next_id();
        self.hooks.observers.push(Named { id, name: name.into(), hook: Arc::new(observer) });
        self
    }

    /// Sets who answers questions. Default: nobody, which denies.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.hooks.approver = Some(Arc::new(approver));
        self
    }

    /// The registry, if everything about it holds.
    ///
    /// # Errors
    /// Every problem at once: duplicate names with both places, missing state with every tool that
    /// needs it, broken schemas and names, functions without `#[tool]`.
    pub fn build(mut self) -> Result<ToolRegistry, BuildError> {
        let mut seen = Vec::new();
        self.declared.retain(|declared| {
            let fresh = !seen.iter().any(|other| std::ptr::eq(*other, *declared));
            seen.push(*declared);
            fresh
        });
        let mut definitions: Vec<_> =
            self.declared.iter().map(|declared| (declared.definition)()).collect();
        definitions.append(&mut self.definitions);
        definitions.sort_by(|a, b| a.name().cmp(b.name()));

        let mut problems: Vec<_> =
            self.not_tools.iter().map(|function| Problem::NotATool { function }).collect();
        if let Err(error) = check(&self.hooks, &self.state, &definitions) {
            problems.extend(error.problems);
        }
        if !problems.is_empty() {
            return Err(BuildError { problems });
        }
        for definition in definitions {
            let id = self.next_id();
            self.hooks.insert(id, definition);
        }
        Ok(ToolRegistry::from_parts(self.state, self.hooks, self.next_id))
    }

    fn next_id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id - 1
    }
}

/// Whether these tools may be added to those that are there.
pub(super) fn check(
    present: &Snapshot,
    state: &StateMap,
    added: &[ToolDefinition],
) -> Result<(), BuildError> {
    let mut problems = Vec::new();
    let mut by_name: BTreeMap<&str, Vec<&ToolDefinition>> = BTreeMap::new();
    let mut missing: BTreeMap<&str, (StateType, Vec<Place>)> = BTreeMap::new();
    for definition in added {
        by_name.entry(definition.name()).or_default().push(definition);
        for problem in definition.problems() {
            problems.push(Problem::Invalid { tool: Place::of(definition), problem });
        }
        for need in definition.needs().iter().filter(|need| !state.holds(**need)) {
            let (_, tools) = missing.entry(need.name()).or_insert((*need, Vec::new()));
            tools.push(Place::of(definition));
        }
    }
    for (name, mut definitions) in by_name {
        definitions.splice(0..0, present.get(name));
        if definitions.len() > 1 {
            let places = definitions.into_iter().map(Place::of).collect();
            problems.push(Problem::Duplicate { name: name.to_owned(), places });
        }
    }
    problems
        .extend(missing.into_values().map(|(state, tools)| Problem::MissingState { state, tools }));
    if problems.is_empty() { Ok(()) } else { Err(BuildError { problems }) }
}

/// Why a registry could not be built, or a tool not registered: every reason.
///
/// Its `Debug` form is its text, since that is what `main` and `expect` show.
#[derive(Clone, thiserror::Error)]
pub struct BuildError {
    problems: Vec<Problem>,
}

/// One reason why a registry could not be built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Several tools have one name.
    Duplicate {
        /// The name.
        name: String,
        /// The tools that have it.
        places: Vec<Place>,
    },
    /// The host did not supply a value that tools take.
    MissingState {
        /// Its type.
        state: StateType,
        /// Every tool that takes it.
        tools: Vec<Place>,
    },
    /// A definition breaks a rule.
    Invalid {
        /// The tool.
        tool: Place,
        /// The rule, with the path in its schema where there is one.
        problem: String,
    },
    /// A function has no `#[tool]`.
    NotATool {
        /// Its path.
        function: &'static str,
    },
}

/// A tool and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the tool.
    pub tool: String,
    /// Where a macro made it, if one did.
    pub origin: Option<Origin>,
}

impl BuildError {
    /// Every reason.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Place {
    fn of(definition: &ToolDefinition) -> Self {
        Self { tool: definition.name().to_owned(), origin: definition.origin() }
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &*self.problems {
            return only.fmt(f);
        }
        write!(f, "{} problems with the tools of this registry", self.problems.len())?;
        for problem in &self.problems {
            write!(f, "\n- {}", problem.to_string().replace('\n', "\n  "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { name, places } => {
                write!(f, "{} tools are named `{name}`, a name belongs to one", places.len())?;
                list(f, places)
            }
            Self::MissingState { state, tools } => {
                let name = state.name();
                write!(f, "state `{name}` is missing, add `.state(…)` with a value of that type")?;
                list(f, tools)
            }
            Self::Invalid { tool, problem } => write!(f, "{tool}: {problem}"),
            Self::NotATool { function } => {
                write!(f, "`{function}` is not a tool, put `#[tool]` on it")
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, places: &[Place]) -> fmt::Result {
    places.iter().try_for_each(|place| write!(f, "\n- {place}"))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool `{}`", self.tool)?;
        match self.origin {
            Some(origin) => write!(f, " at {origin}"),
            None => write!(f, " made at run time"),
        }
    }
}

impl fmt::Debug for RegistryBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryBuilder")
            .field("declared", &self.declared)
            .field("definitions", &self.definitions)
            .finish_non_exhaustive()
    }
}
