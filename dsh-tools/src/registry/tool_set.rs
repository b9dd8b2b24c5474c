//! The tools of one model step: which registrations were shown, and so may be called.

use std::collections::HashMap;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::Poll;

use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::entries::{Entry, Id};
use super::layer::ScopeId;
use super::scope::WeakScope;
use super::snapshot::Snapshot;
use super::{Scope, Shared, ToolRegistry};
use crate::definition::ToolDefinition;
use crate::hooks::{Condition, ConditionContext, ModelSelection};
use crate::model::{ErrorCode, ToolError};
use crate::panic::catch_future;

/// What is known of a model step before its tools are resolved.
#[derive(Clone, Debug, Default)]
pub struct Step {
    model: ModelSelection,
    cancellation: CancellationToken,
}

impl Step {
    /// A step with this model, which nobody cancels.
    pub fn new(model: ModelSelection) -> Self {
        Self { model, cancellation: CancellationToken::new() }
    }

    /// Sets the token that cancels the step.
    #[must_use]
    pub fn with_cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = cancellation;
        self
    }
}

/// Why the tools of a step could not be resolved.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResolveError {
    /// The step was cancelled.
    #[error("tool resolution was cancelled")]
    Cancelled,
    /// A condition failed; of several that of the first tool.
    #[error("tool \"{tool}\" activation failed: {error}")]
    ActivationFailed {
        /// The tool.
        tool: String,
        /// What its condition said.
        error: ToolError,
    },
}

impl ResolveError {
    /// The code of the error; a cancelled step has none.
    pub fn code(&self) -> Option<ErrorCode> {
        match self {
            Self::Cancelled => None,
            Self::ActivationFailed { .. } => Some(ErrorCode::ToolActivationFailed),
        }
    }
}

/// The tools of one model step.
///
/// It admits exactly the registrations that were visible, and whose conditions held, when it was
/// resolved, for as long as each is the one that its scope sees. Give it to the calls of the step
/// ([`CallOptions::with_tool_set`](crate::CallOptions::with_tool_set)), and [dispose](Self::dispose)
/// of it when they are done. A handle: clones are the same set. It keeps no tool alive.
#[derive(Clone)]
pub struct ResolvedToolSet(Arc<Parts>);

struct Parts {
    registry: Weak<Shared>,
    scope: Option<WeakScope>,
    id: ScopeId,
    admitted: HashMap<String, Id>,
    disposed: AtomicBool,
}

impl ResolvedToolSet {
    /// The tool of this name, if the set admits it now.
    pub fn get(&self, name: &str) -> Option<ToolDefinition> {
        self.admit(&*self.snapshot()?, name).cloned()
    }

    /// The tools it admits now, in the order in which its scope sees them.
    pub fn definitions(&self) -> Vec<ToolDefinition> {
        self.entries(|entry| entry.definition.clone())
    }

    /// The tools it admits now as a model is told of them, in the same order.
    pub fn schemas(&self) -> Vec<Arc<Value>> {
        self.entries(|entry| entry.definition.json())
    }

    /// Ends the set: from now on it admits nothing. Calls that have started are not affected.
    pub fn dispose(&self) {
        self.0.disposed.store(true, Ordering::Release);
    }

    /// Whether it was disposed of.
    pub fn is_disposed(&self) -> bool {
        self.0.disposed.load(Ordering::Acquire)
    }

    /// The tool of this name for a call made for a scope, in what that scope sees now.
    pub(crate) fn executable(
        &self,
        scope: Option<&Scope>,
        snapshot: &Snapshot,
        name: &str,
    ) -> Option<ToolDefinition> {
        if ScopeId::of(scope) == self.0.id { self.admit(snapshot, name).cloned() } else { None }
    }

    fn admit<'v>(&self, snapshot: &'v Snapshot, name: &str) -> Option<&'v ToolDefinition> {
        let id = self.0.admitted.get(name)?;
        let admitted = !self.is_disposed() && snapshot.is_registered(name, *id);
        if admitted { snapshot.get(name) } else { None }
    }

    fn entries<T>(&self, of: impl Fn(&Entry) -> T) -> Vec<T> {
        let Some(snapshot) = self.snapshot() else { return Vec::new() };
        let admitted = |name: &str| self.admit(&snapshot, name).is_some();
        snapshot
            .entries()
            .iter()
            .filter(|entry| admitted(entry.name()))
            .map(|entry| of(entry))
            .collect()
    }

    fn snapshot(&self) -> Option<Arc<Snapshot>> {
        let registry = ToolRegistry(self.0.registry.upgrade()?);
        match &self.0.scope {
            None => Some(registry.snapshot()),
            Some(scope) => Some(scope.upgrade(&registry)?.snapshot()),
        }
    }
}

/// Evaluates the conditions of what a scope sees; all are awaited, whatever the others say.
pub(super) async fn resolve(
    registry: &ToolRegistry,
    scope: Option<&Scope>,
    step: Step,
) -> Result<ResolvedToolSet, ResolveError> {
    if step.cancellation.is_cancelled() {
        return Err(ResolveError::Cancelled);
    }
    let snapshot = registry.snapshot_for(scope);
    let Step { model, cancellation } = step;
    let cx = ConditionContext::new(scope.cloned(), model, cancellation.clone());
    let answers = join_all(snapshot.entries().iter().map(|entry| {
        let condition = entry.definition.condition().cloned();
        evaluate(condition, cx.clone())
    }))
    .await;
    if cancellation.is_cancelled() {
        return Err(ResolveError::Cancelled);
    }
    let mut admitted = HashMap::new();
    for (entry, answer) in snapshot.entries().iter().zip(answers) {
        match answer {
            Ok(true) => drop(admitted.insert(entry.name().to_owned(), entry.id)),
            Ok(false) => {}
            Err(error) => {
                let tool = entry.name().to_owned();
                return Err(ResolveError::ActivationFailed { tool, error });
            }
        }
    }
    Ok(ResolvedToolSet(Arc::new(Parts {
        registry: Arc::downgrade(&registry.0),
        scope: scope.map(Scope::downgrade),
        id: ScopeId::of(scope),
        admitted,
        disposed: AtomicBool::new(false),
    })))
}

async fn evaluate(
    condition: Option<Arc<dyn Condition>>,
    cx: ConditionContext,
) -> Result<bool, ToolError> {
    let Some(condition) = condition else { return Ok(true) };
    catch_future("a condition", || condition.holds(&cx)).await.and_then(|answer| answer)
}

/// Polls all futures until each has given its answer.
async fn join_all<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.into_iter().map(|f| (Box::pin(f), None)).collect();
    poll_fn(|cx| {
        let mut pending = false;
        for (future, answer) in &mut futures {
            if answer.is_none() {
                match future.as_mut().poll(cx) {
                    Poll::Ready(output) => *answer = Some(output),
                    Poll::Pending => pending = true,
                }
            }
        }
        if pending { Poll::Pending } else { Poll::Ready(()) }
    })
    .await;
    futures.into_iter().filter_map(|(_, answer)| answer).collect()
}

impl fmt::Debug for ResolvedToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.0.admitted.keys().collect();
        names.sort_unstable();
        f.debug_struct("ResolvedToolSet")
            .field("admitted", &names)
            .field("disposed", &self.is_disposed())
            .finish_non_exhaustive()
    }
}
