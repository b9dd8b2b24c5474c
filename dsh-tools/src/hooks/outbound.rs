//! Changes a result on its way out, when everything else has been said about it.

use super::BoxFuture;
use crate::execution::Execution;
use crate::model::{CallResult, ToolResult};

/// Changes a result when it is as good as final: the host has the last word about what goes out.
///
/// It sees every result, also those that post-execute hooks never see (of a hook that failed, of
/// arguments that could not be read), after the tool has finalized its content. What it makes of a
/// result is what the caller, the model, observers and the session log get. The hooks run one after
/// the other, each on what the one before it made; a failure of one is the result for those after it.
///
/// The wrappers of [`around`](crate::around) have a counterpart here: [`outbound`](crate::outbound)
/// has the hooks we ship.
pub trait Outbound: Send + Sync + 'static {
    /// The result that goes out instead; none lets it out as it is.
    ///
    /// # Errors
    /// The call fails with the error: a hook that breaks lets nothing out.
    fn outbound<'a>(
        &'a self,
        execution: &'a Execution,
        result: &'a CallResult,
    ) -> BoxFuture<'a, ToolResult<Option<CallResult>>>;

    /// When it runs among hooks of its kind. Default: [`OutboundPhase::Change`].
    ///
    /// Asked once, when the hook is added.
    fn phase(&self) -> OutboundPhase {
        OutboundPhase::Change
    }
}

/// When an outbound hook runs, whatever the order in which hooks were added.
///
/// Within a phase they run in the order in which they were added, whatever their scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum OutboundPhase {
    /// First: changes, which may still add anything.
    #[default]
    Change,
    /// Then: takes out what nobody may see.
    Redact,
    /// Last: fits what is left to a limit, and may keep the whole of it elsewhere.
    Limit,
}

impl<F> Outbound for F
where
    F: for<'a> Fn(&'a Execution, &'a CallResult) -> BoxFuture<'a, ToolResult<Option<CallResult>>>
        + Send
        + Sync
        + 'static,
{
    fn outbound<'a>(
        &'a self,
        execution: &'a Execution,
        result: &'a CallResult,
    ) -> BoxFuture<'a, ToolResult<Option<CallResult>>> {
        self(execution, result)
    }
}

/// A hook from a closure; without it the compiler does not infer the lifetimes.
///
/// ```
/// use dsh_tools::hooks::outbound_fn;
///
/// let signed = outbound_fn(|_execution, result| {
///     let content = format!("{}\n-- the host", result.content());
///     Box::pin(async move { Ok(Some(result.clone().with_content(content))) })
/// });
/// # let _ = dsh_tools::ToolRegistry::builder().outbound("signed", signed);
/// ```
pub fn outbound_fn<F>(hook: F) -> F
where
    F: for<'a> Fn(&'a Execution, &'a CallResult) -> BoxFuture<'a, ToolResult<Option<CallResult>>>
        + Send
        + Sync
        + 'static,
{
    hook
}
