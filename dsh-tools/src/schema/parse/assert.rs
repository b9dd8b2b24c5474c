//! Everything that is wrong with a JSON Schema, in walk order.
//!
//! The texts and their order are those of the specification (R-SCH-26 to R-SCH-34).

use serde_json::{Map, Value};

use super::Vocabulary;
use super::extended;
use crate::json::{is_lossless, number};
use crate::schema::Number;
use crate::schema::path::{At, Paths, ROOT, Step};

/// Every violation of the vocabulary.
pub(super) fn violations(schema: &Value, vocabulary: Vocabulary) -> Vec<String> {
    let mut walk = Assertion {
        vocabulary,
        root: schema,
        paths: Paths::new(),
        todo: vec![Work::Node(schema, ROOT)],
        found: Vec::new(),
    };
    while let Some(work) = walk.todo.pop() {
        match work {
            Work::Node(node, at) => walk.node(node, at),
            Work::Misplaced(node, at, beside) => walk.misplaced(node, at, beside),
            Work::Names(node, at) => walk.names(node, at),
        }
    }
    walk.found
}

pub(super) struct Assertion<'a> {
    pub(super) vocabulary: Vocabulary,
    pub(super) root: &'a Value,
    paths: Paths<'a>,
    todo: Vec<Work<'a>>,
    found: Vec<String>,
}

enum Work<'a> {
    Node(&'a Value, At),
    /// After the branches of a union: what may not stand beside it.
    Misplaced(&'a Map<String, Value>, At, &'static str),
    /// After the properties: what is said about names.
    Names(&'a Map<String, Value>, At),
}

pub(super) const TYPES: [&str; 7] =
    ["object", "array", "string", "number", "integer", "boolean", "null"];
const ANNOTATIONS: [&str; 4] = ["description", "title", "default", "examples"];
/// In the order in which misplaced ones are reported.
pub(super) const CONSTRAINTS: [&str; 6] =
    ["properties", "required", "additionalProperties", "items", "enum", "const"];

impl<'a> Assertion<'a> {
    fn node(&mut self, node: &'a Value, at: At) {
        let Value::Object(node) = node else {
            self.report(at, None, "must be a schema object");
            return;
        };
        self.keys(node, at);
        for key in ["description", "title"] {
            if node.get(key).is_some_and(|value| !value.is_string()) {
                self.report(at, Some(key), "must be a string");
            }
        }
        if self.vocabulary == Vocabulary::Extended && self.composed(node, at) {
            return;
        }
        match (node.get("type"), node.get("oneOf")) {
            (Some(_), Some(_)) => self.report(at, None, "cannot declare both type and oneOf"),
            (None, None) => self.misplaced(node, at, "requires type or oneOf"),
            (None, Some(branches)) => self.branches(node, at, "oneOf", branches, 2),
            (Some(name), None) => {
                if let Some(name) = self.type_name(name, at) {
                    self.typed(node, at, name);
                }
            }
        }
    }

    /// Keys that are not known, and annotations that JSON cannot hold.
    fn keys(&mut self, node: &Map<String, Value>, at: At) {
        for (key, value) in node {
            let known = key == "type" || key == "oneOf" || CONSTRAINTS.contains(&&**key);
            if ANNOTATIONS.contains(&&**key) {
                if !is_lossless(value) {
                    self.report(at, Some(key), "annotation must be lossless JSON data");
                }
            } else if !known && !self.is_extended(key) {
                self.report(
                    at,
                    Some(key),
                    "is not a supported keyword (subset: type/oneOf/properties/required/\
                     additionalProperties/items/enum/const + annotations)",
                );
            }
        }
    }

    fn is_extended(&self, key: &str) -> bool {
        self.vocabulary == Vocabulary::Extended && extended::is_known(key)
    }

    /// The branches of a union, then what may not stand beside them.
    pub(super) fn branches(
        &mut self,
        node: &'a Map<String, Value>,
        at: At,
        keyword: &'static str,
        branches: &'a Value,
        least: usize,
    ) {
        let beside = match keyword {
            "oneOf" => "is not supported beside oneOf",
            "anyOf" => "is not supported beside anyOf",
            _ => "is not supported beside allOf",
        };
        self.todo.push(Work::Misplaced(node, at, beside));
        match branches.as_array().filter(|branches| branches.len() >= least) {
            Some(branches) => {
                let steps = (0..branches.len()).map(|index| Step::Branch(keyword, index));
                self.children(at, steps.zip(branches));
            }
            None if least == 2 => {
                self.report(at, Some(keyword), "must be an array of at least two schemas");
            }
            None => self.report(at, Some(keyword), "must be a non-empty array of schemas"),
        }
    }

    fn misplaced(&mut self, node: &Map<String, Value>, at: At, text: &str) {
        let extended = self.vocabulary == Vocabulary::Extended;
        let more = if extended { &extended::CONSTRAINTS[..] } else { &[] };
        for keyword in CONSTRAINTS.iter().chain(more) {
            if node.contains_key(*keyword) {
                self.report(at, Some(keyword), text);
            }
        }
    }

    /// The one type a node has; a nullable one counts as what it is beside null.
    fn type_name(&mut self, written: &'a Value, at: At) -> Option<&'a str> {
        if let Value::Array(names) = written {
            let nullable = extended::nullable(names);
            if self.vocabulary == Vocabulary::Extended && nullable.is_some() {
                return nullable;
            }
            let text = "must be a single type string (type arrays are not supported)";
            self.report(at, Some("type"), text);
            return None;
        }
        let name = written.as_str().filter(|name| TYPES.contains(name));
        if name.is_none() {
            let text = "must be one of object/array/string/number/integer/boolean/null";
            self.report(at, Some("type"), text);
        }
        name
    }

    fn typed(&mut self, node: &'a Map<String, Value>, at: At, name: &'a str) {
        let own: &[&str] = match name {
            "object" => &["properties", "required", "additionalProperties"],
            "array" => &["items"],
            _ => &["enum", "const"],
        };
        for keyword in CONSTRAINTS.iter().filter(|keyword| !own.contains(keyword)) {
            if node.contains_key(*keyword) {
                self.report(at, Some(keyword), &format!("is not supported on type \"{name}\""));
            }
        }
        if self.vocabulary == Vocabulary::Extended {
            self.extended_keywords(node, at, name);
        }
        match name {
            "object" => self.object(node, at),
            "array" => {
                let items = node.get("items").map(|items| (Step::Keyword("items"), items));
                let prefix = node.get("prefixItems").and_then(Value::as_array);
                let prefix = prefix.into_iter().flatten().enumerate();
                let prefix = prefix.map(|(index, item)| (Step::Branch("prefixItems", index), item));
                self.children(at, prefix.chain(items).collect::<Vec<_>>().into_iter());
            }
            _ => self.literals(node, at, name),
        }
    }

    fn object(&mut self, node: &'a Map<String, Value>, at: At) {
        self.todo.push(Work::Names(node, at));
        match node.get("properties") {
            None => {}
            Some(Value::Object(properties)) => {
                let children = properties.iter();
                let children =
                    children.map(|(name, schema)| (Step::Named("properties", name), schema));
                self.children(at, children);
            }
            Some(_) => self.report(at, Some("properties"), "must be an object of schemas"),
        }
    }

    /// What is said about names, after the schemas of those that are declared.
    fn names(&mut self, node: &'a Map<String, Value>, at: At) {
        if let Some(required) = node.get("required") {
            match all_strings(required) {
                None => self.report(at, Some("required"), "must be an array of strings"),
                Some(names) => {
                    let declared = node.get("properties").and_then(Value::as_object);
                    let unknown = names.iter().filter(|name| {
                        !declared.is_some_and(|declared| declared.contains_key(**name))
                    });
                    for name in unknown {
                        let text = format!("names \"{name}\" which is not in properties");
                        self.report(at, Some("required"), &text);
                    }
                }
            }
        }
        match node.get("additionalProperties") {
            None | Some(Value::Bool(_)) => {}
            Some(schema @ Value::Object(_)) if self.vocabulary == Vocabulary::Extended => {
                self.children(at, [(Step::Keyword("additionalProperties"), schema)].into_iter());
            }
            Some(_) if self.vocabulary == Vocabulary::Extended => {
                self.report(at, Some("additionalProperties"), "must be a boolean or a schema");
            }
            Some(_) => self.report(at, Some("additionalProperties"), "must be a boolean"),
        }
    }

    fn literals(&mut self, node: &Map<String, Value>, at: At, name: &str) {
        let nullable = node.get("type").is_some_and(Value::is_array);
        let fits = |value: &Value| is_literal(value, name) || (nullable && value.is_null());
        let members = node.get("enum").map(|members| literals(members, fits));
        if members == Some(None) {
            let text = format!("must be a non-empty array of {name} values");
            self.report(at, Some("enum"), &text);
        }
        let Some(exactly) = node.get("const") else { return };
        if !fits(exactly) {
            self.report(at, Some("const"), &format!("must be a {name} value"));
        } else if let Some(Some(members)) = members
            && !members.iter().any(|member| same_scalar(member, exactly))
        {
            let path = self.paths.write("schema", at, Some(Step::Keyword("enum")));
            let text = format!("must be one of {path} when both are declared");
            self.report(at, Some("const"), &text);
        }
    }

    /// Walks children next, in their order.
    pub(super) fn children(
        &mut self,
        at: At,
        children: impl Iterator<Item = (Step<'a>, &'a Value)>,
    ) {
        let first = self.todo.len();
        for (step, child) in children {
            let at = self.paths.below(at, step);
            self.todo.push(Work::Node(child, at));
        }
        self.todo[first..].reverse();
    }

    /// Notes what is wrong with a node, or with one of its keywords.
    pub(super) fn report(&mut self, at: At, keyword: Option<&str>, text: &str) {
        let path = self.paths.write("schema", at, keyword.map(Step::Key));
        self.found.push(format!("{path} {text}"));
    }
}

fn all_strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// The members of an enum, if there are some and all fit.
fn literals(members: &Value, fits: impl Fn(&Value) -> bool) -> Option<&[Value]> {
    let members = members.as_array()?;
    let valid = !members.is_empty() && members.iter().all(fits);
    valid.then_some(members.as_slice())
}

fn is_literal(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("string", Value::String(_)) | ("boolean", Value::Bool(_)) | ("null", Value::Null) => true,
        ("number", Value::Number(written)) => number(written).is_some(),
        ("integer", Value::Number(written)) => number(written).is_some_and(Number::is_integral),
        _ => false,
    }
}

/// Equality of JSON scalars, numbers by value.
fn same_scalar(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (number(a), number(b)) {
            (Some(a), Some(b)) => a.equals(b),
            _ => false,
        },
        (a, b) => a == b,
    }
}
