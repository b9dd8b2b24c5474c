//! The tools of a scenario.

use std::time::Duration;

use dsh_tools::schema::{SchemaError, ValueSchema, Vocabulary};
use dsh_tools::{
    CallResult, Content, ContentBlock, Execution, Parameters, ToolDefinition, ToolResult,
};
use serde_json::{Value, json};

use super::parts::{self, summary};
use super::steps::{Actor, Call, Place};
use super::world::World;
use super::{list, text};

/// A tool with what a vector declares of it, and a body that gives its description.
///
/// # Errors
/// The declaration has a schema that would not be enforced.
pub(crate) fn definition(given: &Value) -> Result<ToolDefinition, SchemaError> {
    let parameters: Parameters = if given["typed"] == true {
        let none = json!({});
        ValueSchema::compile_parameters(given.get("parameters").unwrap_or(&none))?.into()
    } else {
        let none = json!({"type": "object", "properties": {}});
        given.get("parameters").unwrap_or(&none).clone().into()
    };
    let output = match (given.get("output"), given.get("output_schema")) {
        (Some(spec), _) => ValueSchema::compile(spec)?,
        (None, Some(schema)) => ValueSchema::parse_as(schema, Vocabulary::Strict)?,
        (None, None) => ValueSchema::string(),
    };
    let name = text(&given["name"]).to_owned();
    let description = given["description"].as_str().unwrap_or("Does.").to_owned();
    let says = json!(format!("ran:{description}"));
    let mut definition = ToolDefinition::from_fn(name, description, parameters, move |_, _| {
        let says = says.clone();
        async move { Ok(says) }
    })
    .with_output(output);
    if let Some(timeout) = given["timeout_ms"].as_f64() {
        let seconds = timeout / 1000.0;
        // What is no duration counts as none, which is refused like it.
        definition =
            definition.with_timeout(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    }
    Ok(definition)
}

/// The same with the body and the callbacks of a scenario.
pub(super) fn with_body(world: &World, given: &Value, declared: &ToolDefinition) -> ToolDefinition {
    let definition = {
        let (world, given) = (world.clone(), given.clone());
        let parameters = declared.parameters().clone();
        let name = declared.name().to_owned();
        let description = declared.description().to_owned();
        let timeout = declared.timeout();
        let parallel = given["concurrency_safe"] == true;
        let made = ToolDefinition::from_fn(name, description, parameters, move |arguments, cx| {
            let (world, given) = (world.clone(), given.clone());
            async move {
                let who = format!("body:{}", text(&given["name"]));
                let call = Call {
                    id: cx.call_id().to_owned(),
                    root: cx.root_call_id().to_owned(),
                    is_nested: cx.is_nested(),
                    arguments: &arguments,
                    signal: cx.cancellation().clone(),
                };
                let mut actor =
                    Actor { world: &world, who, call, place: Place::Body(&cx), last: None };
                actor.note(&format!("{} enter", actor.who));
                let returned = actor.run(list(&given["body"])).await;
                match &returned {
                    Ok(_) => actor.note(&format!("{} exit value", actor.who)),
                    Err(_) => actor.note(&format!("{} throw", actor.who)),
                }
                let step = returned?;
                Ok(actor.filled(&step["value"]))
            }
        })
        .with_output(declared.output().clone())
        .with_parallel(parallel);
        match timeout {
            Some(timeout) => made.with_timeout(timeout),
            None => made,
        }
    };
    with_callbacks(world, given, definition)
}

fn with_callbacks(world: &World, given: &Value, definition: ToolDefinition) -> ToolDefinition {
    let (shared, tool) = (world.clone(), given.clone());
    let mut definition = definition.try_with_render(move |arguments, value| {
        shared.note(format!("render:{}", text(&tool["name"])));
        rendered(&shared, &tool["render"], arguments, value)
    });
    if let Some(meta) = given.get("meta").cloned() {
        let (shared, tool) = (world.clone(), given.clone());
        definition = definition.with_meta(move |arguments, value| {
            shared.note(format!("meta:{}", text(&tool["name"])));
            match (meta.as_str(), meta.get("throw")) {
                (Some(_), _) => Ok(json!({"args": arguments, "value": value})),
                (_, Some(error)) => Err(parts::error(error)),
                _ => Ok(meta["value"].clone()),
            }
        });
    }
    if let Some(finalize) = given.get("finalize").cloned() {
        let (shared, tool) = (world.clone(), given.clone());
        definition = definition.with_finalize_content(move |execution, result| {
            finalized(&shared, text(&tool["name"]), &finalize, execution, result)
        });
    }
    definition
}

fn rendered(world: &World, how: &Value, arguments: &Value, value: &Value) -> ToolResult<Content> {
    let plain = || match value {
        Value::String(text) => Content::from(text.as_str()),
        other => Content::from(other.to_string()),
    };
    match (how.as_str(), how.get("content"), how.get("throw")) {
        (Some("args_and_value"), ..) => Ok(format!("args={arguments} value={value}").into()),
        (_, Some(blocks), _) => parts::content(blocks),
        (_, _, Some(error)) => Err(parts::error(error)),
        _ => {
            if how["abort_caller"] == true {
                world.abort_caller();
            }
            Ok(plain())
        }
    }
}

fn finalized(
    world: &World,
    tool: &str,
    how: &Value,
    execution: &Execution,
    result: &CallResult,
) -> ToolResult<Option<Content>> {
    world.note(format!("{} finalize:{tool} {}", execution.call_id(), summary(result)));
    if how == "summarize" {
        let blocks = result.content().blocks().len();
        return Ok(Some(format!("final:{}:{blocks}", summary(result)).into()));
    }
    if let Some(text) = how["append_text"].as_str() {
        let mut blocks = result.content().blocks().to_vec();
        blocks.push(ContentBlock::text(text));
        return Ok(Some(blocks.into()));
    }
    if let Some(error) = how.get("throw") {
        return Err(parts::error(error));
    }
    if how["abort_caller"] == true {
        world.abort_caller();
    }
    how.get("content").map(parts::content).transpose()
}
