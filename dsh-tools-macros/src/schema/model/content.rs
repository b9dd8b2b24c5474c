//! The schema of a struct or an enum as a whole.

use syn::{Attribute, Ident, Type};

use super::super::attributes::ContainerAttribute;
use super::super::check;
use super::super::parse::{ParsedField, ParsedFields, ParsedVariant, Shape};
use super::field::Fields;
use super::notes::{Notes, Refinement, is_on};
use super::variant::Variants;
use super::{Element, Head, Member, Property, Schema};
use crate::diag;
use crate::support::attribute::Given;
use crate::support::report::Report;
use crate::support::serde::{self, Tagging};

/// What stands on the type itself.
pub(super) struct Container<'a> {
    pub(super) ident: &'a Ident,
    pub(super) attributes: &'a [Attribute],
    pub(super) schema: ContainerAttribute,
    pub(super) serde: serde::Container,
}

impl Container<'_> {
    /// Decides the schema, and which type serde reads in the place of this one.
    pub(super) fn content(self, shape: Shape<'_>, report: &mut Report) -> (Schema, Option<Type>) {
        let Self { ident, attributes, schema, serde } = self;
        let ContainerAttribute { krate: _, title, description, deprecated, additional_properties } =
            schema;
        let notes = Notes::new(title, description, deprecated, attributes, report);
        let is_object = matches!(shape, Shape::Struct(ParsedFields::Named(_)))
            && serde.conversion.is_none()
            && serde.transparent.is_none();
        check::openness(&additional_properties, &serde, is_object, report);
        let is_open = is_on(additional_properties, report).unwrap_or(false);
        let fields =
            Fields { owner: ident, rename_all: serde.rename_all, has_default: serde.has_default };
        if let Some(ty) = serde.conversion {
            let refinement = Refinement { notes, ..Refinement::default() };
            let late_for = fields.late_for(&ty, Given::Absent, report);
            let element = Element { ty: ty.clone(), late_for, refinement };
            return (Schema::Same(Box::new(element)), Some(ty));
        }
        match shape {
            Shape::Struct(parsed) if serde.transparent.is_some() => {
                transparent(&fields, parsed, notes, report)
            }
            Shape::Struct(parsed) => {
                (structure(&fields, parsed, notes, is_open, &serde, report), None)
            }
            Shape::Enum(variants) => (enumeration(ident, variants, notes, serde, report), None),
        }
    }
}

fn structure(
    fields: &Fields<'_>,
    parsed: ParsedFields<'_>,
    notes: Notes,
    is_open: bool,
    serde: &serde::Container,
    report: &mut Report,
) -> Schema {
    match parsed {
        ParsedFields::Unit => Schema::Null(notes),
        ParsedFields::Named(parsed) => {
            let mut properties: Vec<Property> = written_tag(fields.owner, serde).collect();
            properties.extend(fields.properties(parsed, report));
            Schema::Object { notes, properties, is_open }
        }
        ParsedFields::Unnamed(parsed) => match <[ParsedField<'_>; 1]>::try_from(parsed) {
            Ok([field]) => fields.newtype(field, notes, report),
            Err(parsed) => fields.tuple(parsed, notes, report),
        },
    }
}

/// The tag that serde writes for a struct, and does not read.
fn written_tag(owner: &Ident, serde: &serde::Container) -> impl Iterator<Item = Property> + use<> {
    let tag = match &serde.tagging {
        Tagging::Internal(tag) => Some(tag.clone()),
        _ => None,
    };
    let name = serde.rename.clone().unwrap_or_else(|| owner.to_string());
    tag.into_iter().map(move |tag| {
        let head = Head { name: tag, has_default: true, ..Head::default() };
        let member = Member { name: name.clone(), description: None };
        Property::Exact(head, Schema::Text(Notes::default(), vec![member]))
    })
}

/// Finds the field that serde reads in the place of the struct, as serde does: one that is neither
/// skipped nor defaulted, nor `PhantomData` by its spelling.
fn transparent(
    fields: &Fields<'_>,
    parsed: ParsedFields<'_>,
    notes: Notes,
    report: &mut Report,
) -> (Schema, Option<Type>) {
    let (ParsedFields::Named(parsed) | ParsedFields::Unnamed(parsed)) = parsed else {
        // Serde's to refuse.
        return (Schema::Null(notes), None);
    };
    let is_value = |field: &ParsedField<'_>| {
        !field.serde.is_skipped && !field.serde.has_default && !check::is_phantom(field.ty)
    };
    let Some(field) = parsed.into_iter().find(is_value) else {
        return (Schema::Null(notes), None);
    };
    let reads_itself = field.serde.read_with.is_none();
    let schema = fields.newtype(field, notes, report);
    let stands_for = match &schema {
        Schema::Same(element) if reads_itself => Some(element.ty.clone()),
        _ => None,
    };
    (schema, stands_for)
}

fn enumeration(
    ident: &Ident,
    variants: Vec<ParsedVariant<'_>>,
    notes: Notes,
    serde: serde::Container,
    report: &mut Report,
) -> Schema {
    let all = variants.len();
    let kept: Vec<_> = variants.into_iter().filter(|variant| !variant.serde.is_skipped).collect();
    if kept.is_empty() {
        report.push(diag::empty_enum(ident, all > 0));
    }
    let serde::Container { rename_all, rename_all_fields, tagging, .. } = serde;
    Variants { owner: ident, rename_all, rename_all_fields, tagging }.choice(kept, notes, report)
}
