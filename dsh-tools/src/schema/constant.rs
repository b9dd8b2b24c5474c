//! What the derive calls while the user's crate compiles: schemas from constant parts.

#![expect(missing_docs, reason = "named by generated code only, through `__private`")]

use super::Schema;
use super::parts::{Json, Many, Text};
use super::value::{
    Annotated, Fault, Kind, Literal, Member, Members, Number, NumberRules, ObjectRules, Property,
    StringRules, ValueSchema,
};

/// What a doc comment or an attribute says about a whole type.
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

/// One field as the derive read it.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub has_default: bool,
    pub may_be_omitted: bool,
    /// Other keys that serde reads as this field.
    pub aliases: &'static [&'static str],
    pub refinement: Refinement,
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
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
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
        min_items: None,
        max_items: None,
    };
}

/// The closed object of a struct.
pub const fn object(notes: Notes, properties: &'static [Property]) -> ValueSchema {
    noted(Kind::Object(ObjectRules::closed(properties)), notes)
}

/// The string of a unit enum.
pub const fn string_enum(notes: Notes, members: &'static [Member]) -> ValueSchema {
    let members = Members { any_of: Many::Static(members), exactly: None };
    noted(Kind::String(members, StringRules::ANY), notes)
}

/// One variant of a unit enum.
pub const fn member(value: &'static str, description: Option<&'static str>) -> Member {
    Member {
        value: Literal::Text(Text::Static(value)),
        description: Text::noted(description, None),
    }
}

/// One field of a struct.
///
/// An `Option` becomes the property that may be missing: models are shown the plain type, and
/// `null` is read as absent.
pub const fn property<T: Schema + ?Sized>(field: Field) -> Property {
    let schema = match &T::SCHEMA.kind {
        Kind::AnyOf(branches) if T::OPTIONAL => &branches.as_const()[0],
        _ => T::SCHEMA,
    };
    let required = !T::OPTIONAL && !field.has_default;
    let mut schema = refined(schema, field.refinement);
    if field.may_be_omitted && required {
        schema.fault = Some(Fault::OmittedButRequired);
    }
    Property {
        name: Text::Static(field.name),
        schema,
        required,
        null_is_absent: T::OPTIONAL,
        aliases: field.aliases,
        flattened: false,
    }
}

/// The base with what a field says about it; both sets of bounds hold.
const fn refined(base: &'static ValueSchema, refinement: Refinement) -> ValueSchema {
    let mut schema = base.copied(refinement.notes);
    let fault = match &mut schema.kind {
        Kind::Integer(_, rules) | Kind::Number(_, rules) => {
            narrow(rules, &refinement);
            misplaced_length(&refinement)
        }
        Kind::String(_, rules) => {
            rules.min_length = larger(rules.min_length, refinement.min_length);
            rules.max_length = smaller(rules.max_length, refinement.max_length);
            match misplaced_bound(&refinement) {
                Some(fault) => Some(fault),
                None => misplaced_items(&refinement),
            }
        }
        Kind::Array(rules) => {
            rules.min_items = larger(rules.min_items, refinement.min_items);
            rules.max_items = smaller(rules.max_items, refinement.max_items);
            match misplaced_bound(&refinement) {
                Some(fault) => Some(fault),
                None => misplaced_string(&refinement),
            }
        }
        _ => match misplaced_bound(&refinement) {
            Some(fault) => Some(fault),
            None => misplaced_length(&refinement),
        },
    };
    if fault.is_some() {
        schema.fault = fault;
    }
    schema
}

const fn narrow(rules: &mut NumberRules, refinement: &Refinement) {
    rules.minimum = match (rules.minimum, refinement.minimum) {
        (Some(a), Some(b)) => Some(if a.less_than(b) { b } else { a }),
        (a, None) => a,
        (None, b) => b,
    };
    rules.maximum = match (rules.maximum, refinement.maximum) {
        (Some(a), Some(b)) => Some(if b.less_than(a) { b } else { a }),
        (a, None) => a,
        (None, b) => b,
    };
    if refinement.exclusive_minimum.is_some() {
        rules.exclusive_minimum = refinement.exclusive_minimum;
    }
    if refinement.exclusive_maximum.is_some() {
        rules.exclusive_maximum = refinement.exclusive_maximum;
    }
    if refinement.multiple_of.is_some() {
        rules.multiple_of = refinement.multiple_of;
    }
}

const fn misplaced_bound(refinement: &Refinement) -> Option<Fault> {
    let keyword = match refinement {
        Refinement { minimum: Some(_), .. } => "minimum",
        Refinement { maximum: Some(_), .. } => "maximum",
        Refinement { exclusive_minimum: Some(_), .. } => "exclusive_minimum",
        Refinement { exclusive_maximum: Some(_), .. } => "exclusive_maximum",
        Refinement { multiple_of: Some(_), .. } => "multiple_of",
        _ => return None,
    };
    Some(Fault::Misplaced { keyword, applies_to: "integers and numbers" })
}

const fn misplaced_string(refinement: &Refinement) -> Option<Fault> {
    let keyword = match refinement {
        Refinement { min_length: Some(_), .. } => "min_length",
        Refinement { max_length: Some(_), .. } => "max_length",
        _ => return None,
    };
    Some(Fault::Misplaced { keyword, applies_to: "strings" })
}

const fn misplaced_items(refinement: &Refinement) -> Option<Fault> {
    let keyword = match refinement {
        Refinement { min_items: Some(_), .. } => "min_items",
        Refinement { max_items: Some(_), .. } => "max_items",
        _ => return None,
    };
    Some(Fault::Misplaced { keyword, applies_to: "arrays" })
}

const fn misplaced_length(refinement: &Refinement) -> Option<Fault> {
    match misplaced_string(refinement) {
        Some(fault) => Some(fault),
        None => misplaced_items(refinement),
    }
}

const fn larger(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a > b { a } else { b }),
        (a, None) => a,
        (None, b) => b,
    }
}

const fn smaller(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if a < b { a } else { b }),
        (a, None) => a,
        (None, b) => b,
    }
}

const fn noted(kind: Kind, notes: Notes) -> ValueSchema {
    ValueSchema {
        kind,
        notes: Annotated {
            description: Text::noted(notes.description, None),
            title: Text::noted(notes.title, None),
            default: Json::noted(notes.default, None),
            examples: Json::noted(notes.examples, None),
            deprecated: notes.deprecated,
        },
        type_name: None,
        definitions: Many::Static(&[]),
        fault: None,
    }
}
