//! How tools are offered to a model, and how the calls of a step run.

use std::sync::Arc;

use serde_json::Value;

use super::BoxFuture;
use crate::definition::ToolDefinition;
use crate::executor::{Batch, BatchOutcome, ExecutorError};
use crate::model::ToolResult;
use crate::registry::ToolRegistry;

/// Decides how tools are offered to a model, and how the calls of one model step run.
///
/// Mounted in a registry or in a scope; of those that a scope sees, the nearest is used.
/// [`NativeExecutor`](crate::NativeExecutor) offers and calls every tool directly. An executor of your own
/// calls tools through [`ToolRegistry::execute`] or its stages, which are the same for everybody.
///
/// ```
/// use dsh_tools::hooks::{BoxFuture, Offer, ToolExecutor};
/// use dsh_tools::{Batch, BatchOutcome, ExecutorError, NativeExecutor, ToolDefinition};
/// use dsh_tools::{ToolRegistry, ToolResult};
///
/// /// Offers only what changes nothing.
/// struct ReadOnly(NativeExecutor);
///
/// impl ToolExecutor for ReadOnly {
///     fn describe(&self, tools: &[ToolDefinition]) -> ToolResult<Offer> {
///         let harmless = |tool: &&ToolDefinition| tool.annotations().read_only == Some(true);
///         self.0.describe(&tools.iter().filter(harmless).cloned().collect::<Vec<_>>())
///     }
///
///     fn execute<'a>(
///         &'a self,
///         registry: &'a ToolRegistry,
///         batch: Batch,
///     ) -> BoxFuture<'a, Result<BatchOutcome, ExecutorError>> {
///         self.0.execute(registry, batch)
///     }
/// }
/// ```
pub trait ToolExecutor: Send + Sync + 'static {
    /// What a model is told of these tools, which are all that may be called.
    ///
    /// It says what is offered, and changes nothing about what can be executed.
    ///
    /// # Errors
    /// The tools cannot be offered; the step is not made then.
    fn describe(&self, tools: &[ToolDefinition]) -> ToolResult<Offer>;

    /// Runs the calls of one step and gives one result for each, in call order.
    ///
    /// # Errors
    /// The executor itself broke. What becomes of a call is a result and no error.
    fn execute<'a>(
        &'a self,
        registry: &'a ToolRegistry,
        batch: Batch,
    ) -> BoxFuture<'a, Result<BatchOutcome, ExecutorError>>;
}

/// What an executor contributes to a prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offer {
    /// The tools that the model may call, each as name, description and parameters.
    pub schemas: Vec<Arc<Value>>,
    /// The names that an order of tools may name.
    pub names: Vec<String>,
    /// Text for the system prompt, a section each.
    pub sections: Vec<String>,
}
