//! Adds to the span of a call what is left out by default.

use tracing::Span;

use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::json::to_text;
use crate::model::{CallResult, ToolResult};

/// Adds descriptions, arguments and results to the spans of calls.
///
/// The pipeline opens a `tracing` span around wrappers and body of every call by itself, so a host
/// mounts this only for what that span leaves out. Its target is `dsh_tools`, its level is *info*,
/// and its fields have the names of OpenTelemetry's conventions for generative AI, which
/// `tracing-opentelemetry` passes on:
///
/// | field | value | recorded |
/// |---|---|---|
/// | `otel.name` | `execute_tool` and the name of the tool, if there is such a tool | always |
/// | `otel.kind` | `internal` | always |
/// | `gen_ai.operation.name` | `execute_tool` | always |
/// | `gen_ai.tool.name` | the name that was called | always |
/// | `gen_ai.tool.type` | `function` | always |
/// | `gen_ai.tool.call.id` | the id of the call | always |
/// | `gen_ai.agent.name` | on whose behalf the call is made | if it is on anyone's |
/// | `otel.status_code` | `ERROR` | on failure |
/// | `error.type` | the [code](crate::ErrorCode) of the error, or `_OTHER` | on failure |
/// | `gen_ai.tool.description` | what the model is told of the tool | [`with_descriptions`] |
/// | `gen_ai.tool.call.arguments` | the arguments as they were sent | [`with_arguments`] |
/// | `gen_ai.tool.call.result` | the value of a success as JSON | [`with_results`] |
///
/// What the body logs is inside the span. A call that policy kept from running has no span.
///
/// **Arguments and results may hold secrets and personal data**, whole files for example, and
/// whoever can read the traces can read them. Results are recorded as they pass this wrapper:
/// post-execute hooks and [`Redact`](crate::outbound::Redact) come later.
///
/// ```
/// use dsh_tools::{ToolRegistry, around::Trace};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = ToolRegistry::builder()
///     .around("trace", Trace::new().with_arguments().with_results())
///     .build()?;
/// # Ok(())
/// # }
/// ```
///
/// [`with_descriptions`]: Self::with_descriptions
/// [`with_arguments`]: Self::with_arguments
/// [`with_results`]: Self::with_results
#[derive(Clone, Copy, Debug, Default)]
pub struct Trace {
    descriptions: bool,
    arguments: bool,
    results: bool,
}

impl Trace {
    /// Adds nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the model is told of the tool.
    #[must_use]
    pub fn with_descriptions(mut self) -> Self {
        self.descriptions = true;
        self
    }

    /// Adds the arguments, which may hold private data.
    #[must_use]
    pub fn with_arguments(mut self) -> Self {
        self.arguments = true;
        self
    }

    /// Adds the value of a success, which may hold private data.
    #[must_use]
    pub fn with_results(mut self) -> Self {
        self.results = true;
        self
    }

    fn before(self, span: &Span, execution: &Execution) {
        if let (true, Some(definition)) = (self.descriptions, execution.definition()) {
            span.record("gen_ai.tool.description", definition.description());
        }
        if self.arguments {
            span.record("gen_ai.tool.call.arguments", &*execution.raw_arguments().to_text());
        }
    }

    fn after(self, span: &Span, result: &CallResult) {
        if let (true, Some(value)) = (self.results, result.value()) {
            span.record("gen_ai.tool.call.result", to_text(value));
        }
    }
}

impl Around for Trace {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        let span = next.span();
        if span.is_disabled() {
            return next.run();
        }
        Box::pin(async move {
            self.before(span, execution);
            let result = next.run().await;
            if let Ok(result) = &result {
                self.after(span, result);
            }
            result
        })
    }
}
