//! What the schema says, decided: wire names, texts and bounds.

use syn::ext::IdentExt;
use syn::{Attribute, DeriveInput, Generics, Ident, Path, Type};

use super::parse::{FieldAttribute, Parsed, ParsedField, ParsedVariant, Shape};
use crate::diag;
use crate::support::attribute::Given;
use crate::support::docs;
use crate::support::inherited::inherited;
use crate::support::rename::RenameRule;
use crate::support::report::Report;
use crate::support::value::{Count, Number, Text};

/// A schema to generate.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) inherited: Vec<proc_macro2::TokenStream>,
    pub(crate) krate: Path,
    pub(crate) notes: Notes,
    pub(crate) content: Content<'a>,
}

#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Content<'a> {
    Object(Vec<Property<'a>>),
    Choice(Vec<Member>),
}

/// A property of an object.
#[derive(Debug)]
pub(crate) struct Property<'a> {
    pub(crate) name: String,
    pub(crate) ty: &'a Type,
    pub(crate) has_default: bool,
    pub(crate) may_be_omitted: bool,
    pub(crate) notes: Notes,
    pub(crate) bounds: Bounds,
}

/// Bounds by the name of their field in the runtime's `Refinement`.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    pub(crate) numbers: Vec<(&'static str, Number)>,
    pub(crate) counts: Vec<(&'static str, u64)>,
}

/// One string of a choice.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
}

impl<'a> Model<'a> {
    pub(crate) fn new(parsed: Parsed<'a>, report: &mut Report) -> Self {
        let Parsed { input, schema, serde, shape } = parsed;
        let DeriveInput { attrs, ident, generics, .. } = input;
        let content = match shape {
            Shape::Struct(fields) => Content::Object(
                fields.into_iter().filter_map(|field| property(field, &serde, report)).collect(),
            ),
            Shape::Enum(variants) => Content::Choice(
                variants
                    .into_iter()
                    .map(|variant| member(variant, serde.rename_all, report))
                    .collect(),
            ),
        };
        Self {
            ident,
            generics,
            inherited: inherited(attrs),
            krate: schema.krate.take(report).unwrap_or_default().0,
            notes: notes(schema.title, schema.description, attrs, report),
            content,
        }
    }

    /// Returns a schema that only exists, for a type whose mistakes are reported already.
    pub(crate) fn without_content(self) -> Self {
        Self { notes: Notes::default(), content: Content::Object(Vec::new()), ..self }
    }
}

/// Decides a field; one that serde skips is no property, but its mistakes count.
fn property<'a>(
    field: ParsedField<'a>,
    container: &crate::support::serde::Container,
    report: &mut Report,
) -> Option<Property<'a>> {
    let ParsedField { ident, ty, attributes, schema, serde } = field;
    let renamed = || container.rename_all.field(&ident.unraw().to_string());
    let (notes, bounds) = refine(schema, attributes, report);
    let property = Property {
        name: serde.rename.unwrap_or_else(renamed),
        ty,
        has_default: serde.has_default || container.has_default,
        may_be_omitted: serde.may_be_omitted,
        notes,
        bounds,
    };
    (!serde.is_skipped).then_some(property)
}

/// Decides what `#[schema]` and the doc comment add to a field's type.
pub(crate) fn refine(
    schema: FieldAttribute,
    attributes: &[Attribute],
    report: &mut Report,
) -> (Notes, Bounds) {
    let notes = notes(schema.title, schema.description, attributes, report);
    let mut bounds = Bounds::default();
    for (name, given) in [
        ("minimum", schema.minimum),
        ("maximum", schema.maximum),
        ("exclusive_minimum", schema.exclusive_minimum),
        ("exclusive_maximum", schema.exclusive_maximum),
        ("multiple_of", schema.multiple_of),
    ] {
        bounds.numbers.extend(given.take(report).map(|number| (name, number)));
    }
    for (name, given) in [
        ("min_length", schema.min_length),
        ("max_length", schema.max_length),
        ("min_items", schema.min_items),
        ("max_items", schema.max_items),
    ] {
        bounds.counts.extend(given.take(report).map(|Count(count)| (name, count)));
    }
    (notes, bounds)
}

fn member(variant: ParsedVariant<'_>, rename_all: RenameRule, report: &mut Report) -> Member {
    let ParsedVariant { ident, attributes, schema, serde } = variant;
    let renamed = || rename_all.variant(&ident.unraw().to_string());
    Member {
        name: serde.rename.unwrap_or_else(renamed),
        description: description(schema.description, attributes, report),
    }
}

fn notes(
    title: Given<Text>,
    description_given: Given<Text>,
    attributes: &[Attribute],
    report: &mut Report,
) -> Notes {
    Notes {
        title: text("title", title, report),
        description: description(description_given, attributes, report),
    }
}

/// Takes a description from the attribute or, if there is none, from the doc comment.
fn description(
    given: Given<Text>,
    attributes: &[Attribute],
    report: &mut Report,
) -> Option<String> {
    if given.is_absent() {
        docs::text(attributes, report)
    } else {
        text("description", given, report)
    }
}

fn text(key: &str, given: Given<Text>, report: &mut Report) -> Option<String> {
    let Text(literal) = given.take(report)?;
    let text = docs::non_blank(&literal.value());
    if text.is_none() {
        report.push(diag::blank(&literal, key));
    }
    text
}
