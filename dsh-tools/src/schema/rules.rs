//! Rules a schema has to keep, checked while the user's crate compiles and when it is made from data.
//!
//! Every finding carries the path of the node, since a constant's span only points at the tool.
//! Constant evaluation stops at the first finding; [`faults`] collects them all at run time.

use std::collections::HashSet;

use super::path::{self, Paths, ROOT};
use super::pattern::Pattern;
use super::value::{
    Additional, ArrayRules, Fault, Kind, Literal, Member, Number, NumberRules, ObjectRules,
    Property, StringRules, ValueSchema,
};

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

#[track_caller]
const fn walk(at: &At<'_>, schema: &'static ValueSchema) {
    if let Some(fault) = own_fault(schema) {
        Message::at(at).push(fault.0).push(fault.1).push(fault.2).fail();
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

#[track_caller]
const fn walk_object(at: &At<'_>, rules: &'static ObjectRules) {
    let properties = match &rules.properties {
        Some(properties) => properties.as_const(),
        None => &[],
    };
    let mut index = 0;
    while index < properties.len() {
        let name = properties[index].name.as_const();
        let mut other = 0;
        while other < index {
            if same(properties[other].name.as_const(), name) {
                Message::at(at).push("`").push(name).push(REPEATED_PROPERTY).fail();
            }
            other += 1;
        }
        walk(&at.step(Step::Property(name)), &properties[index].schema);
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

const REPEATED_PROPERTY: &str = "` is the name of two properties, give one of them another name \
    (renaming counts: `rename` and `rename_all` make the names that a model sees)";
const NO_VALUE: &str = " leave no value that fits (the bounds of the Rust type count too)";
const REPEATED_MEMBER: &str = "` is the name of two enum members, give one of them another name";

/// What is wrong with a node by itself, in three pieces, since constants cannot join text.
const fn own_fault(schema: &ValueSchema) -> Option<(&'static str, &'static str, &'static str)> {
    if let Some(fault) = schema.fault {
        return Some(match fault {
            Fault::Misplaced { keyword, applies_to } => match schema.kind {
                Kind::String(..) => (keyword, " does not apply to a string, only to ", applies_to),
                Kind::Integer(..) => {
                    (keyword, " does not apply to an integer, only to ", applies_to)
                }
                Kind::Number(..) => (keyword, " does not apply to a number, only to ", applies_to),
                Kind::Array(_) => (keyword, " does not apply to an array, only to ", applies_to),
                Kind::Boolean(_) => (keyword, " does not apply to a boolean, only to ", applies_to),
                _ => (keyword, " does not apply to this type, only to ", applies_to),
            },
            Fault::OmittedButRequired => (
                "serde may leave this property out (`skip_serializing_if`) but demands it when \
                 reading",
                ", so no schema fits both: ",
                "add `#[serde(default)]`, or make it an `Option`",
            ),
            Fault::NotFlat => {
                ("serde(flatten)", " needs a struct or a map with string keys, ", "this is neither")
            }
        });
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

/// Where a constant walk is: a list on the stack, from the node to the root.
struct At<'a> {
    subject: &'a [&'a str],
    above: Option<&'a At<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Root,
    Property(&'a str),
    Items,
    Values,
    Branch(usize),
}

impl<'a> At<'a> {
    const fn step(&'a self, step: Step<'a>) -> Self {
        At { subject: self.subject, above: Some(self), step }
    }
}

/// Text put together while a crate compiles.
struct Message {
    bytes: [u8; Self::ROOM],
    length: usize,
}

impl Message {
    const ROOM: usize = 2048;

    /// `<subject>: $.path: `, the start of every finding.
    const fn at(at: &At<'_>) -> Self {
        Self::new(at.subject).push(": ").path(at).push(": ")
    }

    const fn new(pieces: &[&str]) -> Self {
        let mut message = Self { bytes: [0; Self::ROOM], length: 0 };
        let mut index = 0;
        while index < pieces.len() {
            message = message.push(pieces[index]);
            index += 1;
        }
        message
    }

    const fn path(self, at: &At<'_>) -> Self {
        let message = match at.above {
            Some(above) => self.path(above),
            None => self,
        };
        match at.step {
            Step::Root => message.push("$"),
            Step::Property(name) => message.push(".").push(name),
            Step::Items => message.push("[]"),
            Step::Values => message.push("{}"),
            Step::Branch(index) => message.push("<").digits(index).push(">"),
        }
    }

    /// Appends whole texts only, so what is there stays valid UTF-8 when the room is used up.
    const fn push(mut self, text: &str) -> Self {
        let text = text.as_bytes();
        if self.length + text.len() <= Self::ROOM {
            let mut index = 0;
            while index < text.len() {
                self.bytes[self.length] = text[index];
                self.length += 1;
                index += 1;
            }
        }
        self
    }

    const fn digits(self, number: usize) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let message = if number >= 10 { self.digits(number / 10) } else { self };
        message.push(DIGITS[number % 10])
    }

    #[track_caller]
    const fn fail(&self) -> ! {
        let (text, _) = self.bytes.split_at(self.length);
        match std::str::from_utf8(text) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("a schema rule is broken"),
        }
    }
}

/// Whether two texts are equal, in constant evaluation.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}
