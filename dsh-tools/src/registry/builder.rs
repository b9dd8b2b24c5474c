//! Puts a registry together and refuses it with every problem at once.

use std::any::{TypeId, type_name};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use super::declared::{self, Declared};
use super::entries::Entry;
use super::error::{BuildError, Problem};
use super::layer::{Hooks, Layer, Layers, ScopeId};
use super::scope::SnapshotCell;
use super::sync::{ArcSwap, Mutex};
use super::toolset::{Member, Toolset};
use super::{Shared, ToolRegistry, Writing, check};
use crate::definition::ToolDefinition;
use crate::hooks::{
    Approver, Around, Guard, Named, Outbound, PostExecute, PreExecute, ResultObserver, ToolExecutor,
};
use crate::state::StateMap;

/// Puts a registry together; [`build`](Self::build) checks it as a whole.
#[derive(Default)]
pub struct RegistryBuilder {
    state: StateMap,
    declared: Vec<&'static Declared>,
    definitions: Vec<ToolDefinition>,
    not_tools: Vec<&'static str>,
    hooks: Hooks,
    executors: Vec<Arc<dyn ToolExecutor>>,
    approver: Option<Arc<dyn Approver>>,
    approval_deadline: Option<Duration>,
    specified_texts: bool,
    last_id: u64,
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

    /// Adds the tools of a toolset, or of a value whose methods are [`Tools`](crate::Tools); one
    /// that was discovered too counts once.
    #[must_use]
    pub fn toolset(mut self, toolset: impl Into<Toolset>) -> Self {
        for member in toolset.into().into_members() {
            match member {
                Member::Declared(declared) => self.declared.push(declared),
                Member::Made(definition) => self.definitions.push(definition),
            }
        }
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

    /// Mounts the executor for every scope that has none of its own. Default: none.
    #[must_use]
    pub fn executor(mut self, executor: impl ToolExecutor) -> Self {
        self.executors.push(Arc::new(executor));
        self
    }

    /// Adds a hook before calls.
    #[must_use]
    pub fn pre_execute(mut self, name: impl Into<Arc<str>>, hook: impl PreExecute) -> Self {
        let id = self.next_id();
        self.hooks.pre_execute.push(Named::last(id, name.into(), Arc::new(hook)));
        self
    }

    /// Adds a guard.
    #[must_use]
    pub fn guard(mut self, name: impl Into<Arc<str>>, guard: impl Guard) -> Self {
        let id = self.next_id();
        self.hooks.guards.push(Named::last(id, name.into(), Arc::new(guard)));
        self
    }

    /// Adds a wrapper around bodies, inside those already there.
    #[must_use]
    pub fn around(mut self, name: impl Into<Arc<str>>, wrapper: impl Around) -> Self {
        let id = self.next_id();
        self.hooks.around.push(Named::last(id, name.into(), Arc::new(wrapper)));
        self
    }

    /// Adds a hook after calls.
    #[must_use]
    pub fn post_execute(mut self, name: impl Into<Arc<str>>, hook: impl PostExecute) -> Self {
        let id = self.next_id();
        self.hooks.post_execute.push(Named::last(id, name.into(), Arc::new(hook)));
        self
    }

    /// Adds a hook on results that go out, after those of its phase.
    #[must_use]
    pub fn outbound(mut self, name: impl Into<Arc<str>>, hook: impl Outbound) -> Self {
        let (id, phase) = (self.next_id(), hook.phase());
        let named: Named<dyn Outbound> = Named::last(id, name.into(), Arc::new(hook));
        self.hooks.add_outbound(named.in_phase(phase));
        self
    }

    /// Adds an observer of final results.
    #[must_use]
    pub fn observe(mut self, name: impl Into<Arc<str>>, observer: impl ResultObserver) -> Self {
        let id = self.next_id();
        self.hooks.observers.push(Named::last(id, name.into(), Arc::new(observer)));
        self
    }

    /// Sets who answers questions. Default: nobody, which denies.
    #[must_use]
    pub fn approver(mut self, approver: impl Approver) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Sets how long a question may stay open before the call is denied. Default: without end.
    #[must_use]
    pub fn approval_deadline(mut self, deadline: Duration) -> Self {
        self.approval_deadline = Some(deadline);
        self
    }

    /// Uses the texts of the specification also where ours say more. Default: it does not.
    ///
    /// For now that is the denial of a question that nobody is there to answer.
    #[must_use]
    pub fn specified_texts(mut self) -> Self {
        self.specified_texts = true;
        self
    }

    /// The registry, if everything about it holds.
    ///
    /// Its tools are in the order of their names, however they were added; what is registered later
    /// comes after them.
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
        problems.extend(check::definitions(&self.state, &definitions));
        problems.extend(check::names(ScopeId::GLOBAL, &definitions, |_| None));
        problems.extend(self.executors.get(1).map(|_| Problem::SeveralExecutors));
        if !problems.is_empty() {
            return Err(BuildError::new(problems));
        }
        let executor = self.executors.pop().map(|executor| (self.next_id(), executor));
        let mut names = HashMap::new();
        let hooks = Arc::new(std::mem::take(&mut self.hooks));
        let mut layer = Layer { hooks, executor, ..Layer::default() };
        for definition in definitions {
            let id = self.next_id();
            names.insert(definition.name().to_owned(), id);
            layer.tools.push(Entry::new(id, definition));
        }
        Ok(ToolRegistry(Arc::new(Shared {
            layers: ArcSwap::from_pointee(Layers::of(layer)),
            writing: Mutex::new(Writing {
                names: HashMap::from([(ScopeId::GLOBAL, names)]),
                last_id: self.last_id,
            }),
            next_scope: AtomicU64::new(ScopeId::GLOBAL.0 + 1),
            snapshot: SnapshotCell::default(),
            state: Arc::new(self.state),
            approver: self.approver,
            approval_deadline: self.approval_deadline,
            specified_texts: self.specified_texts,
        })))
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
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
