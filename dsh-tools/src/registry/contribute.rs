//! What can be filed and looked up the same way for everybody and for one scope.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::entries::Entry;
use super::error::{BuildError, Problem};
use super::handle::Registration;
use super::layer::{Hooks, ScopeId};
use super::tool_set::{ResolveError, ResolvedToolSet, Step, resolve};
use super::{Scope, ToolRegistry, check};
use crate::definition::ToolDefinition;
use crate::executor::{ExecutorError, ExecutorTaken, describe};
use crate::hooks::{
    Around, Guard, Named, Offer, Outbound, PostExecute, PreExecute, ResultObserver, ToolExecutor,
};

impl ToolRegistry {
    fn parts(&self) -> (&Self, Option<&Scope>) {
        (self, None)
    }

    /// Registers all of them under one handle, or none.
    fn add_tools(
        &self,
        scope: ScopeId,
        definitions: Vec<ToolDefinition>,
    ) -> Result<Registration, BuildError> {
        let mut problems = check::definitions(self.state(), &definitions);
        let ids = self.write(|layers, writing| {
            let ids = writing.ids(definitions.len());
            let taken = writing.names.entry(scope).or_default();
            let present = layers.get(scope);
            problems.extend(check::names(scope, &definitions, |name| {
                let id = taken.get(name)?;
                let mut entries = present.tools.iter();
                entries.find(|entry| entry.id == *id).map(|entry| entry.definition.clone())
            }));
            if !problems.is_empty() {
                return Err(BuildError::new(problems));
            }
            layers.change(scope, |layer| {
                for (id, definition) in ids.clone().zip(definitions) {
                    taken.insert(definition.name().to_owned(), id);
                    layer.tools.push(Entry::new(id, definition));
                }
            });
            Ok(ids)
        })?;
        let registration = Registration::new(self, scope, ids);
        match self.announce() {
            Ok(()) => Ok(registration),
            // Dropping the handle undoes it and tells everybody again.
            Err(error) => Err(BuildError::new(vec![Problem::Refused { error }])),
        }
    }

    /// Mounts an executor, which is nobody's change of tools.
    fn mount(
        &self,
        scope: ScopeId,
        executor: Arc<dyn ToolExecutor>,
    ) -> Result<Registration, ExecutorTaken> {
        let ids = self.write(|layers, writing| {
            if layers.get(scope).executor.is_some() {
                return Err(ExecutorTaken);
            }
            let ids = writing.ids(1);
            layers.change(scope, |layer| layer.executor = Some((ids.start, executor)));
            Ok(ids)
        })?;
        Ok(Registration::new(self, scope, ids))
    }

    fn add_hook(&self, scope: ScopeId, add: impl FnOnce(&mut Hooks, u64)) -> Registration {
        self.file(scope, |layer, id| add(Arc::make_mut(&mut layer.hooks), id))
    }
}

impl Scope {
    fn parts(&self) -> (&ToolRegistry, Option<&Self>) {
        (self.registry(), Some(self))
    }
}

/// One method a kind of hook: its docs, and where the hook is put.
macro_rules! hooks {
    ($($(#[$docs:meta])* $method:ident: $kind:ident, $trait:ident, $place:ident;)*) => {$(
        $(#[$docs])*
        pub fn $method(&self, name: impl Into<Arc<str>>, hook: impl $trait) -> Registration {
            let (registry, scope) = self.parts();
            let (name, hook): (Arc<str>, Arc<dyn $trait>) = (name.into(), Arc::new(hook));
            registry.add_hook(ScopeId::of(scope), |hooks, id| {
                let named = Named::$place(id, name, hook);
                let place = hooks.$kind.partition_point(|other| other.order < named.order);
                hooks.$kind.insert(place, named);
            })
        }
    )*};
}

macro_rules! contributions {
    ($($type:ident)*) => {$(
        impl $type {
            /// Registers a tool until the returned handle is dropped.
            ///
            /// # Errors
            /// Every problem at once: a name that is taken here, state that is missing, a broken
            /// schema; or the error of a change listener. Nothing is registered then.
            pub fn register(&self, definition: ToolDefinition) -> Result<Registration, BuildError> {
                let (registry, scope) = self.parts();
                registry.add_tools(ScopeId::of(scope), vec![definition])
            }

            /// Registers several tools, as one change, until the returned handle is dropped.
            ///
            /// # Errors
            /// As [`register`](Self::register); none of them is registered then.
            pub fn register_all(
                &self,
                definitions: impl IntoIterator<Item = ToolDefinition>,
            ) -> Result<Registration, BuildError> {
                let (registry, scope) = self.parts();
                registry.add_tools(ScopeId::of(scope), definitions.into_iter().collect())
            }

            /// Mounts an executor until the returned handle is dropped.
            ///
            /// The nearest one that a scope sees offers its tools and runs its batches.
            ///
            /// # Errors
            /// One is mounted here already, and stays.
            pub fn executor(
                &self,
                executor: impl ToolExecutor,
            ) -> Result<Registration, ExecutorTaken> {
                let (registry, scope) = self.parts();
                registry.mount(ScopeId::of(scope), Arc::new(executor))
            }

            hooks! {
                /// Adds a hook before calls, inside those already there, until the handle is dropped.
                pre_execute: pre_execute, PreExecute, last;
                /// Adds a hook before calls, outside all others, until the handle is dropped.
                prepend_pre_execute: pre_execute, PreExecute, first;
                /// Adds a guard until the returned handle is dropped.
                guard: guards, Guard, last;
                /// Adds a wrapper around bodies, inside those already there, until the handle is dropped.
                around: around, Around, last;
                /// Adds a wrapper around bodies, outside all others, until the handle is dropped.
                prepend_around: around, Around, first;
                /// Adds a hook after calls, inside those already there, until the handle is dropped.
                post_execute: post_execute, PostExecute, last;
                /// Adds a hook after calls, outside all others, until the handle is dropped.
                prepend_post_execute: post_execute, PostExecute, first;
                /// Adds an observer of final results until the returned handle is dropped.
                observe: observers, ResultObserver, last;
                /// Adds an observer of final results that comes before all others, until the handle is dropped.
                prepend_observe: observers, ResultObserver, first;
            }

            /// Adds a hook on results that go out, after those of its phase, until the handle is dropped.
            pub fn outbound(&self, name: impl Into<Arc<str>>, hook: impl Outbound) -> Registration {
                let (registry, scope) = self.parts();
                let phase = hook.phase();
                let (name, hook): (Arc<str>, Arc<dyn Outbound>) = (name.into(), Arc::new(hook));
                registry.add_hook(ScopeId::of(scope), |hooks, id| {
                    hooks.add_outbound(Named::last(id, name, hook).in_phase(phase));
                })
            }

            /// The tool of this name as it is seen here, if there is one; no condition is evaluated.
            pub fn get(&self, name: &str) -> Option<ToolDefinition> {
                self.snapshot().get(name).cloned()
            }

            /// The tool of this name, unless it has a condition, which only a
            /// [resolved tool set](Self::resolve) has evaluated.
            pub fn executable(&self, name: &str) -> Option<ToolDefinition> {
                self.snapshot().executable(name).cloned()
            }

            /// All tools that are seen here, in the order in which their names came first.
            ///
            /// The same list is given until what is seen changes; no condition is evaluated.
            pub fn definitions(&self) -> Arc<[ToolDefinition]> {
                self.snapshot().definitions()
            }

            /// All tools that are seen here as a model is told of them, in the same order.
            ///
            /// Made once, and given again until what is seen changes: equal bytes keep prompts
            /// cached.
            pub fn schemas(&self) -> Arc<[Arc<Value>]> {
                self.snapshot().schemas()
            }

            /// The names of the tools that could be seen here, hidden by a restriction or not, sorted.
            pub fn known_names(&self) -> BTreeSet<String> {
                self.snapshot().known().into_iter().map(str::to_owned).collect()
            }

            /// What the nearest executor tells a model of the tools that are seen here, or of those of the
            /// tool set of its step.
            ///
            /// # Errors
            /// No executor is mounted and there are tools, or the executor cannot offer them.
            pub fn describe(
                &self,
                tool_set: Option<&ResolvedToolSet>,
            ) -> Result<Offer, ExecutorError> {
                let (registry, scope) = self.parts();
                describe(registry, scope, tool_set)
            }

            /// Decides which tools a model is offered in one step: evaluates the conditions of those
            /// that are seen here, each once.
            ///
            /// # Errors
            /// A condition failed or panicked, or the step was cancelled. There is no set then.
            ///
            /// # Cancel safety
            /// Yes: conditions under way are dropped with the future, and nothing was registered.
            pub async fn resolve(&self, step: Step) -> Result<ResolvedToolSet, ResolveError> {
                let (registry, scope) = self.parts();
                resolve(registry, scope, step).await
            }
        }
    )*};
}

contributions!(ToolRegistry Scope);
