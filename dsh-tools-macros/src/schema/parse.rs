//! What was written: the shape of the type, and both kinds of attributes on each part of it.

use syn::{Attribute, Data, DeriveInput, Fields, Ident, Type};

use super::attributes::{
    CONTAINER_KEYS, ContainerAttribute, FIELD_KEYS, FieldAttribute, VARIANT_KEYS, VariantAttribute,
};
use crate::diag;
use crate::support::report::Report;
use crate::support::serde;

/// A type as written: attributes are read, nothing is decided.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) schema: ContainerAttribute,
    pub(crate) serde: serde::Container,
    pub(crate) shape: Shape<'a>,
}

#[derive(Debug)]
pub(crate) enum Shape<'a> {
    Struct(ParsedFields<'a>),
    Enum(Vec<ParsedVariant<'a>>),
}

#[derive(Debug)]
pub(crate) enum ParsedFields<'a> {
    Unit,
    Named(Vec<ParsedField<'a>>),
    Unnamed(Vec<ParsedField<'a>>),
}

#[derive(Debug)]
pub(crate) struct ParsedField<'a> {
    /// The name, or the place of a field without a name.
    pub(crate) name: String,
    pub(crate) ty: &'a Type,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) schema: FieldAttribute,
    pub(crate) serde: serde::Field,
}

#[derive(Debug)]
pub(crate) struct ParsedVariant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) schema: VariantAttribute,
    pub(crate) serde: serde::Variant,
    pub(crate) fields: ParsedFields<'a>,
}

impl<'a> Parsed<'a> {
    pub(crate) fn new(input: &'a DeriveInput, report: &mut Report) -> Self {
        let schema = CONTAINER_KEYS.read(&input.attrs, report);
        let serde = serde::Container::new(&input.attrs, report);
        let shape = if serde.conversion.is_some() {
            unread(&input.data, report)
        } else {
            Shape::new(&input.data, report)
        };
        Self { input, schema, serde, shape }
    }
}

impl<'a> Shape<'a> {
    fn new(data: &'a Data, report: &mut Report) -> Self {
        match data {
            Data::Struct(data) => Self::Struct(ParsedFields::new(&data.fields, report)),
            Data::Enum(data) => {
                let variants = data.variants.iter();
                Self::Enum(
                    variants
                        .map(|variant| ParsedVariant {
                            ident: &variant.ident,
                            attributes: &variant.attrs,
                            schema: VARIANT_KEYS.read(&variant.attrs, report),
                            serde: serde::Variant::new(&variant.attrs, report),
                            fields: ParsedFields::new(&variant.fields, report),
                        })
                        .collect(),
                )
            }
            Data::Union(data) => {
                report.push(diag::union(data.union_token));
                Self::Struct(ParsedFields::Unit)
            }
        }
    }
}

/// Another type is read in the place of this one, so what its fields say has no effect.
fn unread<'a>(data: &Data, report: &mut Report) -> Shape<'a> {
    let fields: Vec<_> = match data {
        Data::Struct(data) => data.fields.iter().collect(),
        Data::Enum(data) => data.variants.iter().flat_map(|variant| &variant.fields).collect(),
        Data::Union(_) => Vec::new(),
    };
    let attributes = fields.into_iter().flat_map(|field| &field.attrs);
    for attribute in attributes.filter(|attribute| attribute.path().is_ident("schema")) {
        report.push(diag::converted(&attribute.meta));
    }
    Shape::Struct(ParsedFields::Unit)
}

impl<'a> ParsedFields<'a> {
    fn new(fields: &'a Fields, report: &mut Report) -> Self {
        let parsed = fields.iter().enumerate().map(|(place, field)| ParsedField {
            name: match &field.ident {
                Some(ident) => syn::ext::IdentExt::unraw(ident).to_string(),
                None => place.to_string(),
            },
            ty: &field.ty,
            attributes: &field.attrs,
            schema: FIELD_KEYS.read(&field.attrs, report),
            serde: serde::Field::new(&field.attrs, report),
        });
        match fields {
            Fields::Named(_) => Self::Named(parsed.collect()),
            Fields::Unnamed(_) => Self::Unnamed(parsed.collect()),
            Fields::Unit => Self::Unit,
        }
    }
}
