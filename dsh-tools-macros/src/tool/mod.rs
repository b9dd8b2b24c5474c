//! `#[tool]`: a function as a tool.

mod body;
mod check;
mod duration;
mod expand;
mod model;
mod parse;
mod value;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use crate::diag;
use crate::support::report::Report;
use model::Way;
use parse::{Function, Parsed};

/// Expands to the function and its declaration. With mistakes, expands to the function and them,
/// so that its callers add no second error.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => return not_a_function(item, error),
    };
    let mut report = Report::new(format!("tool `{}`", function.sig.ident.unraw()));
    let parsed = Parsed::new(attribute, &mut function, &mut report);
    let model = model::Model::new(parsed, &function, &mut report);
    match report.finish(model) {
        Ok(model) => {
            let declaration = expand::expand(&model);
            // Parameters are made for one call, so there is nobody else to take them from by
            // reference. The lint looks at plain functions only.
            let by_value =
                (model.way != Way::Async).then(|| quote!(#[allow(clippy::needless_pass_by_value)]));
            quote!(#by_value #function #declaration)
        }
        Err(mistakes) => quote!(#function #mistakes),
    }
}

fn not_a_function(mut item: TokenStream, error: syn::Error) -> TokenStream {
    let mut report = Report::new("`#[tool]`".to_owned());
    report.push(match parse::item_keyword(item.clone()) {
        Some(keyword) => diag::not_a_function(keyword),
        None => error.into(),
    });
    item.extend(report.finish(()).err());
    item
}

#[cfg(test)]
mod tests;
