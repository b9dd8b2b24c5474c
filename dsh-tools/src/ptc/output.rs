//! What a model reads of a run: the lines it printed, then its value.

use serde_json::Value;

use crate::json::number;

/// The text of a run that succeeded.
pub(super) fn text(logs: &[String], result: Option<&Value>) -> String {
    let printed = logs.join("\n");
    let returned = match result {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => pretty(value),
    };
    let parts: Vec<_> = [printed, returned].into_iter().filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        "(run_code completed with no output)".to_owned()
    } else {
        parts.join("\n")
    }
}

/// How deep containers are broken over lines; ten characters are the widest indentation.
const BROKEN: usize = 5;

/// A value with two spaces a level; containers that are deeper are compact.
fn pretty(value: &Value) -> String {
    let mut text = String::new();
    let mut todo = vec![Piece::Value(value, 0)];
    while let Some(piece) = todo.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Line(depth) => {
                text.push('\n');
                text.extend(std::iter::repeat_n("  ", depth));
            }
            Piece::Key(key) => text.push_str(&Value::from(key).to_string()),
            Piece::Value(Value::Number(written), _) => {
                let by_value = number(written).map(|number| number.to_string());
                text.push_str(&by_value.unwrap_or_else(|| written.to_string()));
            }
            Piece::Value(Value::Array(items), depth) if !items.is_empty() => {
                let members = items.iter().map(|item| (None, item));
                container(&mut todo, ["[", "]"], members.collect(), depth);
            }
            Piece::Value(Value::Object(members), depth) if !members.is_empty() => {
                let members = members.iter().map(|(key, value)| (Some(&**key), value));
                container(&mut todo, ["{", "}"], members.collect(), depth);
            }
            Piece::Value(plain, _) => text.push_str(&plain.to_string()),
        }
    }
    text
}

/// Puts the pieces of a container on the stack, the last one first.
fn container<'v>(
    todo: &mut Vec<Piece<'v>>,
    [open, close]: [&'static str; 2],
    members: Vec<(Option<&'v str>, &'v Value)>,
    depth: usize,
) {
    let is_broken = depth < BROKEN;
    todo.push(Piece::Text(close));
    if is_broken {
        todo.push(Piece::Line(depth));
    }
    for (index, (key, value)) in members.into_iter().enumerate().rev() {
        todo.push(Piece::Value(value, depth + 1));
        if let Some(key) = key {
            todo.push(Piece::Text(if is_broken { ": " } else { ":" }));
            todo.push(Piece::Key(key));
        }
        if is_broken {
            todo.push(Piece::Line(depth + 1));
        }
        if index > 0 {
            todo.push(Piece::Text(","));
        }
    }
    todo.push(Piece::Text(open));
}

enum Piece<'v> {
    Value(&'v Value, usize),
    Key(&'v str),
    Text(&'static str),
    /// A line break and so many levels.
    Line(usize),
}
