//! `#[tool]`: a function as a tool. What a method shares with it is here too.

pub(crate) mod body;
pub(crate) mod check;
mod duration;
pub(crate) mod expand;
pub(crate) mod model;
pub(crate) mod parse;
pub(crate) mod value;

use std::mem::take;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use crate::diag;
use crate::support::report::Report;
use model::Model;
use parse::{Function, Parsed};

/// Expands to the function and its declaration. With mistakes, expands to the function and them,
/// so that its callers add no second error.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut function: Function = match syn::parse2(item.clone()) {
        Ok(function) => function,
        Err(error) => return not_a_function(item, error),
    };
    let mut report = Report::new(format!("tool `{}`", function.sig.ident.unraw()));
    let mut parsed = Parsed::new(attribute, &mut function, &mut report);
    check::no_receiver(&function.sig, &mut report);
    let declared = expand::Declared {
        krate: take(&mut parsed.attribute.krate).take(&mut report).unwrap_or_default().0,
        is_registered: model::is_on(take(&mut parsed.attribute.register), &mut report)
            .unwrap_or(true),
        model: Model::new(parsed, &function, None, &mut report),
    };
    match report.finish(declared) {
        Ok(declared) => {
            let by_value = expand::by_value(&declared.model);
            let declaration = expand::expand(&declared);
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
