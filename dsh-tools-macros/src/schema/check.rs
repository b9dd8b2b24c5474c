//! Which shapes of types a model can be told.

use syn::punctuated::Punctuated;
use syn::{Fields, Ident, Token, Variant};

use crate::diag;
use crate::support::report::Report;

/// An object needs named fields; it may have none.
pub(crate) fn structure(name: &Ident, fields: &Fields, report: &mut Report) {
    match fields {
        Fields::Named(_) => {}
        Fields::Unnamed(fields) => report.push(diag::tuple_struct(fields)),
        Fields::Unit => report.push(diag::unit_struct(name)),
    }
}

/// A choice of strings needs at least one, and each is a name alone.
pub(crate) fn enumeration(
    name: &Ident,
    variants: &Punctuated<Variant, Token![,]>,
    report: &mut Report,
) {
    if variants.is_empty() {
        report.push(diag::empty_enum(name));
    }
    for variant in variants {
        if !matches!(variant.fields, Fields::Unit) {
            report.push(diag::variant_with_data(&variant.ident));
        }
    }
}
