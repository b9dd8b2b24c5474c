//! Values of any depth as compact text.

use serde_json::Value;

use super::deep::is_shallow;
use super::number::number;

/// A value as it stands.
pub(crate) fn to_text(value: &Value) -> String {
    if is_shallow(value) {
        return serde_json::to_string(value).expect("keys are text and nothing else can fail");
    }
    let mut text = String::new();
    write(value, &mut text, |members| members, ToString::to_string);
    text
}

/// A text that is the same for values that are equal as JSON.
///
/// As RFC 8785 has it (members sorted by their UTF-16 code units, numbers as ECMA-262 writes
/// them), except that integers keep all their digits, so that no two of them become one.
pub(crate) fn to_canonical(value: &Value) -> String {
    let mut text = String::new();
    write(value, &mut text, sorted, by_value);
    text
}

fn sorted(mut members: Vec<Member<'_>>) -> Vec<Member<'_>> {
    members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    members
}

fn by_value(written: &serde_json::Number) -> String {
    number(written).map_or_else(|| "-0".to_owned(), |number| number.to_string())
}

type Member<'v> = (&'v str, &'v Value);

/// Writes a value with a stack of its own.
fn write<'v>(
    value: &'v Value,
    text: &mut String,
    order: impl Fn(Vec<Member<'v>>) -> Vec<Member<'v>>,
    digits: impl Fn(&serde_json::Number) -> String,
) {
    let mut todo = vec![Piece::Value(value)];
    while let Some(piece) = todo.pop() {
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Key(key) => text.push_str(&Value::from(key).to_string()),
            Piece::Value(Value::Number(number)) => text.push_str(&digits(number)),
            Piece::Value(Value::Array(items)) => {
                text.push('[');
                todo.push(Piece::Text("]"));
                for (index, item) in items.iter().enumerate().rev() {
                    todo.push(Piece::Value(item));
                    todo.push(Piece::Text(if index == 0 { "" } else { "," }));
                }
            }
            Piece::Value(Value::Object(members)) => {
                text.push('{');
                todo.push(Piece::Text("}"));
                let members = order(members.iter().map(|(key, value)| (&**key, value)).collect());
                for (index, (key, value)) in members.into_iter().enumerate().rev() {
                    todo.extend([Piece::Value(value), Piece::Text(":"), Piece::Key(key)]);
                    todo.push(Piece::Text(if index == 0 { "" } else { "," }));
                }
            }
            Piece::Value(scalar) => text.push_str(&scalar.to_string()),
        }
    }
}

enum Piece<'v> {
    Value(&'v Value),
    Key(&'v str),
    Text(&'static str),
}
