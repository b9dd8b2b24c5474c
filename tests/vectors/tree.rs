//! Values of vectors: generated ones are expanded, and depth costs no stack.

use serde_json::{Map, Value, json};

/// A value that may be deep: expanded, compared and dropped from the outside in.
pub(crate) struct Tree(Value);

impl From<Value> for Tree {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let mut todo = vec![self.0.take()];
        while let Some(value) = todo.pop() {
            match value {
                Value::Array(items) => todo.extend(items),
                Value::Object(members) => todo.extend(members.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }
}

impl Tree {
    /// A member of a vector: `name`, or the text in `name_json`, with generated values expanded.
    pub(crate) fn read(parent: &Value, name: &str) -> Option<Self> {
        if let Some(text) = parent.get(format!("{name}_json")) {
            let text = text.as_str().expect("JSON text is a string");
            return serde_json::from_str(text).ok().map(Self);
        }
        parent.get(name).map(Self::expand)
    }

    pub(crate) fn value(&self) -> &Value {
        &self.0
    }

    /// Replaces `$nest`, `$repeat` and `$concat` by what they stand for. They nest only in places
    /// that are written out, so this may use the stack.
    pub(crate) fn expand(value: &Value) -> Self {
        Self(expand(value))
    }

    /// Whether both are the same JSON, numbers as doubles.
    pub(crate) fn same(&self, other: &Self) -> bool {
        let mut todo = vec![(&self.0, &other.0)];
        while let Some(pair) = todo.pop() {
            match pair {
                (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => {}
                (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                    todo.extend(a.iter().zip(b));
                }
                (Value::Object(a), Value::Object(b)) if a.len() == b.len() => {
                    for (key, value) in a {
                        match b.get(key) {
                            Some(other) => todo.push((value, other)),
                            None => return false,
                        }
                    }
                }
                (Value::Array(_) | Value::Object(_) | Value::Number(_), _) => return false,
                (a, b) if a == b => {}
                _ => return false,
            }
        }
        true
    }

    /// The value as text, if it is not deep.
    pub(crate) fn shown(&self) -> String {
        let mut deepest = 0;
        let mut todo = vec![(&self.0, 0)];
        while let Some((value, depth)) = todo.pop() {
            deepest = deepest.max(depth);
            match value {
                Value::Array(items) => todo.extend(items.iter().map(|item| (item, depth + 1))),
                Value::Object(members) => {
                    todo.extend(members.values().map(|value| (value, depth + 1)));
                }
                _ => {}
            }
        }
        if deepest > 100 { format!("a value {deepest} deep") } else { self.0.to_string() }
    }
}

fn expand(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expand).collect(),
        Value::Object(members) => match (members.len(), members.iter().next()) {
            (1, Some((key, inner))) if key == "$nest" => nest(inner),
            (1, Some((key, inner))) if key == "$repeat" => repeat(inner).into(),
            (1, Some((key, inner))) if key == "$concat" => {
                let texts = inner.as_array().expect("$concat is a list").iter().map(expand);
                texts
                    .map(|text| text.as_str().expect("a text").to_owned())
                    .collect::<String>()
                    .into()
            }
            (1, Some((key, inner))) if key == "$json" => {
                serde_json::from_str(inner.as_str().expect("$json is text")).expect("$json is JSON")
            }
            _ => {
                let members = members.iter().map(|(key, value)| (key.clone(), expand(value)));
                Value::Object(members.collect::<Map<_, _>>())
            }
        },
        scalar => scalar.clone(),
    }
}

fn nest(spec: &Value) -> Value {
    let depth = spec["depth"].as_u64().expect("$nest has a depth");
    let mut value = expand(&spec["leaf"]);
    for _ in 0..depth {
        value = fill(&spec["wrap"], &mut Some(value));
    }
    value
}

/// A copy of the wrapping in which the hole is the value.
fn fill(wrap: &Value, value: &mut Option<Value>) -> Value {
    match wrap {
        Value::String(text) if text == "$hole" => value.take().unwrap_or_else(|| json!(null)),
        Value::Array(items) => items.iter().map(|item| fill(item, value)).collect(),
        Value::Object(members) => {
            let members = members.iter().map(|(key, item)| (key.clone(), fill(item, value)));
            Value::Object(members.collect::<Map<_, _>>())
        }
        scalar => scalar.clone(),
    }
}

fn repeat(spec: &Value) -> String {
    let text = |name: &str| spec[name].as_str().unwrap_or_default();
    let times = spec["times"].as_u64().expect("$repeat has a number of times");
    let times = usize::try_from(times).expect("it fits into memory");
    format!("{}{}{}", text("prefix"), text("unit").repeat(times), text("suffix"))
}
