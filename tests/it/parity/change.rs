//! What becomes of a value when one place of it is changed.

use serde_json::{Map, Value, json};

/// A changed value.
pub(super) struct Change {
    pub(super) value: Value,
    /// Serde and the schema have to agree; else the schema may be stricter.
    pub(super) is_exact: bool,
}

/// Every change of every place.
pub(super) fn changes(value: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    change(value, &mut |value, is_exact| changes.push(Change { value, is_exact }));
    changes
}

/// Gives each changed form of `value` to `give`.
fn change(value: &Value, give: &mut dyn FnMut(Value, bool)) {
    replace(value, give);
    match value {
        Value::Object(members) => change_object(members, give),
        Value::Array(items) => change_array(items, give),
        Value::String(text) => {
            give(json!(text.to_uppercase()), true);
            give(json!(format!("{text}x")), true);
        }
        Value::Number(number) => {
            for other in [json!(256), json!(65536), json!(u64::MAX), json!(i64::MIN), json!(3.0)] {
                give(other, true);
            }
            if let Some(number) = number.as_i64() {
                give(json!(-number), true);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

/// Puts a value of every kind into the place.
///
/// Serde reads an array as a struct, and in some places an empty container as a unit.
fn replace(value: &Value, give: &mut dyn FnMut(Value, bool)) {
    for other in [json!(null), json!(true), json!(-1), json!(300), json!(1.5), json!("none")] {
        give(other, true);
    }
    give(json!([]), !value.is_object() && !value.is_null());
    give(json!({}), !value.is_null());
    give(json!([7]), !value.is_object());
    give(json!({"none": 7}), false);
}

fn change_object(members: &Map<String, Value>, give: &mut dyn FnMut(Value, bool)) {
    let mut more = members.clone();
    more.insert("more".to_owned(), json!(1));
    give(more.into(), false);
    for (key, inner) in members {
        let mut without = members.clone();
        without.shift_remove(key);
        let mut renamed = without.clone();
        give(without.into(), true);
        renamed.insert(format!("{key}_"), inner.clone());
        give(renamed.into(), false);
        change(inner, &mut |inner, is_exact| {
            let mut changed = members.clone();
            changed.insert(key.clone(), inner);
            give(changed.into(), is_exact);
        });
    }
}

fn change_array(items: &[Value], give: &mut dyn FnMut(Value, bool)) {
    let mut longer = items.to_vec();
    longer.extend(items.last().cloned());
    longer.push(json!(null));
    give(longer.into(), true);
    for (index, item) in items.iter().enumerate() {
        let mut without = items.to_vec();
        without.remove(index);
        give(without.into(), true);
        change(item, &mut |item, is_exact| {
            let mut changed = items.to_vec();
            changed[index] = item;
            give(changed.into(), is_exact);
        });
    }
}
