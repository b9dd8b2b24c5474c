//! Results, decisions and errors: read from a vector, and written as one has them.

use dsh_tools::hooks::{PostDecision, PreDecision};
use dsh_tools::{CallResult, Content, Context, ErrorCode, ErrorInfo, ToolError, ToolResult};
use serde_json::{Map, Value, json};

use super::{list, text};

/// The outcome of a call as a vector has it; what is absent is left out.
pub(super) fn written(result: &CallResult) -> Value {
    let mut written = Map::new();
    written.insert("isError".into(), result.is_error().into());
    if let Some(value) = result.value() {
        written.insert("value".into(), value.clone());
    }
    written.insert("content".into(), json!(result.content()));
    if let Some(error) = result.error() {
        let mut told = json!({"message": error.message()});
        if let Some(info) = error.info() {
            told["info"] = json!({"name": info.name, "code": info.code});
        }
        written.insert("error".into(), told);
    }
    if let Some(meta) = result.meta() {
        written.insert("meta".into(), meta.clone());
    }
    if !result.contexts().is_empty() {
        written.insert("additionalContexts".into(), json!(result.contexts()));
    }
    if result.concludes_turn() {
        written.insert("concludesTurn".into(), true.into());
    }
    Value::Object(written)
}

/// A result in a word: `ok`, `error`, `error(CODE)`.
pub(super) fn summary(result: &CallResult) -> String {
    match (result.is_error(), result.error().and_then(ToolError::code)) {
        (false, _) => "ok".to_owned(),
        (true, None) => "error".to_owned(),
        (true, Some(code)) => format!("error({code})"),
    }
}

pub(super) fn error(given: &Value) -> ToolError {
    let error = ToolError::new(text(&given["message"]).to_owned());
    if given["kind"] == "structured" { error.with_info(info(given)) } else { error }
}

fn info(given: &Value) -> ErrorInfo {
    ErrorInfo {
        name: text(&given["name"]).to_owned().into(),
        code: ErrorCode::from(text(&given["code"]).to_owned()),
        reason: None,
    }
}

pub(super) fn content(blocks: &Value) -> ToolResult<Content> {
    Ok(serde_json::from_value(blocks.clone())?)
}

pub(super) fn contexts(source: &str, texts: &Value) -> Vec<Context> {
    let context =
        |content: &Value| Context { source: source.to_owned(), content: text(content).into() };
    list(texts).iter().map(context).collect()
}

/// A result that a wrapper wrote, perhaps as a copy of the last one with other parts.
pub(super) fn result(
    source: &str,
    given: &Value,
    last: Option<CallResult>,
) -> ToolResult<CallResult> {
    let parts = given.get("override");
    let given_parts = parts.unwrap_or(given);
    let mut result = match last.filter(|_| parts.is_some()) {
        Some(last) => match given_parts.get("value") {
            // A copy with another value: contexts stay, the rest is the pipeline's to make.
            Some(value) => {
                CallResult::success(value.clone()).with_contexts(last.contexts().iter().cloned())
            }
            None => last,
        },
        None if given["isError"] == true => {
            let told = &given["error"];
            let error = ToolError::new(text(&told["message"]).to_owned());
            let info = told.get("info").map(info);
            CallResult::failure(info.map_or(error.clone(), |info| error.with_info(info)))
        }
        None => CallResult::success(given["value"].clone()),
    };
    if let Some(blocks) = given_parts.get("content") {
        result = result.with_content(content(blocks)?);
    }
    if let Some(meta) = given_parts.get("meta") {
        result = result.with_meta(meta.clone());
    }
    Ok(result.with_contexts(contexts(source, &given["contexts"])))
}

pub(super) fn pre_decision(given: &Value) -> PreDecision {
    match given["kind"].as_str() {
        Some("deny") => PreDecision::Deny {
            reason: text(&given["reason"]).to_owned(),
            info: given.get("info").map(info),
        },
        Some("ask") => PreDecision::Ask { reason: given["reason"].as_str().map(str::to_owned) },
        Some("cancel") => PreDecision::Cancel,
        _ => PreDecision::Allow,
    }
}

pub(super) fn pre_kind(decision: &PreDecision) -> &'static str {
    match decision {
        PreDecision::Allow => "allow",
        PreDecision::Deny { .. } => "deny",
        PreDecision::Ask { .. } => "ask",
        _ => "cancel",
    }
}

/// A decision about a result, perhaps as a copy of the last one with other parts.
pub(super) fn post_decision(
    source: &str,
    given: &Value,
    last: Option<PostDecision>,
) -> ToolResult<PostDecision> {
    let own = contexts(source, &given["contexts"]);
    if given["kind"] == "block" {
        return Ok(PostDecision::Block { feedback: content(&given["feedback"])?, contexts: own });
    }
    let (mut content_before, mut value_before, mut contexts_before) = (None, None, Vec::new());
    if given["override"] == true
        && let Some(PostDecision::Accept { content, value, contexts }) = last
    {
        (content_before, value_before, contexts_before) = (content, value, contexts);
    }
    Ok(PostDecision::Accept {
        content: match given.get("content") {
            Some(blocks) => Some(content(blocks)?),
            None => content_before,
        },
        value: given.get("value").cloned().or(value_before),
        contexts: if given.get("contexts").is_some() { own } else { contexts_before },
    })
}

pub(super) fn post_kind(decision: &PostDecision) -> &'static str {
    match decision {
        PostDecision::Block { .. } => "block",
        _ => "accept",
    }
}
