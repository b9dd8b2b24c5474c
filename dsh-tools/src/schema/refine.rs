//! What a field adds to the schema of its type, in constant evaluation.

#![expect(missing_docs, reason = "named by generated code only, through `__private`")]

use super::object::ObjectRules;
use super::parts::{Many, Text};
use super::value::{ArrayRules, Fault, Kind, NumberRules, StringRules, ValueSchema};
use crate::json::Number;

/// What a doc comment or an attribute says, constraining nothing.
#[derive(Clone, Copy, Debug)]
pub struct Notes {
    pub title: Option<&'static str>,
    pub description: Option<&'static str>,
    /// JSON text.
    pub default: Option<&'static str>,
    /// JSON text of an array.
    pub examples: Option<&'static str>,
    pub deprecated: bool,
}

impl Notes {
    pub const NONE: Self =
        Self { title: None, description: None, default: None, examples: None, deprecated: false };
}

/// What a field adds to the schema of its type.
#[derive(Clone, Copy, Debug)]
pub struct Refinement {
    pub notes: Notes,
    pub minimum: Option<Number>,
    pub maximum: Option<Number>,
    pub exclusive_minimum: Option<Number>,
    pub exclusive_maximum: Option<Number>,
    pub multiple_of: Option<Number>,
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<&'static str>,
    pub format: Option<&'static str>,
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
    pub unique_items: bool,
    pub min_properties: Option<u64>,
    pub max_properties: Option<u64>,
}

impl Refinement {
    pub const NONE: Self = Self {
        notes: Notes::NONE,
        minimum: None,
        maximum: None,
        exclusive_minimum: None,
        exclusive_maximum: None,
        multiple_of: None,
        min_length: None,
        max_length: None,
        pattern: None,
        format: None,
        min_items: None,
        max_items: None,
        unique_items: false,
        min_properties: None,
        max_properties: None,
    };
}

/// The base with what a field says about it; both sets of rules hold.
#[expect(clippy::large_types_passed_by_value, reason = "it is only called while compiling")]
pub(super) const fn refined(base: &'static ValueSchema, refinement: Refinement) -> ValueSchema {
    let rules = &refinement;
    let kind = match &base.kind {
        Kind::Integer(members, own) => Kind::Integer(members.copied(), numbers(*own, rules)),
        Kind::Number(members, own) => Kind::Number(members.copied(), numbers(*own, rules)),
        Kind::String(members, own) => Kind::String(members.copied(), strings(own, rules)),
        Kind::Array(own) => Kind::Array(arrays(own, rules)),
        Kind::Object(own) => Kind::Object(objects(own, rules)),
        other => other.copied(),
    };
    let fault = match (misplaced(&base.kind, rules), repeated(&base.kind, rules)) {
        (Some(fault), _) | (None, Some(fault)) => Some(fault),
        (None, None) => base.fault,
    };
    ValueSchema {
        kind,
        notes: base.notes.copied(refinement.notes),
        type_name: base.type_name,
        definitions: Many::Static(&[]),
        fault,
    }
}

const fn numbers(own: NumberRules, added: &Refinement) -> NumberRules {
    NumberRules {
        minimum: greater(own.minimum, added.minimum),
        maximum: lesser(own.maximum, added.maximum),
        exclusive_minimum: greater(own.exclusive_minimum, added.exclusive_minimum),
        exclusive_maximum: lesser(own.exclusive_maximum, added.exclusive_maximum),
        multiple_of: match added.multiple_of {
            Some(step) => Some(step),
            None => own.multiple_of,
        },
    }
}

const fn strings(own: &'static StringRules, added: &Refinement) -> StringRules {
    StringRules {
        min_length: larger(own.min_length, added.min_length),
        max_length: smaller(own.max_length, added.max_length),
        pattern: Text::noted(added.pattern, own.pattern.as_ref()),
        format: Text::noted(added.format, own.format.as_ref()),
    }
}

const fn arrays(own: &'static ArrayRules, added: &Refinement) -> ArrayRules {
    ArrayRules {
        prefix: own.prefix.copied(),
        items: match &own.items {
            Some(items) => Some(items.copied()),
            None => None,
        },
        min_items: larger(own.min_items, added.min_items),
        max_items: smaller(own.max_items, added.max_items),
        unique_items: own.unique_items || added.unique_items,
    }
}

const fn objects(own: &'static ObjectRules, added: &Refinement) -> ObjectRules {
    let mut rules = own.copied();
    rules.min_properties = larger(own.min_properties, added.min_properties);
    rules.max_properties = smaller(own.max_properties, added.max_properties);
    rules
}

/// The first key that does not apply to this kind.
const fn misplaced(kind: &Kind, added: &Refinement) -> Option<Fault> {
    if !matches!(kind, Kind::Integer(..) | Kind::Number(..))
        && let Some(keyword) = of_numbers(added)
    {
        return Some(Fault::Misplaced { keyword, applies_to: "integers and numbers" });
    }
    if !matches!(kind, Kind::String(..))
        && let Some(keyword) = of_strings(added)
    {
        return Some(Fault::Misplaced { keyword, applies_to: "strings" });
    }
    if !matches!(kind, Kind::Array(_))
        && let Some(keyword) = of_arrays(added)
    {
        return Some(Fault::Misplaced { keyword, applies_to: "arrays" });
    }
    if !matches!(kind, Kind::Object(_))
        && let Some(keyword) = of_objects(added)
    {
        return Some(Fault::Misplaced { keyword, applies_to: "objects" });
    }
    None
}

const fn of_numbers(added: &Refinement) -> Option<&'static str> {
    match added {
        Refinement { minimum: Some(_), .. } => Some("minimum"),
        Refinement { maximum: Some(_), .. } => Some("maximum"),
        Refinement { exclusive_minimum: Some(_), .. } => Some("exclusive_minimum"),
        Refinement { exclusive_maximum: Some(_), .. } => Some("exclusive_maximum"),
        Refinement { multiple_of: Some(_), .. } => Some("multiple_of"),
        _ => None,
    }
}

const fn of_strings(added: &Refinement) -> Option<&'static str> {
    match added {
        Refinement { min_length: Some(_), .. } => Some("min_length"),
        Refinement { max_length: Some(_), .. } => Some("max_length"),
        Refinement { pattern: Some(_), .. } => Some("pattern"),
        Refinement { format: Some(_), .. } => Some("format"),
        _ => None,
    }
}

const fn of_arrays(added: &Refinement) -> Option<&'static str> {
    match added {
        Refinement { min_items: Some(_), .. } => Some("min_items"),
        Refinement { max_items: Some(_), .. } => Some("max_items"),
        Refinement { unique_items: true, .. } => Some("unique_items"),
        _ => None,
    }
}

const fn of_objects(added: &Refinement) -> Option<&'static str> {
    match added {
        Refinement { min_properties: Some(_), .. } => Some("min_properties"),
        Refinement { max_properties: Some(_), .. } => Some("max_properties"),
        _ => None,
    }
}

/// A key that the type has already, and of which a schema holds one.
const fn repeated(kind: &Kind, added: &Refinement) -> Option<Fault> {
    let keyword = match (kind, added) {
        (
            Kind::Integer(_, NumberRules { multiple_of: Some(_), .. })
            | Kind::Number(_, NumberRules { multiple_of: Some(_), .. }),
            Refinement { multiple_of: Some(_), .. },
        ) => "multiple_of",
        (
            Kind::String(_, StringRules { pattern: Some(_), .. }),
            Refinement { pattern: Some(_), .. },
        ) => "pattern",
        (
            Kind::String(_, StringRules { format: Some(_), .. }),
            Refinement { format: Some(_), .. },
        ) => "format",
        _ => return None,
    };
    Some(Fault::Repeated { keyword })
}

const fn greater(a: Option<Number>, b: Option<Number>) -> Option<Number> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a.less_than(b) { b } else { a }),
        (one, None) | (None, one) => one,
    }
}

const fn lesser(a: Option<Number>, b: Option<Number>) -> Option<Number> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.less_than(a) { b } else { a }),
        (one, None) | (None, one) => one,
    }
}

const fn larger(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a > b { a } else { b }),
        (one, None) | (None, one) => one,
    }
}

const fn smaller(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a < b { a } else { b }),
        (one, None) | (None, one) => one,
    }
}
