//! What was written: darling reads `#[schema]`, and serde's attributes are read as serde does.

use darling::FromMeta;
use syn::{Attribute, Data, DeriveInput, Field, Ident, Type, Variant};

use super::check;
use crate::diag;
use crate::support::attribute::{Given, Keys};
use crate::support::crate_path::CratePath;
use crate::support::report::Report;
use crate::support::serde;
use crate::support::value::{Count, Number, Text};

/// A type as written: attributes are read, nothing is decided.
#[derive(Debug)]
pub(crate) struct Parsed<'a> {
    pub(crate) input: &'a DeriveInput,
    pub(crate) schema: ContainerAttribute,
    pub(crate) serde: serde::Container,
    pub(crate) shape: Shape<'a>,
}

/// What a schema can describe: an object of named properties, or a choice of strings.
#[derive(Debug)]
pub(crate) enum Shape<'a> {
    Struct(Vec<ParsedField<'a>>),
    Enum(Vec<ParsedVariant<'a>>),
}

#[derive(Debug)]
pub(crate) struct ParsedField<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) schema: FieldAttribute,
    pub(crate) serde: serde::Member,
}

#[derive(Debug)]
pub(crate) struct ParsedVariant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) attributes: &'a [Attribute],
    pub(crate) schema: VariantAttribute,
    pub(crate) serde: serde::Member,
}

impl<'a> Parsed<'a> {
    pub(crate) fn new(input: &'a DeriveInput, report: &mut Report) -> Self {
        let shape = match &input.data {
            Data::Struct(data) => {
                check::structure(&input.ident, &data.fields, report);
                let fields = data.fields.iter();
                Shape::Struct(fields.filter_map(|field| ParsedField::new(field, report)).collect())
            }
            Data::Enum(data) => {
                check::enumeration(&input.ident, &data.variants, report);
                let variants = data.variants.iter();
                Shape::Enum(variants.map(|variant| ParsedVariant::new(variant, report)).collect())
            }
            Data::Union(data) => {
                report.push(diag::union(data.union_token));
                Shape::Struct(Vec::new())
            }
        };
        Self {
            input,
            schema: CONTAINER_KEYS.read(&input.attrs, report),
            serde: serde::container(&input.attrs, report),
            shape,
        }
    }
}

impl<'a> ParsedField<'a> {
    /// Reads a field; one of a tuple struct has no name and no place in a schema.
    fn new(field: &'a Field, report: &mut Report) -> Option<Self> {
        Some(Self {
            ident: field.ident.as_ref()?,
            ty: &field.ty,
            attributes: &field.attrs,
            schema: FIELD_KEYS.read(&field.attrs, report),
            serde: serde::field(&field.attrs, report),
        })
    }
}

impl<'a> ParsedVariant<'a> {
    fn new(variant: &'a Variant, report: &mut Report) -> Self {
        Self {
            ident: &variant.ident,
            attributes: &variant.attrs,
            schema: VARIANT_KEYS.read(&variant.attrs, report),
            serde: serde::variant(&variant.attrs, report),
        }
    }
}

/// `#[schema(…)]` on a struct or an enum.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ContainerAttribute {
    #[darling(rename = "crate")]
    pub(crate) krate: Given<CratePath>,
    pub(crate) title: Given<Text>,
    pub(crate) description: Given<Text>,
}

/// `#[schema(…)]` on a field, or on an inline argument of a tool.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct FieldAttribute {
    pub(crate) title: Given<Text>,
    pub(crate) description: Given<Text>,
    pub(crate) minimum: Given<Number>,
    pub(crate) maximum: Given<Number>,
    pub(crate) exclusive_minimum: Given<Number>,
    pub(crate) exclusive_maximum: Given<Number>,
    pub(crate) multiple_of: Given<Number>,
    pub(crate) min_length: Given<Count>,
    pub(crate) max_length: Given<Count>,
    pub(crate) min_items: Given<Count>,
    pub(crate) max_items: Given<Count>,
}

/// `#[schema(…)]` on a variant.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct VariantAttribute {
    pub(crate) description: Given<Text>,
}

/// Keys that other libraries have in their schema attributes, and that serde has here.
const SERDE_KEYS: &[&str] = &["rename", "rename_all", "default", "skip", "skip_serializing_if"];

const CONTAINER_KEYS: Keys = Keys {
    attribute: "schema",
    accepted: &["title", "description", "crate"],
    elsewhere: &[("#[serde(…)]", SERDE_KEYS)],
};

pub(crate) const FIELD_KEYS: Keys = Keys {
    attribute: "schema",
    accepted: &[
        "title",
        "description",
        "minimum",
        "maximum",
        "exclusive_minimum",
        "exclusive_maximum",
        "multiple_of",
        "min_length",
        "max_length",
        "min_items",
        "max_items",
    ],
    elsewhere: &[("#[serde(…)]", SERDE_KEYS)],
};

const VARIANT_KEYS: Keys = Keys {
    attribute: "schema",
    accepted: &["description"],
    elsewhere: &[("#[serde(…)]", SERDE_KEYS)],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// A key that the table lists and darling does not know would be refused in darling's words.
    #[test]
    fn keys_are_those_of_the_structs() {
        for (keys, reads) in [
            (&CONTAINER_KEYS, reads::<ContainerAttribute> as fn(&Keys) -> bool),
            (&FIELD_KEYS, reads::<FieldAttribute>),
            (&VARIANT_KEYS, reads::<VariantAttribute>),
        ] {
            assert!(reads(keys));
        }
    }

    fn reads<T: FromMeta + Default>(keys: &Keys) -> bool {
        let mut report = Report::new(String::new());
        let list = keys.accepted.join(", ").parse().unwrap();
        keys.read_list::<T>(list, &mut report);
        report.finish(()).is_ok()
    }
}
