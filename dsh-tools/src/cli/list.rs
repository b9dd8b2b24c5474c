//! `list` and `schema`: what there is.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Failure;
use super::output::Output;
use crate::definition::{Parallel, ToolDefinition};
use crate::registry::ToolRegistry;
use crate::schema::nearest;

pub(super) fn list(registry: &ToolRegistry, json: bool) {
    let definitions = registry.definitions();
    if json {
        for definition in &*definitions {
            Output::result(&to_json(definition).to_string());
        }
    } else {
        Output::result(table(&definitions).trim_end());
    }
}

pub(super) fn schema(registry: &ToolRegistry, name: &str, output: bool) -> Result<(), Failure> {
    let definition = registry.get(name).ok_or_else(|| Failure::Usage(unknown(registry, name)))?;
    let schema = if output { definition.output().to_json() } else { definition.to_json() };
    Output::result(&format!("{schema:#}"));
    Ok(())
}

/// That there is no such tool, and which is likely meant.
pub(super) fn unknown(registry: &ToolRegistry, name: &str) -> String {
    let definitions = registry.definitions();
    let names: Vec<_> = definitions.iter().map(ToolDefinition::name).collect();
    match nearest(name, names.iter().copied()) {
        Some(meant) => format!("there is no tool `{name}`, did you mean `{meant}`?"),
        None => format!("there is no tool `{name}`, there are: {}", names.join(", ")),
    }
}

/// One line a tool: name, what it may do, the first sentence of its description.
pub(super) fn table(definitions: &[ToolDefinition]) -> String {
    let rows: Vec<_> = definitions
        .iter()
        .map(|definition| {
            let first = definition.description().lines().next().unwrap_or_default();
            (definition.name(), traits(definition), first)
        })
        .collect();
    let names = rows.iter().map(|row| row.0.len()).max().unwrap_or_default();
    let traits = rows.iter().map(|row| row.1.len()).max().unwrap_or_default();
    let mut table = String::new();
    for (name, what, description) in &rows {
        // Writing to a string cannot fail.
        _ = writeln!(table, "{name:names$}  {what:traits$}  {description}");
    }
    table
}

fn traits(definition: &ToolDefinition) -> String {
    let annotations = definition.annotations();
    let effect = if annotations.is_read_only() {
        "reads"
    } else if annotations.is_destructive() {
        "may destroy"
    } else {
        "writes"
    };
    let mut traits = vec![effect.to_owned()];
    match definition.parallel() {
        Parallel::Never => {}
        Parallel::Always => traits.push("parallel".to_owned()),
        Parallel::When(_) => traits.push("parallel if".to_owned()),
    }
    traits.extend(definition.timeout().map(|timeout| format!("{timeout:?}")));
    traits.join(", ")
}

fn to_json(definition: &ToolDefinition) -> Value {
    let mut json = definition.to_json();
    json["annotations"] = json!(definition.annotations());
    json["outputSchema"] = definition.output().to_json();
    if let Some(title) = definition.title() {
        json["title"] = title.into();
    }
    let tags: Vec<_> = definition.tags().collect();
    if !tags.is_empty() {
        json["tags"] = tags.into();
    }
    if let Some(timeout) = definition.timeout() {
        json["timeoutMs"] = json!(timeout.as_secs_f64() * 1000.0);
    }
    json
}
