//! Whether a tool is offered in a model step.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::BoxFuture;
use crate::model::ToolResult;
use crate::registry::Scope;

/// Decides whether a tool is offered in a model step.
///
/// It is asked once a step, and has to look at the token if it takes its time. Functions and
/// closures of a [`ConditionContext`] that give a future implement it.
///
/// ```
/// use dsh_tools::ToolResult;
/// use dsh_tools::hooks::ConditionContext;
///
/// async fn with_large_models(cx: ConditionContext) -> ToolResult<bool> {
///     Ok(cx.model().model.contains("large"))
/// }
/// ```
pub trait Condition: Send + Sync + 'static {
    /// Whether the tool is offered.
    ///
    /// # Errors
    /// The step fails with `TOOL_ACTIVATION_FAILED`; an error is never taken for a no.
    fn holds<'a>(&'a self, cx: &'a ConditionContext) -> BoxFuture<'a, ToolResult<bool>>;
}

impl<F, Fut> Condition for F
where
    F: Fn(ConditionContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ToolResult<bool>> + Send + 'static,
{
    fn holds<'a>(&'a self, cx: &'a ConditionContext) -> BoxFuture<'a, ToolResult<bool>> {
        Box::pin(self(cx.clone()))
    }
}

/// The step in which a condition is asked. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ConditionContext {
    scope: Option<Scope>,
    model: Arc<ModelSelection>,
    cancellation: CancellationToken,
}

/// The model of a step, chosen once for all its requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelSelection {
    /// Who serves it.
    pub provider: String,
    /// Which one.
    pub model: String,
    /// How hard it is asked to think, in the provider's words, if that was chosen.
    pub reasoning_effort: Option<String>,
}

impl ConditionContext {
    pub(crate) fn new(
        scope: Option<Scope>,
        model: ModelSelection,
        cancellation: CancellationToken,
    ) -> Self {
        Self { scope, model: Arc::new(model), cancellation }
    }

    /// The scope whose step it is, if it is that of one.
    pub fn scope(&self) -> Option<&Scope> {
        self.scope.as_ref()
    }

    /// The model of the step.
    pub fn model(&self) -> &ModelSelection {
        &self.model
    }

    /// Fires when the answer is no longer wanted.
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }
}
