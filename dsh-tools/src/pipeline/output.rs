//! A value the tool gave becomes a result, if it is what the tool declares.

use serde_json::Value;

use crate::body::Output;
use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::json::{Document, is_lossless};
use crate::model::{CallResult, ToolError};
use crate::panic::catch;
use crate::schema::Violation;

/// The success that this value is, checked and rendered by the tool.
///
/// The same for a value of the body, of a wrapper, and of policy.
pub(super) fn success(
    definition: &ToolDefinition,
    execution: &Execution,
    output: Output,
) -> CallResult {
    match check_and_render(definition, execution, output) {
        Ok(result) => result.concluding_turn(execution.concluded()),
        Err(violations) => {
            CallResult::failure(ToolError::invalid_output(definition.name(), violations))
        }
    }
}

fn check_and_render(
    definition: &ToolDefinition,
    execution: &Execution,
    output: Output,
) -> Result<CallResult, Vec<Violation>> {
    let made_for = Some(execution.token().number());
    let value = match output {
        // It was checked as it was written, and reads as it is.
        Output::Written(text) => {
            let content = text.as_str().into();
            return Ok(CallResult::rendered(Document::written(text), content, None, made_for));
        }
        Output::Value(value) => value,
    };
    if !is_lossless(&value) {
        return Err(vec![violation("value is not lossless JSON".to_owned())]);
    }
    let mut violations = definition.output().validate(&value, "value");
    if !violations.is_empty() {
        violations.iter_mut().for_each(Violation::drop_hint);
        return Err(violations);
    }
    let content = catch("the renderer", || definition.render(execution.raw_arguments(), &value))
        .and_then(|content| content)
        .map_err(|error| vec![violation(format!("output.render failed: {error}"))])?;
    if !content.is_lossless() {
        return Err(vec![violation("output.render returned non-lossless JSON".to_owned())]);
    }
    let meta = meta(definition, execution, &value).map_err(|text| vec![violation(text)])?;
    Ok(CallResult::rendered(value.into(), content, meta, made_for))
}

/// What the tool records for the card of this call; a nested call has no card.
fn meta(
    definition: &ToolDefinition,
    execution: &Execution,
    value: &Value,
) -> Result<Option<Value>, String> {
    let Some(meta) = definition.meta().filter(|_| execution.parent().is_none()) else {
        return Ok(None);
    };
    let meta = catch("the recorder of meta", || meta(execution.arguments(), value))
        .and_then(|meta| meta)
        .map_err(|error| format!("output.presentationMeta failed: {error}"))?;
    if !is_lossless(&meta) {
        return Err("output.presentationMeta returned non-lossless JSON".to_owned());
    }
    Ok(Some(meta))
}

fn violation(text: String) -> Violation {
    Violation { text, hint: None }
}
