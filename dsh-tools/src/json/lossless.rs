//! What is the same after it was written as text and read back.

use serde_json::Value;

use super::number::number;

/// Whether writing the value and reading it back gives the value: negative zero does not survive.
pub(crate) fn is_lossless(value: &Value) -> bool {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Number(written) if number(written).is_none() => return false,
            Value::Array(items) => todo.extend(items),
            Value::Object(members) => todo.extend(members.values()),
            _ => {}
        }
    }
    true
}
