//! The JSON text of a schema that a model is shown.
//!
//! Plain on purpose, since one word that one provider does not know costs the whole tool list:
//! never a boolean schema made by us, never a numeric `format`, nested types written out, and
//! `$defs` only for types that contain themselves. The walk keeps its own stack.

use serde_json::{Map, Value, json};

use super::object::{Additional, ObjectRules};
use super::parts::Json;
use super::pointer;
use super::value::{
    ArrayRules, Kind, Literal, Member, Members, NumberRules, Reference, StringRules, ValueSchema,
};
use crate::json::Number;

impl ValueSchema {
    /// The schema as JSON Schema, the way a model is shown it.
    ///
    /// Keys come in a fixed order, so equal schemas give equal bytes.
    pub fn to_json(&self) -> Value {
        let mut projection = Projection { root: self, nodes: Vec::new(), defined: Vec::new() };
        projection.add(None, self);
        let mut next = 0;
        while next < projection.nodes.len() {
            projection.visit(next);
            next += 1;
        }
        projection.assemble()
    }
}

/// All nodes, parents before children; each is put into its place in its parent at the end.
struct Projection<'a> {
    root: &'a ValueSchema,
    nodes: Vec<Node<'a>>,
    /// The types that contain themselves: name of the type, name in `$defs`.
    defined: Vec<(&'static str, String)>,
}

struct Node<'a> {
    schema: &'a ValueSchema,
    place: Option<(usize, Place<'a>)>,
    json: Map<String, Value>,
}

/// Where a child stands in its parent.
enum Place<'a> {
    Keyword(&'static str),
    Branch(&'static str, usize),
    Property(&'a str),
    Definition(String),
}

impl<'a> Projection<'a> {
    fn add(&mut self, place: Option<(usize, Place<'a>)>, schema: &'a ValueSchema) {
        self.nodes.push(Node { schema, place, json: Map::new() });
    }

    fn visit(&mut self, index: usize) {
        let written = self.nodes[index].schema;
        let schema = resolve(written);
        self.nodes[index].schema = schema;
        let mut json = Map::new();
        if let Some(name) = self.recursion(index) {
            // Nothing may stand beside `$ref`, so what the field says encloses it.
            let target = json!({ "$ref": format!("#/$defs/{name}") });
            match written.description() {
                Some(_) if !std::ptr::eq(written, schema) => {
                    json.insert("anyOf".into(), json!([target]));
                    annotate(&mut json, written, &[]);
                }
                _ => insert(&mut json, "$ref", Some(target["$ref"].clone())),
            }
            self.nodes[index].json = json;
            return;
        }
        match &schema.kind {
            Kind::Json => annotate(&mut json, schema, &[]),
            Kind::Null(members) => scalar(&mut json, schema, "null", members),
            Kind::Boolean(members) => scalar(&mut json, schema, "boolean", members),
            Kind::String(members, rules) => {
                scalar(&mut json, schema, "string", members);
                string(&mut json, rules);
            }
            Kind::Integer(members, rules) => {
                scalar(&mut json, schema, "integer", members);
                number(&mut json, rules);
            }
            Kind::Number(members, rules) => {
                scalar(&mut json, schema, "number", members);
                number(&mut json, rules);
            }
            Kind::Array(rules) => {
                open(&mut json, schema, "array");
                self.array(index, &mut json, rules);
            }
            Kind::Object(rules) => {
                open(&mut json, schema, "object");
                self.object(index, &mut json, rules);
            }
            Kind::OneOf(branches) => self.union(index, &mut json, "oneOf", branches),
            Kind::AnyOf(branches) => self.union(index, &mut json, "anyOf", branches),
            Kind::Reference(reference) => insert(&mut json, "$ref", Some(self.target(*reference))),
        }
        if index == 0 && !schema.definitions.is_empty() {
            let definitions = schema.definitions.iter().map(|d| (d.name.to_string(), Value::Null));
            json.insert("$defs".into(), Value::Object(definitions.collect()));
            for definition in &*schema.definitions {
                let place = Place::Definition(definition.name.to_string());
                self.add(Some((0, place)), &definition.schema);
            }
        }
        if !std::ptr::eq(written, schema) {
            // What a field says goes before what its type says.
            annotate(&mut json, written, &[]);
        }
        self.nodes[index].json = json;
    }

    fn array(&mut self, index: usize, json: &mut Map<String, Value>, rules: &'a ArrayRules) {
        if !rules.prefix.is_empty() {
            json.insert("prefixItems".into(), vec![Value::Null; rules.prefix.len()].into());
            for (place, schema) in rules.prefix.iter().enumerate() {
                self.add(Some((index, Place::Branch("prefixItems", place))), schema);
            }
        }
        if let Some(items) = &rules.items {
            json.insert("items".into(), Value::Null);
            self.add(Some((index, Place::Keyword("items"))), items);
        }
        insert(json, "minItems", rules.min_items);
        insert(json, "maxItems", rules.max_items);
        insert(json, "uniqueItems", rules.unique_items.then_some(true));
    }

    fn object(&mut self, index: usize, json: &mut Map<String, Value>, rules: &'a ObjectRules) {
        match rules.others() {
            Additional::Unstated => {}
            Additional::Open => insert(json, "additionalProperties", Some(true)),
            Additional::Closed => insert(json, "additionalProperties", Some(false)),
            Additional::Schema(schema) => {
                json.insert("additionalProperties".into(), Value::Null);
                self.add(Some((index, Place::Keyword("additionalProperties"))), schema);
            }
        }
        if rules.properties.is_some() {
            let names = rules.declared().map(|property| (property.name().to_owned(), Value::Null));
            json.insert("properties".into(), Value::Object(names.collect()));
            for property in rules.declared() {
                self.add(Some((index, Place::Property(property.name()))), &property.schema);
            }
        }
        let required: Vec<_> = rules.required().collect();
        if !required.is_empty() || rules.listed.is_some() {
            json.insert("required".into(), required.into());
        }
        insert(json, "minProperties", rules.min_properties);
        insert(json, "maxProperties", rules.max_properties);
    }

    fn union(
        &mut self,
        index: usize,
        json: &mut Map<String, Value>,
        keyword: &'static str,
        branches: &'a [ValueSchema],
    ) {
        json.insert(keyword.into(), vec![Value::Null; branches.len()].into());
        for (place, schema) in branches.iter().enumerate() {
            self.add(Some((index, Place::Branch(keyword, place))), schema);
        }
        annotate(json, self.nodes[index].schema, &[]);
    }

    /// Where a reference of a parsed schema leads.
    fn target(&self, reference: Reference) -> String {
        match reference {
            Reference::Definition(place) => {
                pointer::write(self.root.definitions.get(place).map_or("", |d| &*d.name))
            }
            Reference::Root | Reference::Type(_) => "#".to_owned(),
        }
    }

    /// The name in `$defs` for a type that stands inside itself.
    fn recursion(&mut self, index: usize) -> Option<String> {
        let name = self.nodes[index].schema.type_name()?;
        let mut above = self.nodes[index].place.as_ref();
        if let Some((_, Place::Definition(_))) = above {
            // This is where the type is written out.
            return None;
        }
        while let Some((parent, _)) = above {
            if self.nodes[*parent].schema.type_name() == Some(name) {
                return Some(self.define(index, name));
            }
            above = self.nodes[*parent].place.as_ref();
        }
        None
    }

    fn define(&mut self, index: usize, name: &'static str) -> String {
        if let Some((_, short)) = self.defined.iter().find(|(defined, _)| *defined == name) {
            return short.clone();
        }
        let path = name.split('<').next().unwrap_or(name);
        let last = path.rsplit("::").next().unwrap_or(path);
        let alike = self.defined.iter().filter(|(_, short)| short.starts_with(last)).count();
        let short = if alike == 0 { last.to_owned() } else { format!("{last}{}", alike + 1) };
        self.defined.push((name, short.clone()));
        let schema = self.nodes[index].schema;
        self.add(Some((0, Place::Definition(short.clone()))), schema);
        short
    }

    /// Puts every node into its parent, the last ones first, so that a node is whole when it moves.
    fn assemble(mut self) -> Value {
        while self.nodes.len() > 1 {
            let Some(Node { place, json, .. }) = self.nodes.pop() else { break };
            let Some((parent, place)) = place else { break };
            let slot = self.nodes[parent].slot(place);
            *slot = json.into();
        }
        self.nodes.pop().map(|root| root.json).unwrap_or_default().into()
    }
}

impl Node<'_> {
    fn slot(&mut self, place: Place<'_>) -> &mut Value {
        match place {
            Place::Keyword(keyword) => self.json.entry(keyword).or_insert(Value::Null),
            Place::Branch(keyword, index) => {
                &mut self.json.entry(keyword).or_insert_with(|| json!([]))[index]
            }
            Place::Property(name) => {
                &mut self.json.entry("properties").or_insert_with(|| json!({}))[name]
            }
            Place::Definition(name) => {
                &mut self.json.entry("$defs").or_insert_with(|| json!({}))[name]
            }
        }
    }
}

/// What a reference to a Rust type leads to; a parsed reference stays one.
fn resolve(schema: &ValueSchema) -> &ValueSchema {
    let mut schema = schema;
    while let Kind::Reference(Reference::Type(target)) = &schema.kind {
        schema = target();
    }
    schema
}

fn scalar(json: &mut Map<String, Value>, schema: &ValueSchema, name: &str, members: &Members) {
    json.insert("type".into(), name.into());
    annotate(json, schema, &members.any_of);
    if !members.any_of.is_empty() {
        let values: Value = members.any_of.iter().map(|member| member.value.to_value()).collect();
        json.insert("enum".into(), values);
    }
    insert(json, "const", members.exactly.as_ref().map(Literal::to_value));
}

fn open(json: &mut Map<String, Value>, schema: &ValueSchema, name: &str) {
    json.insert("type".into(), name.into());
    annotate(json, schema, &[]);
}

fn annotate(json: &mut Map<String, Value>, schema: &ValueSchema, members: &[Member]) {
    insert(json, "description", describe(schema.description(), members));
    insert(json, "title", schema.title());
    insert(json, "default", schema.notes.default.as_ref().map(Json::to_value));
    insert(json, "examples", schema.notes.examples.as_ref().map(Json::to_value));
    insert(json, "deprecated", schema.notes.deprecated.then_some(true));
}

/// The description, with what each documented member means below it.
///
/// A list in the text reaches every model; `oneOf` with a description a branch does not.
fn describe(own: Option<&str>, members: &[Member]) -> Option<String> {
    let mut lines: Vec<String> = own.map(str::to_owned).into_iter().collect();
    for member in members {
        if let Some(description) = member.description() {
            let value = match &member.value {
                Literal::Text(text) => text.to_string(),
                other => other.to_value().to_string(),
            };
            lines.push(format!("- `{value}`: {description}"));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn string(json: &mut Map<String, Value>, rules: &StringRules) {
    insert(json, "minLength", rules.min_length);
    insert(json, "maxLength", rules.max_length);
    insert(json, "pattern", rules.pattern.as_deref());
    insert(json, "format", rules.format.as_deref());
}

fn number(json: &mut Map<String, Value>, rules: &NumberRules) {
    insert(json, "minimum", rules.minimum.map(Number::to_value));
    insert(json, "maximum", rules.maximum.map(Number::to_value));
    insert(json, "exclusiveMinimum", rules.exclusive_minimum.map(Number::to_value));
    insert(json, "exclusiveMaximum", rules.exclusive_maximum.map(Number::to_value));
    insert(json, "multipleOf", rules.multiple_of.map(Number::to_value));
}

fn insert(json: &mut Map<String, Value>, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        json.insert(key.into(), value.into());
    }
}

impl Literal {
    pub(super) fn to_value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Boolean(value) => (*value).into(),
            Self::Number(number) => number.to_value(),
            Self::Text(text) => (&**text).into(),
        }
    }
}
