//! What exists and who sees it. The registry runs nothing and holds no lock while foreign code runs.

mod builder;
mod declared;
mod handle;
mod snapshot;
mod toolset;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use serde_json::Value;

pub use self::builder::{BuildError, Place, Problem, RegistryBuilder};
pub use self::handle::Registration;
pub use self::toolset::Toolset;

#[doc(hidden)]
pub use self::declared::Declared;
pub(crate) use self::snapshot::Snapshot;

use crate::definition::ToolDefinition;
use crate::hooks::{Around, Guard, Named, PostExecute, PreExecute, ResultObserver};
use crate::state::StateMap;

/// The tools that exist, and the hooks every call of them goes through.
///
/// A handle: clones are the same registry. Reading takes no lock; a call works on the hooks that
/// were there when it came, and on the tool that is there when its body starts.
///
/// ```
/// use dsh_tools::{ToolDefinition, ToolRegistry};
/// use serde_json::json;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let registry = ToolRegistry::builder().build()?;
/// let parameters = json!({"type": "object", "properties": {}});
/// let ping = ToolDefinition::from_fn("ping", "Answers.", parameters, |_, _| async { Ok("pong".into()) });
///
/// let registration = registry.register(ping)?;
/// assert!(registry.get("ping").is_some());
/// drop(registration);
/// assert!(registry.get("ping").is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ToolRegistry(Arc<Shared>);

struct Shared {
    snapshot: ArcSwap<Snapshot>,
    /// Serializes writers, who copy; readers never wait.
    writing: Mutex<()>,
    next_id: AtomicU64,
    state: Arc<StateMap>,
}

impl ToolRegistry {
    /// Starts an empty registry.
    pub fn builder() -> RegistryBuilder {
        RegistryBuilder::default()
    }

    fn from_parts(state: StateMap, snapshot: Snapshot, next_id: u64) -> Self {
        Self(Arc::new(Shared {
            snapshot: ArcSwap::from_pointee(snapshot),
            writing: Mutex::new(()),
            next_id: AtomicU64::new(next_id),
            state: Arc::new(state),
        }))
    }

    /// Registers a tool until the returned handle is dropped.
    ///
    /// # Errors
    /// Every problem at once: a name that is taken, state that is missing, a broken schema. Nothing
    /// is registered then.
    pub fn register(&self, definition: ToolDefinition) -> Result<Registration, BuildError> {
        let _writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut snapshot = Snapshot::clone(&self.snapshot());
        builder::check(&snapshot, &self.0.state, std::slice::from_ref(&definition))?;
        let id = self.next_id();
        snapshot.insert(id, definition);
        self.publish(snapshot);
        Ok(Registration::new(&self.0, id))
    }

    /// Adds a hook before calls until the returned handle is dropped.
    pub fn pre_execute(&self, name: impl Into<Arc<str>>, hook: impl PreExecute) -> Registration {
        let (name, hook) = (name.into(), Arc::new(hook));
        self.add(|snapshot, id| snapshot.pre_execute.push(Named { id, name, hook }))
    }

    /// Adds a guard until the returned handle is dropped.
    pub fn guard(&self, name: impl Into<Arc<str>>, guard: impl Guard) -> Registration {
        let (name, hook) = (name.into(), Arc::new(guard));
        self.add(|snapshot, id| snapshot.guards.push(Named { id, name, hook }))
    }

    /// Adds a wrapper around bodies, inside those already there, until the handle is dropped.
    pub fn around(&self, name: impl Into<Arc<str>>, wrapper: impl Around) -> Registration {
        let (name, hook) = (name.into(), Arc::new(wrapper));
        self.add(|snapshot, id| snapshot.around.push(Named { id, name, hook }))
    }

    /// Adds a hook after calls until the returned handle is dropped.
    pub fn post_execute(&self, name: impl Into<Arc<str>>, hook: impl PostExecute) -> Registration {
        let (name, hook) = (name.into(), Arc::new(hook));
        self.add(|snapshot, id| snapshot.post_execute.push(Named { id, name, hook }))
    }

    /// Adds an observer of final results until the returned handle is dropped.
    pub fn observe(
        &self,
        name: impl Into<Arc<str>>,
        observer: impl ResultObserver,
    ) -> Registration {
        let (name, hook) = (name.into(), Arc::new(observer));
        self.add(|snapshot, id| snapshot.observers.push(Named { id, name, hook }))
    }

    /// The tool of this name, if there is one.
    pub fn get(&self, name: &str) -> Option<ToolDefinition> {
        self.snapshot().get(name).cloned()
    }

    /// All tools, in order of their names.
    ///
    /// The same list is given until a tool comes or goes.
    pub fn definitions(&self) -> Arc<[ToolDefinition]> {
        self.snapshot().definitions()
    }

    /// All tools as a model is told of them, in order of their names.
    ///
    /// Made once, and given again until a tool comes or goes: equal bytes keep prompts cached.
    pub fn schemas(&self) -> Arc<[Value]> {
        self.snapshot().schemas()
    }

    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.0.snapshot.load_full()
    }

    pub(crate) fn state(&self) -> &Arc<StateMap> {
        &self.0.state
    }

    fn add(&self, change: impl FnOnce(&mut Snapshot, u64)) -> Registration {
        let _writing = self.0.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let id = self.next_id();
        let mut snapshot = Snapshot::clone(&self.snapshot());
        change(&mut snapshot, id);
        self.publish(snapshot);
        Registration::new(&self.0, id)
    }

    fn publish(&self, mut snapshot: Snapshot) {
        snapshot.generation += 1;
        self.0.snapshot.store(Arc::new(snapshot));
    }

    fn next_id(&self) -> u64 {
        self.0.next_id.fetch_add(1, Ordering::Relaxed)
    }
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolRegistry").field("snapshot", &self.snapshot()).finish()
    }
}
