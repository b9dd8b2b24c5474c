//! `#[derive(Schema)]`: a type's JSON Schema as a constant.

pub(crate) mod attributes;
mod check;
mod expand;
mod model;
mod parse;

use proc_macro2::TokenStream;
use syn::{Attribute, DeriveInput};

use self::attributes::FieldAttribute;
use crate::support::report::Report;
use crate::support::serde;

/// Expands to the impl. With mistakes, expands to them and to an impl that accepts an object
/// without properties, so that uses of the type add no second error.
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
    let mut attribute: FieldAttribute = attributes::FIELD_KEYS.read(attributes, report);
    check::own_form(&serde::Field::new(attributes, report), &attribute, report);
    std::mem::take(&mut attribute.type_instead).take(report);
    std::mem::take(&mut attribute.recursive).take(report);
    model::Refinement::new(attribute, attributes, report);
}

#[cfg(test)]
mod tests;
