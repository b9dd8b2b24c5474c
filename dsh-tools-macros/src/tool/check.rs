//! Rules for what was written, one function each. Rules that need a type are the runtime's.

use syn::{FnArg, GenericParam, Ident, LitStr, ReturnType, Signature, Type};

use super::parse::{AnnotationsAttribute, Function, Parameter};
use crate::diag;
use crate::support::attribute::Given;
use crate::support::report::Report;
use crate::support::tokens::{find_borrow, find_impl};
use crate::support::value::Switch;

/// What the signature of a tool cannot have, wherever it stands.
pub(crate) fn signature(function: &Function, report: &mut Report) {
    let sig = &function.sig;
    generics(sig, report);
    qualifiers(sig, report);
    impl_types(sig, report);
    never(sig, report);
    if let Some(variadic) = &sig.variadic {
        report.push(diag::variadic(variadic.dots));
    }
    if !matches!(function.body, proc_macro2::TokenTree::Group(_)) {
        report.push(diag::no_body(&sig.ident));
    }
}

/// What has a receiver is no free function.
pub(crate) fn no_receiver(sig: &Signature, report: &mut Report) {
    if let Some(receiver) = sig.receiver() {
        report.push(diag::receiver(receiver));
    }
}

fn generics(sig: &Signature, report: &mut Report) {
    let generics = &sig.generics;
    let is_lifetime = |parameter: &GenericParam| matches!(parameter, GenericParam::Lifetime(_));
    if generics.params.is_empty() {
        if let Some(clause) = &generics.where_clause {
            report.push(diag::generics(clause));
        }
    } else if generics.params.iter().all(is_lifetime) {
        report.push(diag::lifetimes(generics));
    } else {
        report.push(diag::generics(generics));
    }
}

fn qualifiers(sig: &Signature, report: &mut Report) {
    if let syn::Safety::Unsafe(word) = sig.safety {
        report.push(diag::qualifier(word, "unsafe"));
    }
    if let Some(abi) = &sig.abi {
        report.push(diag::qualifier(abi, "extern"));
    }
}

fn impl_types(sig: &Signature, report: &mut Report) {
    for input in &sig.inputs {
        if let FnArg::Typed(typed) = input
            && let Some(found) = find_impl(&typed.ty)
        {
            report.push(diag::impl_parameter(found));
        }
    }
    if let Some(found) = find_impl(&sig.output) {
        report.push(diag::impl_return(found));
    }
}

fn never(sig: &Signature, report: &mut Report) {
    if let ReturnType::Type(_, output) = &sig.output
        && matches!(**output, Type::Never(_))
    {
        report.push(diag::never_returns(output));
    }
}

/// What an inline argument becomes a field of needs a name and a value of its own.
pub(crate) fn inline_argument(parameter: &Parameter, report: &mut Report) -> Option<Ident> {
    if let Some(found) = find_borrow(&parameter.ty) {
        report.push(diag::argument_borrows(found));
    }
    match &parameter.pattern {
        syn::Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => {
            Some(pattern.ident.clone())
        }
        pattern => {
            report.push(diag::argument_pattern(pattern));
            None
        }
    }
}

/// A call in generated code cannot leave an argument out.
pub(crate) fn conditions(parameters: &[Parameter], report: &mut Report) {
    for condition in parameters.iter().filter_map(|p| p.condition.as_ref()) {
        report.push(diag::conditional_parameter(condition));
    }
}

/// What changes nothing destroys nothing.
pub(crate) fn annotations(annotations: &AnnotationsAttribute, report: &mut Report) {
    if let (
        Given::Value(Switch { on: true, .. }),
        Given::Value(destructive @ Switch { on: true, .. }),
    ) = (&annotations.read_only, &annotations.destructive)
    {
        report.push(diag::read_only_and_destructive(&destructive.written));
    }
}

/// An `async fn` would block the thread that polls it all the same.
pub(crate) fn blocking(blocking: &Given<Switch>, sig: &Signature, report: &mut Report) {
    if let Given::Value(Switch { on: true, written }) = blocking
        && sig.asyncness.is_some()
    {
        report.push(diag::blocking_async(written));
    }
}

/// A text that is given says something.
pub(crate) fn not_blank(key: &str, text: &LitStr, report: &mut Report) {
    if text.value().trim().is_empty() {
        report.push(diag::blank(text, key));
    }
}
