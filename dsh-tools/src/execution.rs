//! One call as hooks, bodies and observers see it.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::context::CallOptions;
use crate::definition::ToolDefinition;
use crate::model::{Arguments, ArgumentsHash, Context, ToolCall};
use crate::registry::Scope;

/// One call, the same for every stage; nothing in it changes what was called with what.
///
/// Cheap to clone. Hooks may key their own state by [`token`](Self::token).
#[derive(Clone)]
pub struct Execution(Arc<Parts>);

struct Parts {
    call: ToolCall,
    options: CallOptions,
    token: CallToken,
    /// Made when somebody asks for it, where the caller gave none.
    cancellation: OnceLock<CancellationToken>,
    hash: OnceLock<ArgumentsHash>,
    /// The definition at creation; its callbacks stay in force for the whole call.
    definition: Option<ToolDefinition>,
    body_started: AtomicBool,
    /// The last run inside a wrapper, or of the body, failed, and no other has begun.
    failed: AtomicBool,
    concluded: AtomicBool,
    deferred: Mutex<Vec<Context>>,
}

/// The identity of one execution; comparing is all that can be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallToken(u64);

impl Execution {
    pub(crate) fn new(
        call: ToolCall,
        options: CallOptions,
        definition: Option<ToolDefinition>,
    ) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let cancellation = options.cancellation.clone();
        Self(Arc::new(Parts {
            call,
            options,
            cancellation: cancellation.map_or_else(OnceLock::new, OnceLock::from),
            token: CallToken(NEXT.fetch_add(1, Ordering::Relaxed)),
            hash: OnceLock::new(),
            definition,
            body_started: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            concluded: AtomicBool::new(false),
            deferred: Mutex::new(Vec::new()),
        }))
    }

    /// Identity of this call.
    pub fn call_id(&self) -> &str {
        &self.0.call.id
    }

    /// The call of the model that this call serves; its own id when it is that call.
    pub fn root_call_id(&self) -> &str {
        match &self.0.options.parent {
            Some((_, root)) => root,
            None => self.call_id(),
        }
    }

    /// The call this one was made under, if it is nested.
    pub fn parent(&self) -> Option<CallToken> {
        self.0.options.parent.as_ref().map(|(token, _)| *token)
    }

    /// The name that was called.
    pub fn name(&self) -> &str {
        &self.0.call.name
    }

    /// The arguments as a value; they cannot be changed.
    pub fn arguments(&self) -> &Value {
        self.0.call.arguments.value()
    }

    /// The arguments with the text they came as.
    pub fn raw_arguments(&self) -> &Arguments {
        &self.0.call.arguments
    }

    /// On whose behalf the call is made, if on anyone's: the name of its scope.
    pub fn agent(&self) -> Option<&str> {
        self.scope().map(Scope::name)
    }

    /// The scope for which the call is made, if for one.
    pub fn scope(&self) -> Option<&Scope> {
        self.0.options.scope.as_ref()
    }

    /// The hash of the arguments as they are, by which approvals and logs know them.
    pub fn arguments_hash(&self) -> ArgumentsHash {
        *self.0.hash.get_or_init(|| ArgumentsHash::of(self.arguments()))
    }

    /// The tool, if the name was known when the call came.
    pub fn definition(&self) -> Option<&ToolDefinition> {
        self.0.definition.as_ref()
    }

    /// The token by which the caller cancels; it never fires where the caller has none.
    pub fn cancellation(&self) -> &CancellationToken {
        self.0.cancellation.get_or_init(CancellationToken::new)
    }

    /// Whether the caller has cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancellation.get().is_some_and(CancellationToken::is_cancelled)
    }

    /// A token that fires when the caller cancels, and may be cancelled by itself.
    pub(crate) fn child_token(&self) -> CancellationToken {
        let caller = self.0.cancellation.get();
        caller.map_or_else(CancellationToken::new, CancellationToken::child_token)
    }

    /// The identity of this execution.
    pub fn token(&self) -> CallToken {
        self.0.token
    }

    pub(crate) fn call(&self) -> &ToolCall {
        &self.0.call
    }

    pub(crate) fn options(&self) -> &CallOptions {
        &self.0.options
    }

    pub(crate) fn start_body(&self) {
        self.0.body_started.store(true, Ordering::Relaxed);
    }

    pub(crate) fn body_started(&self) -> bool {
        self.0.body_started.load(Ordering::Relaxed)
    }

    /// A run inside a wrapper begins: what one that failed before it left behind is dropped.
    pub(crate) fn begin_run(&self) {
        if self.0.failed.swap(false, Ordering::Relaxed) {
            self.0.concluded.store(false, Ordering::Relaxed);
            drop(self.take_deferred());
        }
    }

    pub(crate) fn end_run(&self, succeeded: bool) {
        self.0.failed.store(!succeeded, Ordering::Relaxed);
    }

    pub(crate) fn conclude(&self) {
        self.0.concluded.store(true, Ordering::Relaxed);
    }

    pub(crate) fn concluded(&self) -> bool {
        self.0.concluded.load(Ordering::Relaxed)
    }

    pub(crate) fn defer(&self, context: Context) {
        self.0.deferred.lock().unwrap_or_else(PoisonError::into_inner).push(context);
    }

    pub(crate) fn take_deferred(&self) -> Vec<Context> {
        std::mem::take(&mut *self.0.deferred.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl CallToken {
    pub(crate) fn number(self) -> u64 {
        self.0
    }
}

/// Arguments are left out, since they may hold secrets.
impl fmt::Debug for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution")
            .field("call_id", &self.call_id())
            .field("name", &self.name())
            .field("agent", &self.agent())
            .field("token", &self.token())
            .finish_non_exhaustive()
    }
}
