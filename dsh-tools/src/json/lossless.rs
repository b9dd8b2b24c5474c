//! What is the same after it was written as text and read back.

use serde_json::Value;

use crate::schema::Number;

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

/// The number, an integer where it has no fraction; none for negative zero.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a float with no fraction, within 2^53")]
pub(crate) fn number(number: &serde_json::Number) -> Option<Number> {
    if let Some(value) = number.as_i128() {
        return Some(Number::Integer(value));
    }
    let value = number.as_f64()?;
    if !value.is_finite() || (value == 0.0 && value.is_sign_negative()) {
        return None;
    }
    // Beyond 2^53 the digits of the integer are not those that were written.
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        return Some(Number::Integer(value as i128));
    }
    Some(Number::Float(value))
}
