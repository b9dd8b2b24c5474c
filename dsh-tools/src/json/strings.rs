//! Strings within a value, changed without using the stack.

use serde_json::Value;

use super::deep::copy;

/// Another text for a text, or none to keep it.
pub(crate) type TextMap<'m> = dyn Fn(&str) -> Option<String> + 'm;

/// The value with its strings changed, keys left as they are; none if no string changes.
pub(crate) fn map_strings(value: &Value, map: &TextMap<'_>) -> Option<Value> {
    if !any_string(value, |text| map(text).is_some()) {
        return None;
    }
    let mut changed = copy(value);
    let mut todo = vec![&mut changed];
    while let Some(value) = todo.pop() {
        match value {
            Value::String(text) => {
                if let Some(other) = map(text) {
                    *text = other;
                }
            }
            Value::Array(items) => todo.extend(items),
            Value::Object(members) => todo.extend(members.values_mut()),
            _ => {}
        }
    }
    Some(changed)
}

fn any_string(value: &Value, is_wanted: impl Fn(&str) -> bool) -> bool {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::String(text) if is_wanted(text) => return true,
            Value::Array(items) => todo.extend(items),
            Value::Object(members) => todo.extend(members.values()),
            _ => {}
        }
    }
    false
}
