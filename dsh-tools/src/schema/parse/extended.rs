//! The keywords beyond the strict subset: where they may stand, and what their values are.

use serde_json::{Map, Value};

use super::assert::{self, Assertion, TYPES};
use crate::json::number;
use crate::schema::path::{At, Step};
use crate::schema::pattern::Pattern;
use crate::schema::pointer::{self, DEFINITIONS, Target};

/// Those that constrain, and so need a type.
pub(super) const CONSTRAINTS: [&str; 15] = [
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "uniqueItems",
    "prefixItems",
    "minProperties",
    "maxProperties",
];

/// Those that combine, name and annotate.
const OTHERS: [&str; 9] =
    ["anyOf", "allOf", "$ref", "$defs", "definitions", "$schema", "$id", "$comment", "deprecated"];

/// Whether a keyword beyond the strict subset is known.
pub(super) fn is_known(keyword: &str) -> bool {
    CONSTRAINTS.contains(&keyword) || OTHERS.contains(&keyword)
}

/// What a nullable type is beside null: `["string", "null"]` in either order.
pub(super) fn nullable(names: &[Value]) -> Option<&str> {
    let name = match names {
        [name, null] | [null, name] if null == "null" => name.as_str()?,
        _ => return None,
    };
    (TYPES.contains(&name) && name != "null").then_some(name)
}

impl<'a> Assertion<'a> {
    /// References and unions other than `oneOf`; tells whether the node is one.
    pub(super) fn composed(&mut self, node: &'a Map<String, Value>, at: At) -> bool {
        self.definitions(node, at);
        if let Some(flag) = node.get("deprecated")
            && !flag.is_boolean()
        {
            self.report(at, Some("deprecated"), "must be a boolean");
        }
        let Some(keyword) = ["$ref", "anyOf", "allOf"].into_iter().find(|k| node.contains_key(*k))
        else {
            return false;
        };
        let others = ["type", "oneOf", "$ref", "anyOf", "allOf"].into_iter();
        for other in others.filter(|other| *other != keyword && node.contains_key(*other)) {
            self.report(at, None, &format!("cannot declare both {keyword} and {other}"));
        }
        match keyword {
            "$ref" => self.reference(node, at),
            "anyOf" => self.branches(node, at, "anyOf", &node["anyOf"], 1),
            _ => self.all_of(node, at),
        }
        true
    }

    fn definitions(&mut self, node: &'a Map<String, Value>, at: At) {
        let is_root = self.root.as_object().is_some_and(|root| std::ptr::eq(root, node));
        if !is_root && node.contains_key("$id") {
            // It would change what the references below it lead to.
            self.report(at, Some("$id"), "is only supported at the root");
        }
        for keyword in DEFINITIONS {
            match node.get(keyword) {
                None => {}
                Some(_) if !is_root => {
                    self.report(at, Some(keyword), "is only supported at the root");
                }
                Some(Value::Object(definitions)) => {
                    let other = node.get("$defs").filter(|_| keyword != "$defs");
                    let twice = |name: &&String| other.is_some_and(|o| o.get(&***name).is_some());
                    for name in definitions.keys().filter(twice) {
                        let text = format!("names \"{name}\" which is in $defs, too");
                        self.report(at, Some(keyword), &text);
                    }
                    let steps = definitions.iter();
                    let steps = steps.map(|(name, schema)| (Step::Named(keyword, name), schema));
                    self.children(at, steps);
                }
                Some(_) => self.report(at, Some(keyword), "must be an object of schemas"),
            }
        }
    }

    fn reference(&mut self, node: &Map<String, Value>, at: At) {
        let found = match node["$ref"].as_str().and_then(pointer::read) {
            None => false,
            Some(Target::Root) => true,
            Some(Target::Definition { keyword, name }) => self.root[keyword].get(name).is_some(),
        };
        if !found {
            let text = "must be \"#\" or name a schema in $defs of this document";
            self.report(at, Some("$ref"), text);
        }
        for keyword in node.keys().filter(|keyword| is_constraint(keyword)) {
            self.report(at, Some(keyword), "is not supported beside $ref");
        }
    }

    /// One branch, or objects that say nothing about the same name.
    fn all_of(&mut self, node: &'a Map<String, Value>, at: At) {
        self.branches(node, at, "allOf", &node["allOf"], 1);
        let branches = node["allOf"].as_array().map(Vec::as_slice).unwrap_or_default();
        if branches.len() > 1 && !can_merge(branches) {
            self.report(
                at,
                Some("allOf"),
                "can only be merged for objects with different properties and no other rule",
            );
        }
    }

    /// Keywords of a type: on the right one, with the right value.
    pub(super) fn extended_keywords(&mut self, node: &Map<String, Value>, at: At, name: &str) {
        for (keyword, value) in
            node.iter().filter(|(keyword, _)| CONSTRAINTS.contains(&&***keyword))
        {
            if !applies(keyword, name) {
                self.report(at, Some(keyword), &format!("is not supported on type \"{name}\""));
            } else if let Err(text) = check(keyword, value) {
                self.report(at, Some(keyword), &text);
            }
        }
    }
}

fn is_constraint(keyword: &str) -> bool {
    CONSTRAINTS.contains(&keyword) || assert::CONSTRAINTS.contains(&keyword)
}

fn applies(keyword: &str, name: &str) -> bool {
    match keyword {
        "minLength" | "maxLength" | "pattern" | "format" => name == "string",
        "minItems" | "maxItems" | "uniqueItems" | "prefixItems" => name == "array",
        "minProperties" | "maxProperties" => name == "object",
        _ => name == "number" || name == "integer",
    }
}

fn check(keyword: &str, value: &Value) -> Result<(), String> {
    let number = value.as_number().and_then(number);
    match keyword {
        "pattern" => {
            let pattern = value.as_str().ok_or("must be a string")?;
            Pattern::new(pattern).map(drop).map_err(|why| format!("cannot be used: {why}"))
        }
        "format" if !value.is_string() => Err("must be a string".to_owned()),
        "uniqueItems" if !value.is_boolean() => Err("must be a boolean".to_owned()),
        "prefixItems" if value.as_array().is_none_or(Vec::is_empty) => {
            Err("must be a non-empty array of schemas".to_owned())
        }
        "format" | "uniqueItems" | "prefixItems" => Ok(()),
        "multipleOf" if number.is_none_or(|number| number.approximate() <= 0.0) => {
            Err("must be a number above zero".to_owned())
        }
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
            number.map(drop).ok_or_else(|| "must be a number".to_owned())
        }
        _ => match value.as_u64() {
            Some(_) => Ok(()),
            None => Err("must be a whole number, zero or more".to_owned()),
        },
    }
}

/// Whether all branches are open objects, each with names of its own.
fn can_merge(branches: &[Value]) -> bool {
    const KNOWN: [&str; 6] =
        ["type", "properties", "required", "description", "title", "additionalProperties"];
    let mut names = std::collections::HashSet::new();
    branches.iter().all(|branch| {
        let Value::Object(branch) = branch else { return false };
        let properties = branch.get("properties").and_then(Value::as_object);
        branch.get("type").is_some_and(|name| name == "object")
            && branch.keys().all(|key| KNOWN.contains(&&**key))
            && branch.get("additionalProperties").is_none_or(|others| *others == true)
            && properties.is_none_or(|properties| properties.keys().all(|name| names.insert(name)))
    })
}
