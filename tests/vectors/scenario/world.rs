//! What all parts of a scenario share.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, OnceLock};

use dsh_tools::{CallResult, Registration, Scope, ToolDefinition, ToolRegistry};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::text;

/// The registry, its agents, and what happened so far; clones are the same world.
#[derive(Clone)]
pub(crate) struct World {
    shared: Arc<Shared>,
    pub(crate) agents: Agents,
}

#[derive(Default)]
struct Shared {
    registry: OnceLock<ToolRegistry>,
    trace: Mutex<Vec<String>>,
    tools: Mutex<HashMap<String, Registration>>,
    /// The token of the call that was made from outside last.
    caller: Mutex<CancellationToken>,
    /// Tokens that wrappers put in place of another.
    signals: Mutex<HashMap<String, CancellationToken>>,
    saved: Mutex<HashMap<String, CallResult>>,
}

/// Scopes by the names of their agents.
#[derive(Clone, Default)]
pub(crate) struct Agents(Arc<Mutex<HashMap<String, Scope>>>);

impl Agents {
    /// Makes the scope of an agent: its name, or its name and that of its parent.
    pub(crate) fn add(&self, registry: &ToolRegistry, agent: &Value) {
        let name = agent["id"].as_str().unwrap_or_else(|| text(agent)).to_owned();
        let scope = match agent["parent"].as_str() {
            Some(parent) => self.get(parent).scope(name.clone()),
            None => registry.scope(name.clone()),
        };
        self.0.lock().expect("not poisoned").insert(name, scope);
    }

    pub(crate) fn get(&self, name: &str) -> Scope {
        self.find(name).expect("the agent was named before")
    }

    /// The scope of an agent; none for everybody.
    pub(crate) fn find(&self, name: &str) -> Option<Scope> {
        self.0.lock().expect("not poisoned").get(name).cloned()
    }
}

impl World {
    /// A world with a registry, whose parts may hold the world.
    pub(crate) fn new(registry: impl FnOnce(&Self) -> ToolRegistry) -> Self {
        let world = Self { shared: Arc::default(), agents: Agents::default() };
        let registry = registry(&world);
        world.shared.registry.get_or_init(|| registry);
        world
    }

    pub(crate) fn registry(&self) -> &ToolRegistry {
        self.shared.registry.get().expect("the world is made with it")
    }

    pub(crate) fn note(&self, line: impl Into<String>) {
        self.shared.trace.lock().expect("not poisoned").push(line.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.shared.trace.lock().expect("not poisoned").clone()
    }

    pub(crate) fn register(&self, tool: &Value, definition: ToolDefinition) {
        let registration = match self.agents.find(text(&tool["scope"])) {
            Some(scope) => scope.register(definition),
            None => self.registry().register(definition),
        };
        let registration = registration.expect("the tools of a scenario are right");
        let name = text(&tool["name"]).to_owned();
        // The first of a name is the one that a scenario may unregister.
        let mut tools = self.shared.tools.lock().expect("not poisoned");
        match tools.entry(name) {
            Entry::Occupied(_) => registration.keep(),
            Entry::Vacant(place) => drop(place.insert(registration)),
        }
    }

    pub(crate) fn unregister(&self, name: &str) {
        let registration = self.shared.tools.lock().expect("not poisoned").remove(name);
        drop(registration);
    }

    pub(crate) fn set_caller(&self, token: CancellationToken) {
        *self.shared.caller.lock().expect("not poisoned") = token;
    }

    /// Cancels the call that was made from outside.
    pub(crate) fn abort_caller(&self) {
        self.shared.caller.lock().expect("not poisoned").cancel();
    }

    /// A new token that can be cancelled by its name.
    pub(crate) fn signal(&self, name: &str) -> CancellationToken {
        let token = CancellationToken::new();
        let mut signals = self.shared.signals.lock().expect("not poisoned");
        signals.insert(name.to_owned(), token.clone());
        token
    }

    pub(crate) fn abort_signal(&self, name: &str) {
        let signals = self.shared.signals.lock().expect("not poisoned");
        signals.get(name).expect("the signal was put in place before").cancel();
    }

    pub(crate) fn save(&self, name: &str, result: CallResult) {
        self.shared.saved.lock().expect("not poisoned").insert(name.to_owned(), result);
    }

    pub(crate) fn saved(&self, name: &str) -> Option<CallResult> {
        self.shared.saved.lock().expect("not poisoned").get(name).cloned()
    }
}
