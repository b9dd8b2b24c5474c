//! The tool `run_code`, which no registry has: an executor hands it to the pipeline.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::runtime::{Budgets, CodeRuntime, TimeoutLimits};
use super::{output, run};
use crate::context::ToolContext;
use crate::definition::ToolDefinition;
use crate::model::{ToolError, ToolResult};
use crate::schema::{Property, ValueSchema};
use crate::view::{GenericCall, Kind};

/// The name of the tool.
pub(super) const NAME: &str = "run_code";

/// How programs are written, as a model is told.
pub(super) struct Flavor {
    print: &'static str,
    call: &'static str,
    returns: &'static str,
}

impl Flavor {
    /// That of a language.
    ///
    /// # Errors
    /// Nothing is known of the language.
    pub(super) fn of(language: &str) -> ToolResult<Self> {
        match language {
            "typescript" => Ok(Self {
                print: "`console.log`",
                call: "`await tools.name(args)`",
                returns: "`return`",
            }),
            "python" => Ok(Self {
                print: "`print(...)`",
                call: "`await tools.name(args)`",
                returns: "`return <value>`",
            }),
            other => Err(ToolError::new(format!(
                "no run_code schema flavor registered for runtime language \"{other}\" (known: \
                 \"typescript\", \"python\")"
            ))),
        }
    }
}

/// What the tool needs to run.
#[derive(Clone)]
pub(super) struct Parts {
    pub(super) runtime: Arc<dyn CodeRuntime>,
    pub(super) budgets: Budgets,
    pub(super) max_parallel: usize,
}

/// The tool. It calls the tools of the registry that runs it.
///
/// # Errors
/// Nothing is known of the language of the runtime.
pub(super) fn definition(parts: &Parts) -> ToolResult<ToolDefinition> {
    let flavor = Flavor::of(parts.runtime.language())?;
    let description = format!(
        "Run a program that calls the other tools. Both `description` and `code` are required. `code` is the \
         body of an async function, in which top-level await and {returns} work. Call a tool with {call}. Only \
         what is printed with {print} or returned with {returns} is output; all other results stay in the \
         program. Results that hold images are attached after the run.",
        returns = flavor.returns,
        call = flavor.call,
        print = flavor.print,
    );
    let parts_of_body = parts.clone();
    let body = move |arguments: Value, cx: ToolContext| {
        let parts = parts_of_body.clone();
        async move { run_code(&parts, &arguments, &cx).await }
    };
    let logs = ValueSchema::array(ValueSchema::string());
    let output = ValueSchema::object([
        Property::required("logs", logs),
        Property::optional("result", ValueSchema::json()),
    ]);
    Ok(ToolDefinition::from_fn(
        NAME,
        description,
        parameters(&flavor, parts.runtime.timeout()),
        body,
    )
    .with_output(output)
    .with_render(|_, value: &Value| {
        let logs = value["logs"].as_array().map(Vec::as_slice).unwrap_or_default();
        let logs: Vec<_> = logs.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        output::text(&logs, value.get("result"))
    })
    .with_call_view(|arguments: &Value| {
        let title = arguments["description"].as_str()?;
        let view = GenericCall::new(title).with_kind(Kind::Execute);
        Some(view.with_raw_input(arguments["code"].clone()))
    }))
}

fn parameters(flavor: &Flavor, timeout: Option<TimeoutLimits>) -> ValueSchema {
    let code = format!(
        "The body of an async function; top-level await and {} work. Call a tool with {}; give out data with \
         {} or {} only.",
        flavor.returns, flavor.call, flavor.print, flavor.returns,
    );
    let description =
        "What the program does, in active voice and 5 to 10 words. Give it before the code.";
    let mut properties = vec![
        Property::required("code", ValueSchema::string().with_description(code)),
        Property::required("description", ValueSchema::string().with_description(description)),
    ];
    if let Some(TimeoutLimits { default, max }) = timeout {
        let text = format!(
            "How long the program may take, in milliseconds; waiting for tools and approvals counts. \
             Default: {}, at most {}.",
            default.as_millis(),
            max.as_millis(),
        );
        properties
            .push(Property::optional("timeoutMs", ValueSchema::number().with_description(text)));
    }
    ValueSchema::object(properties).open()
}

async fn run_code(parts: &Parts, arguments: &Value, cx: &ToolContext) -> ToolResult<Value> {
    let description = arguments["description"].as_str().unwrap_or_default();
    if description.chars().all(|char| char.is_whitespace() || char == '\u{feff}') {
        return Err(ToolError::new("invalid description: expected a non-empty string"));
    }
    let budgets = match arguments.get("timeoutMs") {
        None => parts.budgets,
        Some(wanted) => parts.budgets.with_wall(wall(wanted, parts.runtime.timeout())?),
    };
    let source = arguments["code"].as_str().unwrap_or_default().to_owned();
    let outcome = run::run(&*parts.runtime, cx, source, budgets, parts.max_parallel).await?;
    run::result(outcome, budgets)
}

/// The time a program asks for, up to what it may get.
fn wall(wanted: &Value, limits: Option<TimeoutLimits>) -> ToolResult<Duration> {
    let Some(limits) = limits else {
        return Err(ToolError::new("timeoutMs is not available for this PTC runtime"));
    };
    let milliseconds = wanted.as_f64().filter(|wanted| wanted.is_finite() && *wanted > 0.0);
    let milliseconds = milliseconds
        .ok_or_else(|| ToolError::new("invalid timeoutMs: expected a positive finite number"))?;
    Ok(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(limits.max).min(limits.max))
}
