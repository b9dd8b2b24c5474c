//! The rules of a constant schema, checked while the user's crate compiles.
//!
//! A constant's span only points at the tool, so every finding carries the path of the node.
//! Constant evaluation stops at the first finding.

use super::default::{all_fit, fits};
use super::flat::{comes_behind_map, flat, own, repeated_key};
use super::message::{At, Message, Step, same};
use super::object::{Additional, ObjectRules};
use super::parts::Json;
use super::rules::{Finding, REPEATED_MEMBER, REPEATED_PROPERTY, own_fault};
use super::value::{ArrayRules, Fault, Kind, Literal, Member, ValueSchema};

/// Refuses a constant schema that breaks a rule, by a panic that names subject, path and rule.
///
/// # Panics
/// Meant for constant evaluation, where a panic is a compile error.
#[track_caller]
pub(crate) const fn check_constant(subject: &[&str], schema: &'static ValueSchema) {
    walk(&At { subject, above: None, step: Step::Root }, schema);
}

/// Panics with these pieces of text, in constant evaluation.
///
/// # Panics
/// Always.
#[track_caller]
pub(crate) const fn refuse(pieces: &[&str]) -> ! {
    Message::new(pieces).fail()
}

/// Why a schema cannot be that of the arguments of a tool.
pub(crate) const fn not_arguments(schema: &'static ValueSchema) -> Option<Finding> {
    match &schema.kind {
        Kind::Object(_) => None,
        Kind::OneOf(_) | Kind::AnyOf(_) => Some((
            "the arguments of a tool are one object, and this type is an enum with data or an \
             `Option`",
            "; providers refuse such a choice at the root, ",
            "so take a struct that has it as a field, or mark the parameter `#[arg]`",
        )),
        _ => Some((
            "the arguments of a tool are an object, and this type is ",
            schema.kind_name(),
            "; use a struct with named fields, or mark the parameter `#[arg]`",
        )),
    }
}

#[track_caller]
const fn walk(at: &At<'_>, schema: &'static ValueSchema) {
    if let Some(fault) = own_fault(schema) {
        Message::at(at).finding(fault).fail();
    }
    if let Some(fault) = note_fault(schema) {
        Message::at(at).finding(fault).fail();
    }
    match &schema.kind {
        Kind::String(members, _) => {
            if let Some(value) = repeated_member(members.any_of.as_const()) {
                Message::at(at).push("`").push(value).push(REPEATED_MEMBER).fail();
            }
        }
        Kind::Array(ArrayRules { prefix, items, .. }) => {
            walk_branches(at, prefix.as_const());
            if let Some(items) = items {
                walk(&at.step(Step::Items), items.as_const());
            }
        }
        Kind::Object(rules) => walk_object(at, rules),
        Kind::OneOf(branches) | Kind::AnyOf(branches) => walk_branches(at, branches.as_const()),
        // A type that contains itself was walked where it stands first.
        _ => {}
    }
}

#[track_caller]
const fn walk_branches(at: &At<'_>, branches: &'static [ValueSchema]) {
    let mut index = 0;
    while index < branches.len() {
        walk(&at.step(Step::Branch(index)), &branches[index]);
        index += 1;
    }
}

/// Whether the default and the examples fit, as far as constant evaluation can tell.
const fn note_fault(schema: &'static ValueSchema) -> Option<Finding> {
    const TELLS: &str = " tells a model a value that this schema refuses";
    if let Some(Json::Static(default)) = &schema.notes.default
        && !fits(default, schema)
    {
        return Some(("default", TELLS, ", by its type or its bounds"));
    }
    if let Some(Json::Static(examples)) = &schema.notes.examples
        && !all_fit(examples, schema)
    {
        return Some(("example", TELLS, ", by its type or its bounds"));
    }
    None
}

#[track_caller]
const fn walk_object(at: &At<'_>, rules: &'static ObjectRules) {
    if let Some(name) = repeated_key(rules, rules) {
        Message::at(at).push("`").push(name).push(REPEATED_PROPERTY).fail();
    }
    walk_properties(at, rules);
}

/// Walks the properties, those of flattened objects as if they stood here.
#[track_caller]
const fn walk_properties(at: &At<'_>, rules: &'static ObjectRules) {
    let properties = own(rules);
    let mut index = 0;
    while index < properties.len() {
        let property = &properties[index];
        let below = at.step(Step::Property(property.name.as_const()));
        match flat(property) {
            Some(flat) if property.schema.fault.is_none() => {
                if comes_behind_map(properties, index, flat) {
                    Message::at(&below).finding(Fault::FlatBehindMap.text(&property.schema)).fail();
                }
                walk_properties(at, flat);
            }
            _ => walk(&below, &property.schema),
        }
        index += 1;
    }
    if let Additional::Schema(values) = &rules.additional {
        walk(&at.step(Step::Values), values.as_const());
    }
}

const fn repeated_member(members: &'static [Member]) -> Option<&'static str> {
    let mut index = 0;
    while index < members.len() {
        let mut other = 0;
        while other < index {
            if let (Literal::Text(a), Literal::Text(b)) =
                (&members[other].value, &members[index].value)
                && same(a.as_const(), b.as_const())
            {
                return Some(b.as_const());
            }
            other += 1;
        }
        index += 1;
    }
    None
}
