//! The span of a call, with the names of OpenTelemetry's conventions for generative AI.
//!
//! The pipeline opens one around wrappers and body of every call that policy let through. What may
//! hold private data is left empty; [`Trace`](crate::around::Trace) fills it in.

use tracing::Span;
use tracing::field::Empty;

use crate::execution::Execution;
use crate::model::{CallResult, ErrorCode, ToolError};

/// What the conventions call the running of a tool.
const OPERATION: &str = "execute_tool";

/// The kind of tool that runs in the process of the agent.
pub(crate) const TOOL_TYPE: &str = "function";

/// What stands for a name or an error that the conventions have no word for.
pub(crate) const OTHER: &str = "_OTHER";

/// Opens the span of a call. Nothing is formatted when nobody listens.
pub(crate) fn open(execution: &Execution) -> Span {
    tracing::info_span!(
        target: "dsh_tools",
        OPERATION,
        "otel.name" = name(execution),
        "otel.kind" = "internal",
        "otel.status_code" = Empty,
        "gen_ai.operation.name" = OPERATION,
        "gen_ai.tool.name" = execution.name(),
        "gen_ai.tool.type" = TOOL_TYPE,
        "gen_ai.tool.description" = Empty,
        "gen_ai.tool.call.id" = execution.call_id(),
        "gen_ai.tool.call.arguments" = Empty,
        "gen_ai.tool.call.result" = Empty,
        "gen_ai.agent.name" = execution.agent(),
        "error.type" = Empty,
    )
}

/// Records what wrappers and body came to.
pub(crate) fn close(span: &Span, result: &CallResult) {
    if let Some(error) = result.error() {
        span.record("otel.status_code", "ERROR").record("error.type", error_type(error));
    }
}

/// The class of an error: its code. Messages are left out, as there is no end of them.
pub(crate) fn error_type(error: &ToolError) -> &str {
    error.code().map_or(OTHER, ErrorCode::as_str)
}

/// Names that a model makes up stay out of the name of the span: there is no end of them either.
fn name(execution: &Execution) -> String {
    match execution.definition() {
        Some(definition) => format!("{OPERATION} {}", definition.name()),
        None => OPERATION.to_owned(),
    }
}
