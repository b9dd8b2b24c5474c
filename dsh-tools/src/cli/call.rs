//! `call` and `batch`: one way to call, through the native executor.

use std::io::Read as _;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::Failure;
use super::approve::approver;
use super::args::CallArgs;
use super::list::unknown;
use super::output::Output;
use super::progress::Display;
use crate::context::CallOptions;
use crate::executor::{Batch, NativeExecutor};
use crate::hooks::ToolExecutor;
use crate::model::{Arguments, ErrorCode, ToolCall};
use crate::record::summary;
use crate::registry::{RegistryBuilder, ToolRegistry};
use crate::stages::Completed;

pub(super) async fn call(
    builder: RegistryBuilder,
    name: String,
    arguments: Option<String>,
    args: &CallArgs,
    interrupted: &CancellationToken,
) -> Result<bool, Failure> {
    let stdin_is_used = arguments.as_deref() == Some("-");
    let arguments = match arguments.as_deref() {
        None => String::new(),
        Some("-") => read_stdin()?,
        Some(text) => match text.strip_prefix('@') {
            Some(file) => read(Path::new(file))?,
            None => text.to_owned(),
        },
    };
    let registry = build(builder, args, stdin_is_used)?;
    let completed =
        execute(&registry, vec![ToolCall::new("1", name, arguments)], interrupted).await?;
    for completed in &completed {
        print_result(&registry, completed, args);
    }
    Ok(succeeded(&completed))
}

pub(super) async fn batch(
    builder: RegistryBuilder,
    file: &Path,
    args: &CallArgs,
    interrupted: &CancellationToken,
) -> Result<bool, Failure> {
    let stdin_is_used = file == Path::new("-");
    let text = if stdin_is_used { read_stdin()? } else { read(file)? };
    let calls = parse_calls(&text)
        .map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
    let registry = build(builder, args, stdin_is_used)?;
    let completed = execute(&registry, calls, interrupted).await?;
    for completed in &completed {
        if !args.json {
            let (id, name) = (completed.call_id(), completed.name());
            let took = completed.took();
            Output::result(&format!(
                "── {id} {name}: {} ({took:.1?})",
                summary(completed.result())
            ));
        }
        print_result(&registry, completed, args);
    }
    Ok(succeeded(&completed))
}

fn build(
    builder: RegistryBuilder,
    args: &CallArgs,
    stdin_is_used: bool,
) -> Result<ToolRegistry, Failure> {
    super::build(builder.approver(approver(args.answers, stdin_is_used)))
}

async fn execute(
    registry: &ToolRegistry,
    calls: Vec<ToolCall>,
    interrupted: &CancellationToken,
) -> Result<Vec<Completed>, Failure> {
    let display = Display::start();
    let options = CallOptions::new()
        .with_scope(&registry.scope("cli"))
        .with_cancellation(interrupted.clone())
        .with_progress(display.listener());
    let batch = Batch::new(calls).with_options(options);
    let outcome = NativeExecutor::new().execute(registry, batch).await;
    display.stop();
    Ok(outcome.map_err(|error| Failure::Broken(error.to_string()))?.results)
}

fn print_result(registry: &ToolRegistry, completed: &Completed, args: &CallArgs) {
    let result = completed.result();
    if args.json {
        let mut line = json!(result);
        line["callId"] = completed.call_id().into();
        line["name"] = completed.name().into();
        if args.explain {
            line["decisions"] = json!(completed.record());
        }
        Output::result(&line.to_string());
        return;
    }
    Output::result(&result.content().to_string());
    if result.error().and_then(|error| error.code()) == Some(&ErrorCode::UnknownTool) {
        Output::note(&unknown(registry, completed.name()));
    }
    if args.explain {
        Output::note(completed.record().to_string().trim_end());
    }
}

fn succeeded(completed: &[Completed]) -> bool {
    !completed.iter().any(|completed| completed.result().is_error())
}

/// A call as people write it: without an id it gets its place, from 1.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with name, arguments and perhaps id")]
struct WrittenCall {
    id: Option<String>,
    name: String,
    #[serde(default)]
    arguments: Arguments,
}

/// A JSON array of calls, or one call a line.
fn parse_calls(text: &str) -> Result<Vec<ToolCall>, String> {
    let written: Vec<(String, Value)> = if text.trim_start().starts_with('[') {
        let values: Vec<Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let numbered = values.into_iter().enumerate();
        numbered.map(|(index, value)| (format!("call {}", index + 1), value)).collect()
    } else {
        let numbered = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        numbered.map(|(index, line)| parse_line(index + 1, line)).collect::<Result<_, _>>()?
    };
    let numbered = written.into_iter().enumerate();
    numbered
        .map(|(index, (place, value))| {
            let call =
                WrittenCall::deserialize(value).map_err(|error| format!("{place}: {error}"))?;
            let id = call.id.unwrap_or_else(|| (index + 1).to_string());
            Ok(ToolCall::new(id, call.name, call.arguments))
        })
        .collect()
}

/// The value of one line, and where it stands; serde only knows the line, so its "line 1" is dropped.
fn parse_line(number: usize, line: &str) -> Result<(String, Value), String> {
    let value = serde_json::from_str(line).map_err(|error| {
        let text = error.to_string();
        let text = text.split(" at line ").next().unwrap_or_default();
        format!("line {number}, column {}: {text}", error.column())
    })?;
    Ok((format!("line {number}"), value))
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file)
        .map_err(|error| Failure::Usage(format!("cannot read {}: {error}", file.display())))
}

fn read_stdin() -> Result<String, Failure> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Failure::Usage(format!("cannot read standard input: {error}")))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::parse_calls;

    #[test]
    fn calls_are_read_as_an_array_and_as_lines() {
        let array =
            parse_calls(r#"[{"name": "a"}, {"id": "x", "name": "b", "arguments": "{\"n\":1}"}]"#);
        let lines = parse_calls(
            "{\"name\": \"a\"}\n\n{\"id\": \"x\", \"name\": \"b\", \"arguments\": {\"n\":1}}\n",
        );
        let (array, lines) = (array.unwrap(), lines.unwrap());
        for calls in [&array, &lines] {
            let ids: Vec<_> = calls.iter().map(|call| (&*call.id, &*call.name)).collect();
            assert_eq!(ids, [("1", "a"), ("x", "b")]);
            assert_eq!(calls[1].arguments.value()["n"], 1);
        }
    }

    #[test]
    fn a_wrong_call_is_named_by_its_place() {
        let error = parse_calls("{\"name\": \"a\"}\n{\"nam\": \"b\"}").unwrap_err();
        assert!(error.starts_with("line 2: unknown field `nam`, expected one of"), "{error}");
        let error = parse_calls(r#"[{"name": "a"}, {}]"#).unwrap_err();
        assert_eq!(error, "call 2: missing field `name`");
        let error = parse_calls("{\"name\": \"a\"}\n{\"name\": b}").unwrap_err();
        assert_eq!(error, "line 2, column 10: expected value");
    }
}
