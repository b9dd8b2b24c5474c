//! The tools of a type, decided.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, Generics, Meta, Path, Type, parse_quote};

use super::check::{self, Names};
use super::parse::{Block, Head, Item, ToolsAttribute};
use crate::diag;
use crate::support::attribute::Given;
use crate::support::inherited::inherited;
use crate::support::report::Report;
use crate::support::tokens::replace_self;
use crate::support::value::Text;
use crate::tool;
use crate::tool::model::Method;
use crate::tool::parse::{Function, Parameter, Parsed};

/// A type whose methods are tools.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) krate: Path,
    pub(crate) name: String,
    pub(crate) inherited: Vec<TokenStream>,
    pub(crate) generics: Generics,
    pub(crate) self_type: Type,
    pub(crate) methods: Vec<tool::model::Model>,
    /// Whether the type could have tools, if there were no other mistake.
    pub(crate) may_have_tools: bool,
}

/// What the tools of a type have in common.
struct Common {
    prefix: String,
    tags: Vec<String>,
    names: Names,
}

impl Model {
    /// Decides everything, and takes our attributes off the block. The mistakes of a tool are in
    /// a report of their own, since they name the tool.
    pub(crate) fn new(
        attribute: ToolsAttribute,
        block: &mut Block,
        report: &mut Report,
        reports: &mut Vec<Report>,
    ) -> Self {
        let ToolsAttribute { prefix, tags, krate } = attribute;
        let Block { head, items, .. } = block;
        let may_have_tools = check::head(head, report);
        let mut common = Common {
            prefix: tool::model::text("prefix", prefix, report).unwrap_or_default(),
            tags: tool::model::decide_tags(&tags.take(report).unwrap_or_default().0, report),
            names: Names::default(),
        };
        let mut methods = Vec::new();
        let mut has_tools = false;
        for item in items {
            let Some(attribute) = item.take_tool(report) else { continue };
            has_tools = true;
            if let Item::Function(function) = item {
                let name = function.sig.ident.unraw();
                let mut report = Report::new(format!("tool `{name}`"));
                let number = methods.len();
                methods.push(common.method(attribute, function, number, head, &mut report));
                reports.push(report);
            }
        }
        if !has_tools {
            report.push(diag::no_tools(&head.self_type));
        }
        Self {
            krate: krate.take(report).unwrap_or_default().0,
            name: head.name(),
            inherited: inherited(&head.attributes),
            generics: head.generics.clone(),
            self_type: head.self_type.clone(),
            methods,
            may_have_tools,
        }
    }

    /// Returns a type that has tools but names none, for a block whose mistakes are reported
    /// already.
    pub(crate) fn without_methods(self) -> Self {
        Self { methods: Vec::new(), ..self }
    }
}

impl Common {
    fn method(
        &mut self,
        attribute: TokenStream,
        function: &mut Function,
        number: usize,
        head: &Head,
        report: &mut Report,
    ) -> tool::model::Model {
        let mut parsed = Parsed::new(attribute, function, report);
        check::keys(&mut parsed.attribute, report);
        let receiver = function.sig.receiver().cloned();
        if let Some(receiver) = &receiver {
            check::receiver(receiver, report);
        }
        for parameter in &mut parsed.parameters {
            write_self_out(parameter, &head.self_type);
        }
        let method = Method {
            number,
            receiver,
            generics: head.generics.clone(),
            self_type: head.self_type.clone(),
        };
        let named = match &parsed.attribute.name {
            Given::Value(Text(text)) => text.to_token_stream(),
            _ => function.sig.ident.to_token_stream(),
        };
        let mut model = tool::model::Model::new(parsed, function, Some(method), report);
        model.name.insert_str(0, &self.prefix);
        model.tags.splice(0..0, self.tags.iter().cloned());
        if !is_conditional(&function.attrs) {
            self.names.add(&model.name, named, report);
        }
        if let Some(allow) = tool::expand::by_value(&model) {
            function.attrs.push(parse_quote!(#allow));
        }
        model
    }
}

fn is_conditional(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"))
}

/// An inline argument becomes a field, where `Self` is the struct of that field.
fn write_self_out(parameter: &mut Parameter, self_type: &Type) {
    if parameter.marks.is_empty() {
        return;
    }
    if let Ok(ty) = syn::parse2(replace_self(parameter.ty.to_token_stream(), self_type)) {
        parameter.ty = ty;
    }
    for Attribute { meta, .. } in &mut parameter.marks {
        if let Meta::List(list) = meta {
            list.tokens = replace_self(std::mem::take(&mut list.tokens), self_type);
        }
    }
}
