//! Rules for the `impl` and for what makes a method of a tool.

use std::mem::take;

use proc_macro2::TokenStream;
use syn::{Receiver, ReceiverKind};

use super::parse::Head;
use crate::diag;
use crate::support::crate_path::CratePath;
use crate::support::report::Report;
use crate::support::tokens::find_short_lifetime;
use crate::support::value::Switch;
use crate::tool::parse::ToolAttribute;

/// An `impl` of the type itself, which borrows nothing; returns whether it is one.
pub(crate) fn head(head: &Head, report: &mut Report) -> bool {
    let before = report.len();
    if let Some(implemented) = &head.implemented {
        report.push(diag::trait_impl(implemented));
    }
    if let Some(lifetime) = head.generics.lifetimes().next() {
        report.push(diag::borrowing_self(lifetime));
    } else if let Some(borrow) = find_short_lifetime(&head.self_type) {
        report.push(diag::borrowing_self(borrow));
    }
    report.len() == before
}

/// What is seen of a receiver; a type that is written out is judged by the runtime.
pub(crate) fn receiver(receiver: &Receiver, report: &mut Report) {
    match &receiver.kind {
        ReceiverKind::Reference(_, None, None) | ReceiverKind::Typed(..) => {}
        // A named lifetime is reported where it is declared.
        ReceiverKind::Reference(_, Some(lifetime), None) if lifetime.ident != "static" => {}
        _ => report.push(diag::receiver_form(receiver)),
    }
}

/// Takes the keys that a method does not have.
pub(crate) fn keys(attribute: &mut ToolAttribute, report: &mut Report) {
    if let Some(CratePath(path)) = take(&mut attribute.krate).take(report) {
        report.push(diag::key_of_the_block(path, "crate"));
    }
    if let Some(Switch { written, .. }) = take(&mut attribute.register).take(report) {
        report.push(diag::never_registered(written));
    }
}

/// The tools of an `impl` by name; those behind a condition may share one.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<String>);

impl Names {
    pub(crate) fn add(&mut self, name: &str, written: TokenStream, report: &mut Report) {
        if self.0.iter().any(|other| other == name) {
            report.push(diag::two_tools(written, name));
        }
        self.0.push(name.to_owned());
    }
}
