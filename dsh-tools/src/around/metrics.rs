//! How long calls take, as OpenTelemetry's histogram of it.

use opentelemetry::metrics::{Histogram, Meter};
use opentelemetry::{KeyValue, global};
use tokio::time::Instant;

use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ToolResult};
use crate::span::{OTHER, TOOL_TYPE, error_type};

/// The upper bounds of the histogram, in seconds, that the conventions advise.
const BOUNDARIES: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// Records the duration of each call in the histogram `gen_ai.execute_tool.duration`.
///
/// The unit is `s`. The attributes are those of OpenTelemetry's conventions for generative AI:
/// `gen_ai.tool.name`, `gen_ai.tool.type` (`function`), `gen_ai.agent.name` if the call is on
/// anyone's behalf, and on failure `error.type`, the [code](crate::ErrorCode) of the error or
/// `_OTHER`. A name that no tool has counts as `_OTHER`, as there is no end of what models make up.
///
/// Mount it before other wrappers: it times what is inside it. A call that policy kept from running
/// is not counted.
///
/// ```
/// use dsh_tools::{ToolRegistry, around::Metrics};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let meter = opentelemetry::global::meter("my-agent");
/// let registry = ToolRegistry::builder().around("metrics", Metrics::new(&meter)).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Metrics {
    duration: Histogram<f64>,
}

impl Metrics {
    /// Records with an instrument of this meter.
    pub fn new(meter: &Meter) -> Self {
        let duration = meter
            .f64_histogram("gen_ai.execute_tool.duration")
            .with_description("The duration of a single tool execution.")
            .with_unit("s")
            .with_boundaries(BOUNDARIES.to_vec())
            .build();
        Self { duration }
    }
}

/// Records with the global meter provider as it is now; set that first.
impl Default for Metrics {
    fn default() -> Self {
        Self::new(&global::meter("dsh-tools"))
    }
}

impl Around for Metrics {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        Box::pin(async move {
            let started = Instant::now();
            let result = next.run().await;
            let took = started.elapsed();
            self.duration.record(took.as_secs_f64(), &attributes(execution, &result));
            result
        })
    }
}

fn attributes(execution: &Execution, result: &ToolResult<CallResult>) -> Vec<KeyValue> {
    let name = execution.definition().map_or(OTHER, |definition| definition.name());
    let mut attributes = vec![
        KeyValue::new("gen_ai.tool.name", name.to_owned()),
        KeyValue::new("gen_ai.tool.type", TOOL_TYPE),
    ];
    if let Some(agent) = execution.agent() {
        attributes.push(KeyValue::new("gen_ai.agent.name", agent.to_owned()));
    }
    let error = match result {
        Ok(result) => result.error(),
        Err(error) => Some(error),
    };
    if let Some(error) = error {
        attributes.push(KeyValue::new("error.type", error_type(error).to_owned()));
    }
    attributes
}
