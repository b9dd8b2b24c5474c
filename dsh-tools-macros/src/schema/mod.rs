//! `#[derive(Schema)]`: a type's JSON Schema as a constant.

mod check;
mod expand;
mod model;
pub(crate) mod parse;

use proc_macro2::TokenStream;
use syn::{Attribute, DeriveInput};

use crate::support::report::Report;
use crate::support::serde;

/// Expands to the impl. With mistakes, expands to them and to an impl without properties, so that
/// uses of the type add no second error.
pub(crate) fn expand(item: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let mut report = Report::new(format!("`{}`", input.ident));
    let parsed = parse::Parsed::new(&input, &mut report);
    let model = model::Model::new(parsed, &mut report);
    match report.finish(()) {
        Ok(()) => expand::expand(&model),
        Err(mut mistakes) => {
            mistakes.extend(expand::expand(&model.without_content()));
            mistakes
        }
    }
}

/// Reads the attributes of a field only for their mistakes.
pub(crate) fn check_field(attributes: &[Attribute], report: &mut Report) {
    let attribute = parse::FIELD_KEYS.read(attributes, report);
    model::refine(attribute, attributes, report);
    serde::field(attributes, report);
}

#[cfg(test)]
mod tests;
