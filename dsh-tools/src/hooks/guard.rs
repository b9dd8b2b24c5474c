//! Denies, or stays silent.

use crate::execution::Execution;
use crate::model::ToolResult;

/// May deny a call; can never allow one.
///
/// Guards run last, after approvals, and are synchronous. Closures implement this:
///
/// ```
/// use dsh_tools::ToolRegistry;
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = ToolRegistry::builder()
///     .guard("no secrets", |execution: &dsh_tools::Execution| {
///         let secret = execution.arguments().to_string().contains(".ssh");
///         Ok(secret.then(|| "keys are off limits".to_owned()))
///     })
///     .build()?;
/// # Ok(())
/// # }
/// ```
pub trait Guard: Send + Sync + 'static {
    /// The reason to deny the call, or none to stay silent.
    ///
    /// # Errors
    /// The call fails with the error and does not run.
    fn check(&self, execution: &Execution) -> ToolResult<Option<String>>;
}

impl<F> Guard for F
where
    F: Fn(&Execution) -> ToolResult<Option<String>> + Send + Sync + 'static,
{
    fn check(&self, execution: &Execution) -> ToolResult<Option<String>> {
        self(execution)
    }
}
