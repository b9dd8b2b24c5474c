//! What the derive calls while the user's crate compiles: schemas from constant parts.
//!
//! Constant evaluation drops nothing, so values are built whole and never assigned over.

#![expect(missing_docs, reason = "named by generated code only, through `__private`")]

use super::Schema;
use super::object::{Additional, ObjectRules, Property};
use super::parts::{Json, Many, Text};
use super::refine::refined;
pub use super::refine::{Notes, Refinement};
use super::value::{
    Annotated, ArrayRules, Fault, Kind, Literal, Member, Members, Reference, StringRules,
    ValueSchema,
};
use super::walk::{check_constant, refuse};

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

impl Field {
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            has_default: false,
            may_be_omitted: false,
            aliases: &[],
            refinement: Refinement::NONE,
        }
    }
}

/// A schema asked for late.
pub type Late = fn() -> &'static ValueSchema;

/// `null`, as a unit struct is written.
pub const fn null(notes: Notes) -> ValueSchema {
    noted(Kind::Null(Members::ANY), notes)
}

/// The closed object of a struct.
pub const fn object(notes: Notes, properties: &'static [Property]) -> ValueSchema {
    noted(Kind::Object(ObjectRules::constant(properties, Additional::Closed)), notes)
}

/// The object of a struct that accepts keys it does not have.
pub const fn open_object(notes: Notes, properties: &'static [Property]) -> ValueSchema {
    noted(Kind::Object(ObjectRules::constant(properties, Additional::Open)), notes)
}

/// The array of a tuple; elements behind the first `required` ones may be missing.
pub const fn tuple(notes: Notes, elements: &'static [ValueSchema], required: usize) -> ValueSchema {
    let rules = ArrayRules {
        prefix: Many::Static(elements),
        items: None,
        min_items: Some(required as u64),
        max_items: Some(elements.len() as u64),
        unique_items: false,
    };
    noted(Kind::Array(rules), notes)
}

/// The string of a unit enum, or of a tag.
pub const fn string_enum(notes: Notes, members: &'static [Member]) -> ValueSchema {
    let members = Members { any_of: Many::Static(members), exactly: None };
    noted(Kind::String(members, StringRules::ANY), notes)
}

/// One accepted string.
pub const fn member(value: &'static str, description: Option<&'static str>) -> Member {
    Member {
        value: Literal::Text(Text::Static(value)),
        description: Text::noted(description, None),
    }
}

/// An enum whose variants exclude each other.
pub const fn one_of(notes: Notes, branches: &'static [ValueSchema]) -> ValueSchema {
    noted(Kind::OneOf(Many::Static(branches)), notes)
}

/// An enum whose variants may fit the same value.
pub const fn any_of(notes: Notes, branches: &'static [ValueSchema]) -> ValueSchema {
    noted(Kind::AnyOf(Many::Static(branches)), notes)
}

/// What the type says, with what an element, a newtype or a variant adds.
pub const fn element<T: Schema + ?Sized>(refinement: Refinement) -> ValueSchema {
    refined(T::SCHEMA, refinement)
}

/// What the type says, asked for late, so that a type may contain itself.
///
/// `schema` gives what [`late_element`] or [`late_inner`] makes.
pub const fn late(notes: Notes, schema: Late) -> ValueSchema {
    noted(Kind::Reference(Reference::Type(schema)), notes)
}

/// What a late element leads to.
pub const fn late_element<T: Schema + ?Sized>(refinement: Refinement) -> ValueSchema {
    target(T::SCHEMA, refinement)
}

/// What a late property leads to: of an `Option` the type inside.
pub const fn late_inner<T: Schema + ?Sized>(refinement: Refinement) -> ValueSchema {
    target(inner::<T>(), refinement)
}

/// Checks what a reference leads to, as no check of the whole looks through it.
#[track_caller]
pub const fn checked(owner: &str, schema: &'static ValueSchema) -> &'static ValueSchema {
    check_constant(&["a field of `", owner, "`"], schema);
    schema
}

/// Checks what a newtype that contains itself leads to.
#[track_caller]
pub const fn checked_newtype(owner: &str, schema: &'static ValueSchema) -> &'static ValueSchema {
    if is_endless(schema) {
        refuse(&[
            "`",
            owner,
            "` contains itself and nothing else, so no value ends: put a list, a map or a struct \
             in between",
        ]);
    }
    checked(owner, schema)
}

/// Whether the reference of a newtype leads back to it while no part of a value is taken.
const fn is_endless(schema: &'static ValueSchema) -> bool {
    match &schema.kind {
        Kind::Reference(_) => true,
        Kind::OneOf(branches) | Kind::AnyOf(branches) => {
            let branches = branches.as_const();
            let mut index = 0;
            while index < branches.len() {
                if is_endless(&branches[index]) {
                    return true;
                }
                index += 1;
            }
            false
        }
        _ => false,
    }
}

/// Gives a schema the name of its type, by which recursion is told from repetition.
///
/// A newtype around a named type keeps that name, as it is the same schema.
pub const fn named(schema: ValueSchema, name: fn() -> &'static str) -> ValueSchema {
    let mut schema = schema;
    if schema.type_name.is_none() {
        schema.type_name = Some(name);
    }
    schema
}

/// One field of a struct.
///
/// An `Option` becomes the property that may be missing: models are shown the plain type, and
/// `null` is read as absent.
pub const fn property<T: Schema + ?Sized>(field: Field) -> Property {
    declared(field, T::OPTIONAL, refined(inner::<T>(), outer_notes::<T>(field.refinement)))
}

/// One field through which a type contains itself; `schema` gives what [`late_inner`] makes.
pub const fn late_property<T: Schema + ?Sized>(field: Field, schema: Late) -> Property {
    declared(field, T::OPTIONAL, late(field.refinement.notes, schema))
}

/// One field that is there as its schema says, be it an `Option` or not.
///
/// Serde reads a field with its own `deserialize_with` this way, and tags and what they announce.
pub const fn exact_property(field: Field, schema: ValueSchema) -> Property {
    declared(field, false, schema)
}

/// One field whose own properties stand in its place; the name is the field's.
pub const fn flattened<T: Schema + ?Sized>(name: &'static str, may_be_omitted: bool) -> Property {
    let fault = match flat_rules::<T>() {
        None => Some(Fault::NotFlat),
        Some(rules) if may_be_omitted && rules.demands() => Some(Fault::OmittedButRequired),
        Some(_) => None,
    };
    flat::<T>(name, fault)
}

/// What a variant of an internally tagged enum holds, beside the tag.
pub const fn beside_tag<T: Schema + ?Sized>(name: &'static str) -> Property {
    let fault = match flat_rules::<T>() {
        None => Some(Fault::NotBesideTag),
        Some(_) => None,
    };
    flat::<T>(name, fault)
}

/// The description of a type, for what stands in its place.
pub const fn description<T: Schema + ?Sized>() -> Option<&'static str> {
    match &T::SCHEMA.notes.description {
        Some(text) => Some(text.as_const()),
        None => None,
    }
}

/// The schema of a type, of an `Option` the one inside.
const fn inner<T: Schema + ?Sized>() -> &'static ValueSchema {
    match &T::SCHEMA.kind {
        Kind::AnyOf(branches) if T::OPTIONAL => &branches.as_const()[0],
        _ => T::SCHEMA,
    }
}

/// The refinement, with the notes of the type where its schema is given up for the inner one.
const fn outer_notes<T: Schema + ?Sized>(mut refinement: Refinement) -> Refinement {
    if T::OPTIONAL {
        if refinement.notes.description.is_none() {
            refinement.notes.description = description::<T>();
        }
        if refinement.notes.title.is_none()
            && let Some(title) = &T::SCHEMA.notes.title
        {
            refinement.notes.title = Some(title.as_const());
        }
    }
    refinement
}

#[expect(clippy::large_types_passed_by_value, reason = "it is only called while compiling")]
const fn declared(field: Field, is_optional: bool, schema: ValueSchema) -> Property {
    let required = !is_optional && !field.has_default;
    let mut schema = schema;
    if field.may_be_omitted && required {
        schema.fault = Some(Fault::OmittedButRequired);
    } else if field.refinement.notes.default.is_some() && required {
        schema.fault = Some(Fault::DefaultButRequired);
    }
    Property {
        name: Text::Static(field.name),
        schema,
        required,
        null_is_absent: is_optional,
        aliases: field.aliases,
        flattened: false,
    }
}

/// A type that has a name of its own stays what it is, since other references lead to it, too;
/// what the field says of it stands on the reference.
#[expect(clippy::large_types_passed_by_value, reason = "it is only called while compiling")]
const fn target(base: &'static ValueSchema, refinement: Refinement) -> ValueSchema {
    let notes = if base.type_name.is_some() { Notes::NONE } else { refinement.notes };
    refined(base, Refinement { notes, ..refinement })
}

const fn flat_rules<T: Schema + ?Sized>() -> Option<&'static ObjectRules> {
    match &T::SCHEMA.kind {
        Kind::Object(rules) if rules.min_properties.is_none() && rules.max_properties.is_none() => {
            Some(rules)
        }
        _ => None,
    }
}

const fn flat<T: Schema + ?Sized>(name: &'static str, fault: Option<Fault>) -> Property {
    let mut schema = T::SCHEMA.copied(Notes::NONE);
    if fault.is_some() {
        schema.fault = fault;
    }
    Property {
        name: Text::Static(name),
        schema,
        required: false,
        null_is_absent: false,
        aliases: &[],
        flattened: true,
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
