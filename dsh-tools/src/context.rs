//! What a body is given beside its arguments, and what a call may be given by its caller.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::definition::ToolDefinition;
use crate::execution::{CallToken, Execution};
use crate::log::SessionLog;
use crate::model::{Content, Context, ToolError};
use crate::registry::{ResolvedToolSet, Scope, Snapshot, ToolRegistry};
use crate::state::StateType;

/// One call from the inside: identity, cancellation, progress, the host's state.
///
/// A body takes `&ToolContext` as a parameter; a model never sees it.
#[derive(Clone, Debug)]
pub struct ToolContext {
    pub(crate) execution: Execution,
    pub(crate) cancellation: CancellationToken,
    /// Tokens of wrappers, which are passed on to the one above as soon as they are polled.
    pub(crate) signals: Vec<CancellationToken>,
    pub(crate) registry: ToolRegistry,
    pub(crate) timeout: Option<Duration>,
    pub(crate) started: Instant,
}

impl ToolContext {
    /// Identity of this call.
    pub fn call_id(&self) -> &str {
        self.execution.call_id()
    }

    /// The call of the model that this call serves; its own id when it is that call.
    pub fn root_call_id(&self) -> &str {
        self.execution.root_call_id()
    }

    /// Whether another call made this one.
    pub fn is_nested(&self) -> bool {
        self.execution.parent().is_some()
    }

    /// The name of the tool that was called.
    pub fn tool_name(&self) -> &str {
        self.execution.name()
    }

    /// On whose behalf the call is made, if on anyone's.
    pub fn agent(&self) -> Option<&str> {
        self.execution.agent()
    }

    /// Fires when the call should end: the caller cancelled it, or a wrapper's time is up.
    ///
    /// A body that holds work open should select on it; it is given the time to settle.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// Whether the call should end.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled() || self.signals.iter().any(CancellationToken::is_cancelled)
    }

    /// Waits until the call should end.
    ///
    /// # Cancel safety
    /// Yes: nothing is lost when the future is dropped.
    pub async fn cancelled(&self) {
        self.cancellation.cancelled().await;
    }

    /// When the declared timeout of the tool passes; none is declared by default.
    ///
    /// It is only enforced where the host mounts [`Timeout`](crate::around::Timeout).
    pub fn deadline(&self) -> Option<Instant> {
        self.timeout.map(|timeout| self.started + timeout)
    }

    /// Reports how far the call is, to whoever listens.
    ///
    /// Cheap when nobody does. Never part of the result.
    pub fn progress(&self, progress: impl Into<Progress>) {
        if let Some(listener) = &self.execution.options().progress {
            listener(&self.execution, progress.into());
        }
    }

    /// Adds a message that follows the result of this call, also if the call fails.
    pub fn defer_context(&self, content: impl Into<Content>) {
        let source = format!("tool:{}", self.tool_name());
        self.execution.defer(Context { source, content: content.into() });
    }

    /// Adds messages of another result, as a tool does that answers with what it called.
    ///
    /// Nothing of a nested call reaches the conversation by itself.
    pub fn forward_contexts(&self, contexts: impl IntoIterator<Item = Context>) {
        contexts.into_iter().for_each(|context| self.execution.defer(context));
    }

    /// Ends the turn of the agent with this call, if it succeeds.
    pub fn conclude_turn(&self) {
        self.execution.conclude();
    }

    /// A value of the host by its type, if the host supplied one.
    ///
    /// A [`State<T>`](crate::State) parameter is better where the tool cannot do without: its
    /// absence shows when the registry is built.
    pub fn shared_state<T: Send + Sync + 'static>(&self) -> Option<Arc<T>> {
        self.registry.state().get()
    }

    /// The registry that runs this call, for calls made under it.
    pub fn registry(&self) -> &ToolRegistry {
        &self.registry
    }

    /// The identity of this call, for calls made under it.
    pub fn token(&self) -> CallToken {
        self.execution.token()
    }
}

/// A parameter of a body that comes from the call, not from the model.
///
/// [`ToolContext`] by reference, [`State`](crate::State) and [`CancellationToken`] implement it. Implement it for
/// a type of your own to hand bodies a typed view of the call, the identity of a user for example.
///
/// ```
/// use dsh_tools::prelude::*;
/// use dsh_tools::FromContext;
///
/// struct CalledBy(Option<String>);
///
/// impl FromContext<'_> for CalledBy {
///     fn from_context(cx: &ToolContext) -> ToolResult<Self> {
///         Ok(Self(cx.agent().map(str::to_owned)))
///     }
/// }
///
/// /// Says who calls.
/// #[tool(register = false)]
/// fn who(caller: CalledBy) -> String {
///     caller.0.unwrap_or_else(|| "nobody".into())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not something that a tool can take here",
    label = "neither the argument struct nor part of the call",
    note = "a tool takes one argument struct, as its first parameter; what follows comes from the \
            call: `&ToolContext`, `State<T>`, or a type that implements `FromContext`",
    note = "to take arguments one by one, mark each: `#[arg] limit: u64`"
)]
pub trait FromContext<'c>: Sized {
    /// The state this parameter needs the host to supply. Default: none.
    fn state() -> Option<StateType> {
        None
    }

    /// Makes the parameter for one call.
    ///
    /// # Errors
    /// The call fails with this error and the body does not run.
    fn from_context(cx: &'c ToolContext) -> Result<Self, ToolError>;
}

#[diagnostic::do_not_recommend]
impl<'c> FromContext<'c> for &'c ToolContext {
    fn from_context(cx: &'c ToolContext) -> Result<Self, ToolError> {
        Ok(cx)
    }
}

#[diagnostic::do_not_recommend]
impl FromContext<'_> for CancellationToken {
    fn from_context(cx: &ToolContext) -> Result<Self, ToolError> {
        Ok(cx.cancellation.clone())
    }
}

/// How far a call is (MCP 2025-11-25, `notifications/progress`).
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Progress {
    /// How much is done, in the tool's own unit, if that is known.
    pub done: Option<f64>,
    /// How much there is to do, if that is known.
    pub total: Option<f64>,
    /// What is going on.
    pub message: Option<String>,
}

impl Progress {
    /// So much of so much.
    pub fn of(done: f64, total: f64) -> Self {
        Self { done: Some(done), total: Some(total), message: None }
    }

    /// Adds what is going on.
    #[must_use]
    pub fn with_message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

impl From<&str> for Progress {
    fn from(message: &str) -> Self {
        Self::default().with_message(message)
    }
}

impl From<String> for Progress {
    fn from(message: String) -> Self {
        Self::default().with_message(message)
    }
}

/// Receives the progress of calls.
pub(crate) type ProgressListener = Arc<dyn Fn(&Execution, Progress) + Send + Sync>;

/// What a caller says about a call, or about each call of a batch.
///
/// Default: for no agent, never cancelled, not nested, progress unheard, not logged.
#[derive(Clone, Default)]
pub struct CallOptions {
    pub(crate) scope: Option<Scope>,
    pub(crate) tool_set: Option<ResolvedToolSet>,
    pub(crate) cancellation: Option<CancellationToken>,
    pub(crate) parent: Option<(CallToken, Arc<str>)>,
    pub(crate) progress: Option<ProgressListener>,
    pub(crate) log: Option<Arc<dyn SessionLog>>,
    /// How a model may call tools, where an executor says so.
    pub(crate) direct: Direct,
}

/// How a model may call tools by itself.
#[derive(Clone, Default)]
pub(crate) enum Direct {
    /// As they are.
    #[default]
    Any,
    /// Only this one, which is no registered tool; it calls the others.
    #[cfg_attr(not(feature = "ptc"), expect(dead_code, reason = "only programs need it"))]
    Only(ToolDefinition),
}

impl CallOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the call for an agent: with the tools and the policy of its scope.
    ///
    /// An approval is asked of this agent; a call for nobody gets none.
    #[must_use]
    pub fn with_scope(mut self, scope: &Scope) -> Self {
        self.scope = Some(scope.clone());
        self
    }

    /// Admits only the tools of a model step.
    #[must_use]
    pub fn with_tool_set(mut self, tool_set: &ResolvedToolSet) -> Self {
        self.tool_set = Some(tool_set.clone());
        self
    }

    /// Sets the token by which the caller cancels. Default: none, so nobody cancels.
    #[must_use]
    pub fn with_cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = Some(cancellation);
        self
    }

    /// Makes the call a nested one of the call whose body has this context.
    ///
    /// It takes over scope, tool set, cancellation and root call.
    #[must_use]
    pub fn nested_in(mut self, cx: &ToolContext) -> Self {
        let outer = cx.execution.options();
        self.scope.clone_from(&outer.scope);
        self.tool_set.clone_from(&outer.tool_set);
        self.cancellation = Some(cx.cancellation.clone());
        self.parent = Some((cx.token(), cx.root_call_id().into()));
        self
    }

    /// Sets who hears of progress.
    #[must_use]
    pub fn with_progress(
        mut self,
        listener: impl Fn(&Execution, Progress) + Send + Sync + 'static,
    ) -> Self {
        self.progress = Some(Arc::new(listener));
        self
    }

    /// Sets the log of the session that the call belongs to. See [`log`](crate::log).
    #[must_use]
    pub fn with_log(mut self, log: Arc<dyn SessionLog>) -> Self {
        self.log = Some(log);
        self
    }

    /// The token by which the caller cancels, if there is one.
    pub fn cancellation(&self) -> Option<&CancellationToken> {
        self.cancellation.as_ref()
    }

    /// A token that fires when the caller cancels, and may be cancelled by itself.
    pub(crate) fn child_token(&self) -> CancellationToken {
        self.cancellation().map_or_else(CancellationToken::new, CancellationToken::child_token)
    }

    /// The scope for which calls are made, if for one.
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// The tool that runs under a name: one of the tool set, or one without a condition.
    pub(crate) fn executable(&self, snapshot: &Snapshot, name: &str) -> Option<ToolDefinition> {
        if let Direct::Only(tool) = &self.direct
            && tool.name() == name
        {
            return Some(tool.clone());
        }
        match &self.tool_set {
            Some(tool_set) => tool_set.executable(self.scope.as_ref(), snapshot, name),
            None => snapshot.executable(name).cloned(),
        }
    }
}

impl fmt::Debug for CallOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallOptions")
            .field("scope", &self.scope)
            .field("tool_set", &self.tool_set)
            .field("cancellation", &self.cancellation)
            .field("parent", &self.parent)
            .field("progress", &self.progress.is_some())
            .field("log", &self.log.is_some())
            .finish_non_exhaustive()
    }
}
