//! `read_output`: the tool by which a model pages through an output that was cut.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, json};

use super::cut::head_end;
use super::store::OutputStore;
use crate::context::ToolContext;
use crate::definition::ToolDefinition;
use crate::model::{Annotations, ToolError, ToolResult};
use crate::schema;
use crate::schema::ValueSchema;

/// The name of the tool.
pub(super) const NAME: &str = "read_output";

/// How much longer than a part what is said below it can be.
pub(super) const BELOW: usize = 120;

static PARAMETERS: ValueSchema = schema!({
    type: object,
    additionalProperties: false,
    properties: {
        handle: {
            type: string,
            required: true,
            description: "The handle from the note that stands where the output was cut.",
        },
        offset: {
            type: integer,
            description: "The byte to start with. Default: 0, the start of the output.",
            minimum: 0,
        },
        limit: {
            type: integer,
            description: "How many bytes to read at most. Default: as many as one result may have.",
            minimum: 1,
        },
    }
});

const OUTPUT: ValueSchema = schema!({
    type: object,
    additionalProperties: false,
    properties: {
        text: { type: string, required: true },
        offset: { type: integer, required: true, description: "Where the text starts, in bytes." },
        next: { type: integer, description: "Where to read on, unless this is the end." },
        total: { type: integer, required: true, description: "How many bytes the output has." },
    }
});

#[derive(Deserialize)]
struct Part {
    handle: String,
    #[serde(default)]
    offset: u64,
    limit: Option<u64>,
}

/// The tool, which gives parts of at most so many bytes.
pub(super) fn read_output(store: Arc<dyn OutputStore>, most: usize) -> ToolDefinition {
    let body = move |arguments: Value, cx: ToolContext| {
        let store = Arc::clone(&store);
        async move {
            let Part { handle, offset, limit } = serde_json::from_value(arguments)?;
            let output = store.get(&handle).await?;
            let readable = output.filter(|output| output.is_readable_in(cx.execution.scope()));
            let output = readable.ok_or_else(unknown)?;
            let limit = limit.and_then(|limit| usize::try_from(limit).ok());
            part(output.text(), offset, limit.map_or(most, |limit| limit.min(most)))
        }
    };
    let description = "Reads on in an output that was too long and was cut.";
    ToolDefinition::from_fn(NAME, description, &PARAMETERS, body)
        .with_output(OUTPUT)
        .with_render(|_, part| format!("{}{}", with_line_end(part), below(part)))
        .with_annotations(Annotations {
            read_only: Some(true),
            idempotent: Some(true),
            open_world: Some(false),
            ..Annotations::NONE
        })
        .with_parallel(true)
        .paging_output()
}

/// The same for a handle that never was and for one of somebody else.
fn unknown() -> ToolError {
    ToolError::new(
        "there is no output with this handle; it is copied from the note where an output was cut, \
         and only for whom that output was",
    )
    .with_code("UNKNOWN_OUTPUT")
}

fn part(text: &str, offset: u64, limit: usize) -> ToolResult<Value> {
    let total = text.len();
    let beyond =
        || ToolError::new(format!("the offset is beyond the end: there are {total} bytes"));
    let offset =
        usize::try_from(offset).ok().filter(|offset| *offset <= total).ok_or_else(beyond)?;
    let offset = text.floor_char_boundary(offset);
    let (_, rest) = text.split_at(offset);
    let mut end = head_end(rest, limit);
    if end == 0 {
        // Less than a character was asked for; giving nothing would never come to an end.
        end = rest.chars().next().map_or(0, char::len_utf8);
    }
    let (given, _) = rest.split_at(end);
    let mut part = json!({ "text": given, "offset": offset, "total": total });
    if offset + end < total {
        part["next"] = json!(offset + end);
    }
    Ok(part)
}

fn with_line_end(part: &Value) -> String {
    let mut text = part["text"].as_str().unwrap_or_default().to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn below(part: &Value) -> String {
    let (offset, total) = (&part["offset"], &part["total"]);
    match part.get("next") {
        Some(next) => format!("[bytes {offset} to {next} of {total}; read on with offset {next}]"),
        None => format!("[bytes {offset} to {total} of {total}, which is the end]"),
    }
}
