//! Decides before a call runs: allow, deny, or ask.

use std::borrow::Cow;

use tokio::time::Instant;

use super::{BoxFuture, Named};
use crate::execution::Execution;
use crate::model::{ErrorInfo, ToolResult};
use crate::panic::catch_future;
use crate::record::{Recorder, Stage};

/// Decides whether a call may run; may let the hooks after it decide.
///
/// ```
/// use dsh_tools::hooks::{BoxFuture, PreDecision, PreExecute, PreNext};
/// use dsh_tools::{Execution, ToolResult};
///
/// struct AskBeforeDestroying;
///
/// impl PreExecute for AskBeforeDestroying {
///     fn pre_execute<'a>(
///         &'a self,
///         execution: &'a Execution,
///         next: PreNext<'a>,
///     ) -> BoxFuture<'a, ToolResult<PreDecision>> {
///         let destroys = execution.definition().is_some_and(|d| d.annotations().is_destructive());
///         Box::pin(async move {
///             if destroys { Ok(PreDecision::ask("it cannot be undone")) } else { next.run().await }
///         })
///     }
/// }
/// ```
pub trait PreExecute: Send + Sync + 'static {
    /// Decides; `next.run()` is what the hooks after this one decide, in the end *allow*.
    ///
    /// # Errors
    /// The call fails with the error and does not run.
    fn pre_execute<'a>(
        &'a self,
        execution: &'a Execution,
        next: PreNext<'a>,
    ) -> BoxFuture<'a, ToolResult<PreDecision>>;
}

impl<F> PreExecute for F
where
    F: for<'a> Fn(&'a Execution, PreNext<'a>) -> BoxFuture<'a, ToolResult<PreDecision>>
        + Send
        + Sync
        + 'static,
{
    fn pre_execute<'a>(
        &'a self,
        execution: &'a Execution,
        next: PreNext<'a>,
    ) -> BoxFuture<'a, ToolResult<PreDecision>> {
        self(execution, next)
    }
}

/// A hook from a closure; without it the compiler does not infer the lifetimes.
///
/// ```
/// use dsh_tools::hooks::{PreDecision, pre_execute_fn};
///
/// let lunch = pre_execute_fn(|_execution, _next| {
///     Box::pin(async { Ok(PreDecision::deny("come back after lunch")) })
/// });
/// # let _ = dsh_tools::ToolRegistry::builder().pre_execute("lunch", lunch);
/// ```
pub fn pre_execute_fn<F>(hook: F) -> F
where
    F: for<'a> Fn(&'a Execution, PreNext<'a>) -> BoxFuture<'a, ToolResult<PreDecision>>
        + Send
        + Sync
        + 'static,
{
    hook
}

/// What is decided before a call runs.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PreDecision {
    /// The call may run, unless a guard denies it.
    Allow,
    /// The call may not run.
    Deny {
        /// What the model is told.
        reason: String,
        /// What is recorded beside it.
        info: Option<ErrorInfo>,
    },
    /// Somebody has to say yes first.
    Ask {
        /// Why, for whoever is asked.
        reason: Option<String>,
    },
    /// The call counts as cancelled.
    Cancel,
}

impl PreDecision {
    /// A denial with a reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Self::Deny { reason: reason.into(), info: None }
    }

    /// A question with a reason.
    pub fn ask(reason: impl Into<String>) -> Self {
        Self::Ask { reason: Some(reason.into()) }
    }

    pub(crate) fn describe(&self) -> Cow<'static, str> {
        match self {
            Self::Allow => "allow".into(),
            Self::Deny { reason, .. } => format!("deny: {reason}").into(),
            Self::Ask { reason: Some(reason) } => format!("ask: {reason}").into(),
            Self::Ask { reason: None } => "ask".into(),
            Self::Cancel => "cancel".into(),
        }
    }
}

/// The hooks after the one that holds it.
pub struct PreNext<'a> {
    pub(crate) rest: &'a [Named<dyn PreExecute>],
    pub(crate) execution: &'a Execution,
    pub(crate) recorder: &'a Recorder,
}

impl<'a> PreNext<'a> {
    /// Asks the hooks after this one; the last word is *allow*.
    ///
    /// # Errors
    /// The error or panic of a hook; passing it on is right.
    pub fn run(self) -> BoxFuture<'a, ToolResult<PreDecision>> {
        Box::pin(async move {
            let Some((first, rest)) = self.rest.split_first() else {
                return Ok(PreDecision::Allow);
            };
            let started = Instant::now();
            let next = PreNext { rest, ..self };
            let decision =
                catch_future("a policy hook", || first.hook.pre_execute(self.execution, next))
                    .await
                    .and_then(|decision| decision);
            self.recorder.add(Stage::PreExecute, &first.name, started, || match &decision {
                Ok(decision) => decision.describe(),
                Err(error) => format!("failed: {error}").into(),
            });
            decision
        })
    }
}

impl std::fmt::Debug for PreNext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PreNext({} hooks)", self.rest.len())
    }
}
