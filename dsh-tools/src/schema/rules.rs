//! Rules a schema has to keep.
//!
//! `walk.rs` checks a constant while the user's crate compiles; [`faults`] collects everything that
//! is wrong with a schema made at run time.

use std::collections::HashSet;

use super::object::{Additional, ObjectRules, Property};
use super::path::{self, Paths, ROOT};
use super::pattern::Pattern;
use super::value::{ArrayRules, Fault, Kind, Member, NumberRules, StringRules, ValueSchema};
use crate::json::Number;

/// Every broken rule of a schema, as `<path>: <rule>`.
pub(crate) fn faults(schema: &ValueSchema) -> Vec<String> {
    let mut paths = Paths::new();
    let mut found = Vec::new();
    let mut todo = vec![(schema, ROOT)];
    while let Some((schema, at)) = todo.pop() {
        let mut report =
            |text: String| found.push(format!("{}: {text}", paths.write("$", at, None)));
        if let Some(fault) = own_fault(schema) {
            report(format!("{}{}{}", fault.0, fault.1, fault.2));
        }
        if let Kind::String(_, StringRules { pattern: Some(pattern), .. }) = &schema.kind
            && let Err(reason) = Pattern::new(pattern)
        {
            report(format!("the pattern cannot be used: {reason}"));
        }
        for name in repeated(schema.properties().map(Property::name)) {
            report(format!("`{name}{REPEATED_PROPERTY}"));
        }
        if let Kind::String(members, _) = &schema.kind {
            for name in repeated(members.any_of.iter().filter_map(Member::as_text)) {
                report(format!("`{name}{REPEATED_MEMBER}"));
            }
        }
        let first = todo.len();
        for (step, child) in children(schema) {
            todo.push((child, paths.below(at, step)));
        }
        todo[first..].reverse();
    }
    found
}

/// The schemas directly inside a schema, with the steps to them.
fn children(schema: &ValueSchema) -> Vec<(path::Step<'_>, &ValueSchema)> {
    use path::Step::{Branch, Key, Keyword};
    match &schema.kind {
        Kind::Array(rules) => {
            let prefix = rules.prefix.iter().enumerate();
            let prefix = prefix.map(|(index, schema)| (Branch("prefixItems", index), schema));
            prefix.chain(rules.items.as_deref().map(|items| (Keyword("items"), items))).collect()
        }
        Kind::Object(rules) => {
            let properties = rules.declared();
            let properties = properties.map(|property| (Key(property.name()), &property.schema));
            let values = match rules.others() {
                Additional::Schema(values) => Some((Keyword("additionalProperties"), &**values)),
                _ => None,
            };
            properties.chain(values).collect()
        }
        Kind::OneOf(branches) => {
            let branches = branches.iter().enumerate();
            branches.map(|(index, branch)| (Branch("oneOf", index), branch)).collect()
        }
        Kind::AnyOf(branches) => {
            let branches = branches.iter().enumerate();
            branches.map(|(index, branch)| (Branch("anyOf", index), branch)).collect()
        }
        _ => Vec::new(),
    }
}

/// The names that come again.
fn repeated<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = HashSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

pub(super) const REPEATED_PROPERTY: &str = "` is the name of two properties, give one of them another name \
    (renaming counts: `rename` and `rename_all` make the names that a model sees)";
const NO_VALUE: &str = " leave no value that fits (the bounds of the Rust type count too)";
pub(super) const REPEATED_MEMBER: &str =
    "` is the name of two enum members, give one of them another name";

/// What is wrong, in three pieces, since constants cannot join text.
pub(super) type Finding = (&'static str, &'static str, &'static str);

impl Fault {
    /// What is said of a fault of this schema.
    pub(super) const fn text(self, schema: &ValueSchema) -> Finding {
        match self {
            Self::Misplaced { keyword, applies_to } => match schema.kind {
                Kind::String(..) => (keyword, " does not apply to a string, only to ", applies_to),
                Kind::Integer(..) => {
                    (keyword, " does not apply to an integer, only to ", applies_to)
                }
                Kind::Number(..) => (keyword, " does not apply to a number, only to ", applies_to),
                Kind::Array(_) => (keyword, " does not apply to an array, only to ", applies_to),
                Kind::Object(_) => (keyword, " does not apply to an object, only to ", applies_to),
                Kind::Boolean(_) => (keyword, " does not apply to a boolean, only to ", applies_to),
                _ => (keyword, " does not apply to this type, only to ", applies_to),
            },
            Self::Repeated { keyword } => {
                (keyword, " is a rule of the type already", ", and a schema holds one of a kind")
            }
            Self::OmittedButRequired => (
                "serde may leave this property out (`skip_serializing_if`) but demands it when \
                 reading",
                ", so no schema fits both: ",
                "add `#[serde(default)]`, or make it an `Option`",
            ),
            Self::DefaultButRequired => (
                "schema(default) tells a model what is used when this property is missing",
                ", but serde demands it: ",
                "add `#[serde(default = \"…\")]`, or make it an `Option`",
            ),
            Self::NotFlat => {
                ("serde(flatten)", " needs a struct or a map with string keys, ", "this is neither")
            }
            Self::NotBesideTag => (
                "what stands beside the tag of an internally tagged enum",
                " is a struct or a map with string keys, and this is neither: ",
                "name the field, or give the content a place with `#[serde(content = \"…\")]`",
            ),
            Self::FlatBehindMap => (
                "serde(flatten)",
                " has to come last where a map is flattened, ",
                "since serde puts every key into the map that nothing before it has taken",
            ),
        }
    }
}

/// What is wrong with a node by itself.
pub(super) const fn own_fault(schema: &ValueSchema) -> Option<Finding> {
    if let Some(fault) = schema.fault {
        return Some(fault.text(schema));
    }
    if let Kind::Integer(_, rules) | Kind::Number(_, rules) = &schema.kind
        && let Some(step) = rules.multiple_of
        && !Number::Integer(0).less_than(step)
    {
        return Some(("multiple_of", " has to be", " above zero"));
    }
    let pair = match &schema.kind {
        Kind::Integer(_, rules) | Kind::Number(_, rules) => number_fault(rules),
        Kind::String(_, StringRules { min_length, max_length, .. }) => {
            above(*min_length, *max_length, ("min_length", " and max_length"))
        }
        Kind::Array(ArrayRules { min_items, max_items, .. }) => {
            above(*min_items, *max_items, ("min_items", " and max_items"))
        }
        Kind::Object(ObjectRules { min_properties, max_properties, .. }) => {
            above(*min_properties, *max_properties, ("min_properties", " and max_properties"))
        }
        _ => None,
    };
    match pair {
        Some((low, high)) => Some((low, high, NO_VALUE)),
        None => None,
    }
}

const fn number_fault(rules: &NumberRules) -> Option<(&'static str, &'static str)> {
    let NumberRules { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of: _ } =
        rules;
    if let (Some(low), Some(high)) = (minimum, maximum)
        && high.less_than(*low)
    {
        return Some(("minimum", " and maximum"));
    }
    if let (Some(low), Some(high)) = (exclusive_minimum, maximum)
        && !low.less_than(*high)
    {
        return Some(("exclusive_minimum", " and maximum"));
    }
    if let (Some(low), Some(high)) = (minimum, exclusive_maximum)
        && !low.less_than(*high)
    {
        return Some(("minimum", " and exclusive_maximum"));
    }
    if let (Some(low), Some(high)) = (exclusive_minimum, exclusive_maximum)
        && !low.less_than(*high)
    {
        return Some(("exclusive_minimum", " and exclusive_maximum"));
    }
    None
}

const fn above(
    low: Option<u64>,
    high: Option<u64>,
    names: (&'static str, &'static str),
) -> Option<(&'static str, &'static str)> {
    match (low, high) {
        (Some(low), Some(high)) if low > high => Some(names),
        _ => None,
    }
}
