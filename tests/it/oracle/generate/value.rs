//! Values: any, and those that nearly fit a schema.

use serde_json::{Map, Value, json};

use super::{Choices, NAMES, TEXTS};

impl Choices<'_> {
    pub(super) fn integer(&mut self) -> Value {
        match self.pick(10) {
            0..=5 => json!(self.pick(6)),
            6 => json!(-1),
            7 => json!(2.0),
            8 => json!(1e15),
            _ => json!([u64::MAX, 1 << 53, (1 << 53) + 1][self.pick(3)]),
        }
    }

    pub(super) fn any_number(&mut self) -> Value {
        match self.pick(6) {
            0..=2 => self.integer(),
            3 => json!(0.5),
            4 => json!([1.5, 0.25, -2.5, 1e-7][self.pick(4)]),
            _ => json!([1e300, -1e20, 0.1, 2.75][self.pick(4)]),
        }
    }

    /// Any value.
    pub(super) fn any(&mut self, depth: usize) -> Value {
        match self.pick(if depth == 0 { 5 } else { 7 }) {
            0 => json!(null),
            1 => json!(self.once_in(2)),
            2 => json!(self.one(&TEXTS)),
            3 => self.integer(),
            4 => self.any_number(),
            5 => (0..self.pick(4)).map(|_| self.any(depth - 1)).collect(),
            _ => {
                let count = self.pick(3);
                let members = (0..count).map(|_| {
                    let name = self.one(&NAMES);
                    (name.to_owned(), self.any(depth - 1))
                });
                Value::Object(members.collect())
            }
        }
    }

    /// A value that nearly fits a schema.
    pub(crate) fn value(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        if depth == 0 || self.once_in(12) {
            return self.any(1);
        }
        for keyword in ["enum", "oneOf", "anyOf"] {
            if let Some(choices) = schema[keyword].as_array()
                && !self.once_in(8)
            {
                let chosen = &choices[self.pick(choices.len())];
                return match keyword {
                    "enum" => chosen.clone(),
                    _ => self.value(chosen, root, depth - 1),
                };
            }
        }
        if let Some(branches) = schema["allOf"].as_array() {
            let mut whole = json!({});
            for branch in branches {
                match (self.value(branch, root, depth - 1), &mut whole) {
                    (Value::Object(more), Value::Object(members)) => members.extend(more),
                    (other, whole) => *whole = other,
                }
            }
            return whole;
        }
        if let Some(literal) = schema.get("const") {
            return literal.clone();
        }
        if let Some(target) = schema["$ref"].as_str() {
            let pointer = target.trim_start_matches('#').replace("%25", "%");
            return self.value(root.pointer(&pointer).unwrap_or(root), root, depth - 1);
        }
        let name = match &schema["type"] {
            Value::Array(names) => names[self.pick(2)].as_str(),
            name => name.as_str(),
        };
        match name {
            Some("null") => Value::Null,
            Some("boolean") => json!(self.once_in(2)),
            Some("string") => json!(self.one(&TEXTS)),
            Some("integer") => self.integer(),
            Some("number") => self.any_number(),
            Some("array") => self.array_value(schema, root, depth),
            Some("object") => self.object_value(schema, root, depth),
            _ => self.any(2),
        }
    }

    fn array_value(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let count =
            schema["minItems"].as_u64().map_or(0, |least| usize::try_from(least).unwrap_or(0));
        (0..count + self.pick(4))
            .map(|index| {
                let item = schema["prefixItems"].get(index).unwrap_or(&schema["items"]);
                self.value(item, root, depth - 1)
            })
            .collect()
    }

    fn object_value(&mut self, schema: &Value, root: &Value, depth: usize) -> Value {
        let mut members = Map::new();
        let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let is_required = required.iter().any(|other| other == name);
            if if is_required { !self.once_in(8) } else { self.once_in(2) } {
                members.insert(name.clone(), self.value(property, root, depth - 1));
            }
        }
        if self.once_in(3) {
            let name = self.one(&NAMES);
            let others = &schema["additionalProperties"];
            members.insert(name.to_owned(), self.value(others, root, depth - 1));
        }
        members.into()
    }
}
