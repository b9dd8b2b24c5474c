//! What is the same after it was written as text and read back.

use serde_json::Value;

use super::deep::SHALLOW;

/// Whether writing the value and reading it back gives the value: negative zero does not survive.
pub(crate) fn is_lossless(value: &Value) -> bool {
    is_lossless_within(value, SHALLOW).unwrap_or_else(|| is_lossless_at_any_depth(value))
}

/// Whether a number is no negative zero; text holds none that is not finite.
#[inline]
pub(crate) fn is_lossless_number(written: &serde_json::Number) -> bool {
    !written.is_f64()
        || written.as_f64().is_some_and(|value| value != 0.0 || value.is_sign_positive())
}

/// The answer for a value that is not deeper than this; none for another.
fn is_lossless_within(value: &Value, levels: usize) -> Option<bool> {
    match value {
        Value::Number(written) => Some(is_lossless_number(written)),
        Value::Array(items) => all_lossless(items, levels.checked_sub(1)?),
        Value::Object(members) => all_lossless(members.values(), levels.checked_sub(1)?),
        _ => Some(true),
    }
}

fn all_lossless<'v>(values: impl IntoIterator<Item = &'v Value>, levels: usize) -> Option<bool> {
    for value in values {
        if !is_lossless_within(value, levels)? {
            return Some(false);
        }
    }
    Some(true)
}

fn is_lossless_at_any_depth(value: &Value) -> bool {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Number(written) if !is_lossless_number(written) => return false,
            Value::Array(items) => todo.extend(items),
            Value::Object(members) => todo.extend(members.values()),
            _ => {}
        }
    }
    true
}
