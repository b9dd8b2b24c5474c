//! Rules that need several inputs, or more than one field.

use quote::ToTokens;
use syn::{Ident, Path, Type};

use super::attributes::FieldAttribute;
use super::model::Element;
use super::parse::ParsedField;
use crate::diag;
use crate::support::attribute::Given;
use crate::support::report::Report;
use crate::support::serde;
use crate::support::value::Switch;

/// Only an object of named fields can be open, and serde must not close it.
pub(crate) fn openness(
    open: &Given<Switch>,
    serde: &serde::Container,
    is_object: bool,
    report: &mut Report,
) {
    let Given::Value(Switch { on: true, written }) = open else { return };
    if !is_object {
        report.push(diag::open_not_a_struct(written));
    } else if serde.denies_unknown.is_some() {
        report.push(diag::open_and_closed(written));
    }
}

/// What a function of the user's reads and writes has to be said.
pub(crate) fn own_form(serde: &serde::Field, schema: &FieldAttribute, report: &mut Report) {
    if let Some(path) = serde.read_with.as_ref().or(serde.written_with.as_ref())
        && schema.type_instead.is_absent()
        && !serde.is_skipped
    {
        report.push(diag::own_form(path));
    }
}

/// Properties that stand among others have no place for rules of their own.
pub(crate) fn flat(at: &impl ToTokens, element: &Element, report: &mut Report) {
    if element.late_for.is_some() {
        report.push(diag::flat_recursion(at));
    }
    let notes = &element.refinement.notes;
    let key = element.refinement.rules.first().map(|(key, _)| *key);
    let key = key.or(notes.default.is_some().then_some("default"));
    if let Some(key) = key.or((!notes.examples.is_empty()).then_some("example")) {
        report.push(diag::flat_rule(at, key));
    }
}

/// A newtype is its field, which has to be there.
pub(crate) fn newtype(field: &ParsedField<'_>, report: &mut Report) {
    if field.serde.is_skipped {
        report.push(diag::skipped_newtype(field.ty));
    }
    element(field, report);
}

/// A tuple is an array, in which every place counts.
pub(crate) fn tuple_field(field: &ParsedField<'_>, report: &mut Report) {
    element(field, report);
}

fn element(field: &ParsedField<'_>, report: &mut Report) {
    if let Some(path) = &field.serde.may_be_omitted {
        report.push(diag::omitted_element(path));
    }
}

/// An empty tuple is read in some places and not in others.
pub(crate) fn tuple_variant(variant: &Ident, fields: &[ParsedField<'_>], report: &mut Report) {
    if fields.is_empty() {
        report.push(diag::empty_tuple(variant));
    }
}

/// Goes by the spelling, as serde does here.
pub(crate) fn is_phantom(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_phantom(&group.elem),
        Type::Path(path) => is_named_phantom(&path.path),
        _ => false,
    }
}

fn is_named_phantom(path: &Path) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == "PhantomData")
}

/// The names that variants go by.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// Takes the names of a variant; each may be taken once.
    pub(crate) fn take(
        &mut self,
        variant: &Ident,
        name: &str,
        aliases: &[String],
        report: &mut Report,
    ) {
        let mut own: Vec<&str> = vec![name];
        own.extend(aliases.iter().map(String::as_str).filter(|alias| *alias != name));
        for name in own {
            if self.0.iter().any(|taken| taken == name) {
                report.push(diag::repeated_variant(variant, name));
            } else {
                self.0.push(name.to_owned());
            }
        }
    }
}
