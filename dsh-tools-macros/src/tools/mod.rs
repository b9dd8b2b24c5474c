//! `#[tools]`: the methods of a type as tools.

mod check;
mod expand;
mod model;
mod parse;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use self::model::Model;
use self::parse::{Block, TOOLS_KEYS, ToolsAttribute};
use crate::diag;
use crate::support::report::Report;
use crate::tool::parse::item_keyword;

/// Expands to the `impl` and an impl of `Tools`. With mistakes, expands to the `impl`, them, and
/// tools that are none, so that who mounts them adds no second error.
pub(crate) fn expand(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let mut block = match Block::new(item.clone()) {
        Ok(block) => block,
        Err(error) => return not_an_impl(item, error),
    };
    let mut report = Report::new(format!("tools of `{}`", block.head.name()));
    let attribute: ToolsAttribute = TOOLS_KEYS.read_list(attribute, &mut report);
    let mut reports = Vec::new();
    let model = Model::new(attribute, &mut block, &mut report, &mut reports);
    reports.insert(0, report);
    let mistakes: TokenStream =
        reports.into_iter().filter_map(|report| report.finish(()).err()).collect();
    let tools = if mistakes.is_empty() {
        expand::expand(&model)
    } else if model.may_have_tools {
        expand::expand(&model.without_methods())
    } else {
        TokenStream::new()
    };
    quote!(#block #mistakes #tools)
}

fn not_an_impl(mut item: TokenStream, error: syn::Error) -> TokenStream {
    let mut report = Report::new("`#[tools]`".to_owned());
    let is = |token: &TokenTree, word| matches!(token, TokenTree::Ident(ident) if ident == word);
    let function = || item.clone().into_iter().find(|token| is(token, "fn"));
    report.push(match item_keyword(item.clone()).or_else(function) {
        Some(keyword) if !is(&keyword, "impl") => diag::not_an_impl(keyword),
        _ => error.into(),
    });
    item.extend(report.finish(()).err());
    item
}

#[cfg(test)]
mod tests;
