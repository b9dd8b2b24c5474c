//! What `serde_json` does with the stack, done without it.

use serde_json::{Map, Value};

/// What can be handed to code that uses the stack, as `serde_json`'s own reader has it.
pub(crate) const SHALLOW: usize = 128;

/// Whether no part of a value is deeper than [`SHALLOW`].
pub(crate) fn is_shallow(value: &Value) -> bool {
    is_within(value, SHALLOW)
}

/// Looks no deeper than it may, so the stack it takes is bounded.
fn is_within(value: &Value, levels: usize) -> bool {
    let fits = |value: &Value| levels > 0 && is_within(value, levels - 1);
    match value {
        Value::Array(items) => items.iter().all(fits),
        Value::Object(members) => members.values().all(fits),
        _ => true,
    }
}

/// A copy of a value of any depth.
pub(crate) fn copy(value: &Value) -> Value {
    if is_shallow(value) {
        return value.clone();
    }
    // Nodes are listed parents first and put into their parents last ones first.
    let mut nodes = vec![(value, None)];
    let mut next = 0;
    while next < nodes.len() {
        match nodes[next].0 {
            Value::Array(items) => nodes.extend(items.iter().map(|item| (item, Some(next)))),
            Value::Object(members) => {
                nodes.extend(members.values().map(|value| (value, Some(next))));
            }
            _ => {}
        }
        next += 1;
    }
    let mut children: Vec<Vec<Value>> = vec![Vec::new(); nodes.len()];
    for (index, (value, parent)) in nodes.iter().enumerate().rev() {
        let mut children_here = std::mem::take(&mut children[index]);
        children_here.reverse();
        let copied = match value {
            Value::Array(_) => Value::Array(children_here),
            Value::Object(members) => {
                Value::Object(members.keys().cloned().zip(children_here).collect::<Map<_, _>>())
            }
            scalar => (*scalar).clone(),
        };
        match parent {
            Some(parent) => children[*parent].push(copied),
            None => return copied,
        }
    }
    Value::Null
}

#[cfg(test)]
mod tests {
    use super::{SHALLOW, copy, is_shallow};
    use crate::json::to_text;
    use serde_json::{Value, json};

    #[test]
    fn a_deep_value_is_copied_and_written_as_a_shallow_one() {
        let mut value = json!({"a": [1, "x", {}], "b": [], "c\"": {"d": null, "e": [[], 2.5]}});
        for _ in 0..SHALLOW {
            value = json!([value, {"k": 1}]);
        }
        assert!(!is_shallow(&value));
        assert_eq!(copy(&value), value);
        assert_eq!(to_text(&value), value.to_string());
        assert_eq!(copy(&Value::Null), Value::Null);
    }
}
