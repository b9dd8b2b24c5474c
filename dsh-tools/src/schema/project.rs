//! The JSON text of a schema that a model is shown.
//!
//! Plain on purpose, since one word that one provider does not know costs the whole tool list:
//! never a boolean schema, never a numeric `format`, `properties` on every object.

use serde_json::{Map, Value, json};

use super::value::{
    Additional, ArrayRules, Kind, Member, Number, NumberRules, ObjectRules, StringRules,
    ValueSchema,
};

impl ValueSchema {
    /// The schema as JSON Schema, the way a model is shown it.
    ///
    /// Keys come in a fixed order, so equal schemas give equal bytes.
    pub fn to_json(&self) -> Value {
        let mut node = Map::new();
        match &self.kind {
            Kind::Json => self.annotate(&mut node, &[]),
            Kind::Null => self.open_node(&mut node, "null", &[]),
            Kind::Boolean => self.open_node(&mut node, "boolean", &[]),
            Kind::String(rules) => {
                self.open_node(&mut node, "string", &rules.members);
                string(&mut node, rules);
            }
            Kind::Integer(rules) => {
                self.open_node(&mut node, "integer", &[]);
                number(&mut node, rules);
            }
            Kind::Number(rules) => {
                self.open_node(&mut node, "number", &[]);
                number(&mut node, rules);
            }
            Kind::Array(rules) => {
                self.open_node(&mut node, "array", &[]);
                array(&mut node, rules);
            }
            Kind::Object(rules) => {
                self.open_node(&mut node, "object", &[]);
                object(&mut node, rules);
            }
            Kind::Nullable(child) => {
                node.insert("anyOf".into(), json!([child.to_json(), {"type": "null"}]));
                self.annotate(&mut node, &[]);
            }
            Kind::OneOf(branches) => {
                node.insert("oneOf".into(), branches.iter().map(Self::to_json).collect());
                self.annotate(&mut node, &[]);
            }
        }
        Value::Object(node)
    }

    fn open_node(&self, node: &mut Map<String, Value>, name: &str, members: &[Member]) {
        node.insert("type".into(), name.into());
        self.annotate(node, members);
    }

    fn annotate(&self, node: &mut Map<String, Value>, members: &[Member]) {
        if let Some(description) = describe(self.description(), members) {
            node.insert("description".into(), description.into());
        }
        if let Some(title) = self.title() {
            node.insert("title".into(), title.into());
        }
    }
}

/// The description, with what each documented member means below it.
///
/// A list in the text reaches every model; `oneOf` with a description a branch does not.
fn describe(own: Option<&str>, members: &[Member]) -> Option<String> {
    let mut lines: Vec<String> = own.map(str::to_owned).into_iter().collect();
    for member in members {
        if let Some(description) = member.description() {
            lines.push(format!("- `{}`: {description}", member.value()));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn string(node: &mut Map<String, Value>, rules: &StringRules) {
    if !rules.members.is_empty() {
        node.insert("enum".into(), rules.members.iter().map(Member::value).collect());
    }
    insert(node, "minLength", rules.min_length);
    insert(node, "maxLength", rules.max_length);
}

fn number(node: &mut Map<String, Value>, rules: &NumberRules) {
    insert(node, "minimum", rules.minimum.map(to_value));
    insert(node, "maximum", rules.maximum.map(to_value));
    insert(node, "exclusiveMinimum", rules.exclusive_minimum.map(to_value));
    insert(node, "exclusiveMaximum", rules.exclusive_maximum.map(to_value));
    insert(node, "multipleOf", rules.multiple_of.map(to_value));
}

fn array(node: &mut Map<String, Value>, rules: &ArrayRules) {
    insert(node, "items", rules.items.as_deref().map(ValueSchema::to_json));
    insert(node, "minItems", rules.min_items);
    insert(node, "maxItems", rules.max_items);
}

fn object(node: &mut Map<String, Value>, rules: &ObjectRules) {
    let additional = match &rules.additional {
        Additional::Open => Value::Bool(true),
        Additional::Closed => Value::Bool(false),
        Additional::Schema(schema) => schema.to_json(),
    };
    node.insert("additionalProperties".into(), additional);
    let properties: Map<_, _> = rules
        .properties
        .iter()
        .map(|property| (property.name().to_owned(), property.schema.to_json()))
        .collect();
    node.insert("properties".into(), properties.into());
    let required: Vec<_> = rules.properties.iter().filter(|property| property.required).collect();
    if !required.is_empty() {
        node.insert("required".into(), required.iter().map(|property| property.name()).collect());
    }
}

fn insert(node: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        node.insert(key.into(), value.into());
    }
}

/// A bound as JSON; one beyond 64 bits is a decimal number, as JSON readers have it anyway.
fn to_value(number: Number) -> Value {
    match number {
        Number::Integer(value) => match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => value.into(),
            (_, Ok(value)) => value.into(),
            _ => number.approximate().into(),
        },
        Number::Float(value) => value.into(),
    }
}
