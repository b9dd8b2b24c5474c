//! A schema from JSON in which nothing is wrong.
//!
//! Nodes are listed parents first and built children first, so depth costs no stack.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::extended::nullable;
use crate::json::{Number, number};
use crate::schema::object::{Additional, ObjectRules, Property};
use crate::schema::parts::{Child, Json, Many, Text};
use crate::schema::pointer::{self, DEFINITIONS, Target};
use crate::schema::value::{
    Annotated, ArrayRules, Definition, Kind, Literal, Member, Members, NumberRules, Reference,
    StringRules, ValueSchema,
};

/// Builds what `assert.rs` found nothing wrong with.
pub(super) fn build(schema: &Value) -> ValueSchema {
    let root = schema.as_object();
    let mut drafts = vec![Draft::new(schema, None)];
    let mut next = 0;
    while next < drafts.len() {
        let node = drafts[next].node;
        for (slot, child) in children(node, next == 0) {
            drafts.push(Draft::new(child, Some((next, slot))));
        }
        next += 1;
    }
    loop {
        let Some(draft) = drafts.pop() else { return ValueSchema::json() };
        let parent = draft.parent;
        let built = draft.build(root);
        match parent {
            Some((parent, slot)) => drafts[parent].children.push((slot, built)),
            None => return built,
        }
    }
}

/// A node whose children are being built, the last one first.
struct Draft<'a> {
    node: &'a Map<String, Value>,
    parent: Option<(usize, Slot<'a>)>,
    children: Vec<(Slot<'a>, ValueSchema)>,
}

#[derive(Clone, Copy)]
enum Slot<'a> {
    Property(&'a str),
    Values,
    Items,
    Prefix,
    Branch,
    Definition(&'a str),
}

fn children(node: &Map<String, Value>, is_root: bool) -> Vec<(Slot<'_>, &Value)> {
    let mut children = Vec::new();
    for (key, value) in node {
        match (&**key, value) {
            ("properties", Value::Object(properties)) => {
                children
                    .extend(properties.iter().map(|(name, schema)| (Slot::Property(name), schema)));
            }
            ("additionalProperties", schema @ Value::Object(_)) => {
                children.push((Slot::Values, schema));
            }
            ("items", schema) => children.push((Slot::Items, schema)),
            ("prefixItems", Value::Array(items)) => {
                children.extend(items.iter().map(|schema| (Slot::Prefix, schema)));
            }
            ("oneOf" | "anyOf" | "allOf", Value::Array(branches)) => {
                children.extend(branches.iter().map(|schema| (Slot::Branch, schema)));
            }
            (keyword, Value::Object(definitions)) if is_root && DEFINITIONS.contains(&keyword) => {
                children.extend(
                    definitions.iter().map(|(name, schema)| (Slot::Definition(name), schema)),
                );
            }
            _ => {}
        }
    }
    children
}

impl<'a> Draft<'a> {
    fn new(schema: &'a Value, parent: Option<(usize, Slot<'a>)>) -> Self {
        static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
        let node = schema.as_object().unwrap_or(&EMPTY);
        Self { node, parent, children: Vec::new() }
    }

    fn build(mut self, root: Option<&Map<String, Value>>) -> ValueSchema {
        self.children.reverse();
        let mut parts = Parts::default();
        for (slot, schema) in self.children.drain(..) {
            match slot {
                Slot::Property(name) => {
                    parts.properties.push(Property::new(name.to_owned(), schema, false));
                }
                Slot::Values => parts.values = Some(schema),
                Slot::Items => parts.items = Some(schema),
                Slot::Prefix => parts.prefix.push(schema),
                Slot::Branch => parts.branches.push(schema),
                Slot::Definition(name) => {
                    parts.definitions.push(Definition { name: Text::from(name), schema });
                }
            }
        }
        let node = self.node;
        let definitions = std::mem::take(&mut parts.definitions);
        let mut schema = ValueSchema::new(kind(node, parts, root));
        schema.notes = notes(node);
        if !definitions.is_empty() {
            schema.definitions = definitions.into();
        }
        schema
    }
}

/// The children of a node by what they are.
#[derive(Default)]
struct Parts {
    properties: Vec<Property>,
    values: Option<ValueSchema>,
    items: Option<ValueSchema>,
    prefix: Vec<ValueSchema>,
    branches: Vec<ValueSchema>,
    definitions: Vec<Definition>,
}

fn kind(node: &Map<String, Value>, parts: Parts, root: Option<&Map<String, Value>>) -> Kind {
    if let Some(target) = node.get("$ref") {
        let reference = Kind::Reference(resolve(target, root));
        // Nothing stands beside `$ref`, so what this place says about it encloses it.
        let says_something = node.keys().any(|key| ANNOTATIONS.contains(&&**key));
        return if says_something {
            Kind::AnyOf(vec![ValueSchema::new(reference)].into())
        } else {
            reference
        };
    }
    match (node.get("type"), node.contains_key("oneOf"), node.contains_key("anyOf")) {
        (Some(Value::Array(names)), ..) => or_null(nullable(names).unwrap_or("null"), node, parts),
        (Some(name), ..) => typed(name.as_str().unwrap_or_default(), node, parts),
        (None, true, _) => Kind::OneOf(parts.branches.into()),
        (None, _, true) => Kind::AnyOf(parts.branches.into()),
        (None, false, false) if !parts.branches.is_empty() => merged(parts.branches),
        (None, false, false) => Kind::Json,
    }
}

/// A type that may be null, unless its literals leave null out.
fn or_null(name: &str, node: &Map<String, Value>, parts: Parts) -> Kind {
    let members = node.get("enum").and_then(Value::as_array).map(Vec::as_slice);
    let exactly = node.get("const");
    if exactly.is_some_and(Value::is_null)
        || members.is_some_and(|members| members.iter().all(Value::is_null))
    {
        return Kind::Null(Members::ANY);
    }
    let inner = typed(name, node, parts);
    if exactly.is_some() || members.is_some_and(|members| !members.contains(&Value::Null)) {
        return inner;
    }
    Kind::AnyOf(vec![ValueSchema::new(inner), ValueSchema::null()].into())
}

const ANNOTATIONS: [&str; 5] = ["description", "title", "default", "examples", "deprecated"];

/// `allOf`: one branch as it is, or the objects of all branches as one.
fn merged(mut branches: Vec<ValueSchema>) -> Kind {
    if branches.len() == 1 {
        return Kind::AnyOf(branches.into());
    }
    let mut properties = Vec::new();
    for branch in &mut branches {
        properties.extend(branch.properties().cloned());
    }
    Kind::Object(ObjectRules {
        properties: Some(properties.into()),
        ..ObjectRules::constant(&[], Additional::Unstated)
    })
}

/// The place of what a reference leads to, among the definitions in the order of their keywords.
fn resolve(target: &Value, root: Option<&Map<String, Value>>) -> Reference {
    let Some(Target::Definition { keyword, name }) = target.as_str().and_then(pointer::read) else {
        return Reference::Root;
    };
    let keywords = root.into_iter().flatten().filter(|(key, _)| DEFINITIONS.contains(&&***key));
    let mut names = keywords.flat_map(|(key, definitions)| {
        definitions.as_object().into_iter().flat_map(Map::keys).map(move |name| (key, name))
    });
    let place = names.position(|(key, other)| key == keyword && *other == name);
    place.map_or(Reference::Root, Reference::Definition)
}

fn typed(name: &str, node: &Map<String, Value>, parts: Parts) -> Kind {
    let count = |keyword: &str| node.get(keyword).and_then(Value::as_u64);
    match name {
        "object" => object(node, parts),
        "array" => Kind::Array(ArrayRules {
            prefix: parts.prefix.into(),
            items: parts.items.map(Child::from),
            min_items: count("minItems"),
            max_items: count("maxItems"),
            unique_items: node.get("uniqueItems").is_some_and(|unique| *unique == true),
        }),
        "string" => Kind::String(
            members(node),
            StringRules {
                min_length: count("minLength"),
                max_length: count("maxLength"),
                pattern: text(node, "pattern"),
                format: text(node, "format"),
            },
        ),
        "integer" => Kind::Integer(members(node), number_rules(node)),
        "number" => Kind::Number(members(node), number_rules(node)),
        "boolean" => Kind::Boolean(members(node)),
        _ => Kind::Null(members(node)),
    }
}

fn object(node: &Map<String, Value>, mut parts: Parts) -> Kind {
    let required: Vec<&str> = node
        .get("required")
        .and_then(Value::as_array)
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    for property in &mut parts.properties {
        property.required = required.contains(&property.name());
    }
    let declared: Vec<&str> =
        parts.properties.iter().filter(|p| p.is_required()).map(Property::name).collect();
    // An empty list is told from none, and an order of its own is kept.
    let listed = (node.contains_key("required") && (declared != required || required.is_empty()))
        .then(|| Many::Shared(required.iter().map(|name| Text::from(*name)).collect()));
    let count = |keyword: &str| node.get(keyword).and_then(Value::as_u64);
    let additional = match (parts.values, node.get("additionalProperties")) {
        (Some(values), _) => Additional::Schema(Child::from(values)),
        (None, None) => Additional::Unstated,
        (None, Some(open)) if *open == true => Additional::Open,
        (None, Some(_)) => Additional::Closed,
    };
    Kind::Object(ObjectRules {
        properties: node.contains_key("properties").then(|| parts.properties.into()),
        additional,
        listed,
        min_properties: count("minProperties"),
        max_properties: count("maxProperties"),
    })
}

fn members(node: &Map<String, Value>) -> Members {
    let any_of = node.get("enum").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let member = |value| Member { value: literal(value), description: None };
    // Of a nullable type, null is a branch beside this one; of null there is only one literal.
    let nullable = node.get("type").is_some_and(Value::is_array);
    let any_of = any_of.iter().filter(|value| !nullable || !value.is_null());
    let any_of: Vec<_> = any_of.map(member).collect();
    Members {
        any_of: if any_of.is_empty() { Many::Static(&[]) } else { any_of.into() },
        exactly: node.get("const").map(literal),
    }
}

fn literal(value: &Value) -> Literal {
    match value {
        Value::Bool(value) => Literal::Boolean(*value),
        Value::Number(written) => number(written).map_or(Literal::Null, Literal::Number),
        Value::String(text) => Literal::Text(Text::from(&**text)),
        _ => Literal::Null,
    }
}

fn number_rules(node: &Map<String, Value>) -> NumberRules {
    let bound = |keyword: &str| -> Option<Number> { number(node.get(keyword)?.as_number()?) };
    NumberRules {
        minimum: bound("minimum"),
        maximum: bound("maximum"),
        exclusive_minimum: bound("exclusiveMinimum"),
        exclusive_maximum: bound("exclusiveMaximum"),
        multiple_of: bound("multipleOf"),
    }
}

fn notes(node: &Map<String, Value>) -> Annotated {
    Annotated {
        description: text(node, "description"),
        title: text(node, "title"),
        default: node.get("default").cloned().map(Json::from),
        examples: node.get("examples").cloned().map(Json::from),
        deprecated: node.get("deprecated").is_some_and(|deprecated| *deprecated == true),
    }
}

fn text(node: &Map<String, Value>, keyword: &str) -> Option<Text> {
    node.get(keyword).and_then(Value::as_str).map(|text| Text::Shared(Arc::from(text)))
}
