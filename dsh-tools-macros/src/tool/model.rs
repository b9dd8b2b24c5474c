//! A tool, decided: nothing here is missing or wrong.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{
    Attribute, Expr, Generics, Ident, LitStr, Receiver, ReturnType, Signature, Type, parse_quote,
};

use super::check;
use super::parse::{
    ARG_KEYS, AnnotationsAttribute, ArgAttribute, Function, Parameter, Parsed, ToolAttribute,
};
use super::value::{DefaultOf, NameRule, Parallel};
use crate::diag;
use crate::support::attribute::Given;
use crate::support::docs;
use crate::support::inherited::inherited;
use crate::support::report::Report;
use crate::support::serde;
use crate::support::value::{Switch, Text};

/// A tool to declare.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) function: Ident,
    /// What a method has beside; none for a function that stands by itself.
    pub(crate) method: Option<Box<Method>>,
    pub(crate) inherited: Vec<TokenStream>,
    pub(crate) name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: String,
    pub(crate) timeout: Option<u64>,
    pub(crate) grace: Option<u64>,
    pub(crate) output_budget: Option<usize>,
    pub(crate) annotations: Annotations,
    pub(crate) tags: Vec<String>,
    pub(crate) name_rule: NameRule,
    pub(crate) parallel: Parallel,
    pub(crate) render: Option<Expr>,
    pub(crate) meta: Option<Expr>,
    pub(crate) project: Option<Expr>,
    pub(crate) finalize: Option<Expr>,
    pub(crate) call_view: Option<Expr>,
    pub(crate) result_view: Option<Expr>,
    pub(crate) when: Option<Expr>,
    pub(crate) defers_loading: bool,
    pub(crate) way: Way,
    pub(crate) parameters: Parameters,
    pub(crate) output: Type,
}

/// A function in a block of methods.
#[derive(Debug)]
pub(crate) struct Method {
    /// Tells it from the other tools of the block.
    pub(crate) number: usize,
    pub(crate) receiver: Option<Receiver>,
    pub(crate) generics: Generics,
    pub(crate) self_type: Type,
}

impl Method {
    /// Tells whether its types may depend on parameters of the block.
    pub(crate) fn is_generic(&self) -> bool {
        !self.generics.params.is_empty()
    }
}

/// Hints for clients; `None` leaves one unsaid.
#[derive(Debug)]
pub(crate) struct Annotations {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
}

/// How the body is run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Way {
    Async,
    Plain,
    Blocking,
}

/// Where the arguments are.
#[derive(Debug)]
pub(crate) enum Parameters {
    None,
    /// The first may be the argument struct, which its type tells; the others are extras.
    Struct {
        first: Box<Type>,
        extras: Vec<Type>,
    },
    /// Some are fields of a struct that the macro makes; the others are extras.
    Inline(Vec<Passed>),
}

/// A parameter beside or among inline arguments, in the order of the signature.
#[derive(Debug)]
pub(crate) enum Passed {
    Argument(Argument),
    Extra(Type),
}

/// A field of the struct that the macro makes.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
}

impl Model {
    /// Decides everything. Where something is wrong, a stand-in lets the rest be looked at: the
    /// report gives the model out only if nothing was.
    pub(crate) fn new(
        parsed: Parsed,
        function: &Function,
        method: Option<Method>,
        report: &mut Report,
    ) -> Self {
        let Parsed { attribute, annotations, parameters } = parsed;
        check::signature(function, report);
        check::conditions(&parameters, report);
        check::annotations(&annotations, report);
        check::blocking(&attribute.blocking, &function.sig, report);
        let ToolAttribute {
            name,
            title,
            description,
            timeout,
            grace,
            output_budget,
            parallel,
            render,
            meta,
            project,
            finalize,
            call_view,
            result_view,
            when,
            defer_loading,
            annotations: _,
            tags,
            register: _,
            blocking,
            name_rule,
            krate: _,
        } = attribute;
        let is_blocking = is_on(blocking, report).unwrap_or(false);
        Self {
            function: function.sig.ident.clone(),
            method: method.map(Box::new),
            inherited: inherited(&function.attrs),
            name: text("name", name, report)
                .unwrap_or_else(|| function.sig.ident.unraw().to_string()),
            title: text("title", title, report),
            description: decide_description(description, function, report).unwrap_or_default(),
            timeout: timeout.take(report).map(|timeout| timeout.nanos),
            grace: grace.take(report).map(|grace| grace.nanos),
            output_budget: output_budget.take(report).map(|budget| budget.0),
            annotations: decide_annotations(annotations, report),
            tags: decide_tags(&tags.take(report).unwrap_or_default().0, report),
            name_rule: name_rule.take(report).unwrap_or_default(),
            parallel: parallel.take(report).unwrap_or(Parallel::Always(false)),
            render: render.take(report).map(|function| function.0),
            meta: meta.take(report).map(|function| function.0),
            project: project.take(report).map(|function| function.0),
            finalize: finalize.take(report).map(|function| function.0),
            call_view: call_view.take(report).map(|function| function.0),
            result_view: result_view.take(report).map(|function| function.0),
            when: when.take(report).map(|function| function.0),
            defers_loading: is_on(defer_loading, report).unwrap_or(false),
            way: way(&function.sig, is_blocking),
            parameters: decide_parameters(parameters, report),
            output: output(&function.sig),
        }
    }
}

fn decide_description(
    given: Given<Text>,
    function: &Function,
    report: &mut Report,
) -> Option<String> {
    if !given.is_absent() {
        return text("description", given, report);
    }
    let before = report.len();
    let description = docs::text(&function.attrs, report);
    // A doc comment that could not be read is reported already.
    if description.is_none() && report.len() == before {
        report.push(diag::no_description(&function.sig.ident));
    }
    description
}

fn decide_annotations(annotations: AnnotationsAttribute, report: &mut Report) -> Annotations {
    Annotations {
        read_only: is_on(annotations.read_only, report),
        destructive: is_on(annotations.destructive, report),
        idempotent: is_on(annotations.idempotent, report),
        open_world: is_on(annotations.open_world, report),
    }
}

pub(crate) fn decide_tags(tags: &[LitStr], report: &mut Report) -> Vec<String> {
    for tag in tags {
        check::not_blank("tags", tag, report);
    }
    tags.iter().map(LitStr::value).collect()
}

pub(super) fn is_on(switch: Given<Switch>, report: &mut Report) -> Option<bool> {
    switch.take(report).map(|switch| switch.on)
}

pub(crate) fn text(key: &str, given: Given<Text>, report: &mut Report) -> Option<String> {
    let Text(literal) = given.take(report)?;
    check::not_blank(key, &literal, report);
    Some(literal.value().trim().to_owned())
}

fn way(sig: &Signature, is_blocking: bool) -> Way {
    match (sig.asyncness, is_blocking) {
        (Some(_), _) => Way::Async,
        (None, true) => Way::Blocking,
        (None, false) => Way::Plain,
    }
}

fn output(sig: &Signature) -> Type {
    match &sig.output {
        ReturnType::Default => parse_quote!(()),
        ReturnType::Type(_, output) => (**output).clone(),
    }
}

fn decide_parameters(parameters: Vec<Parameter>, report: &mut Report) -> Parameters {
    if parameters.iter().any(|parameter| !parameter.marks.is_empty()) {
        let passed = parameters.into_iter().filter_map(|parameter| passed(parameter, report));
        return Parameters::Inline(passed.collect());
    }
    let mut types = parameters.into_iter().map(|parameter| parameter.ty);
    match types.next() {
        None => Parameters::None,
        Some(first) => Parameters::Struct { first: Box::new(first), extras: types.collect() },
    }
}

fn passed(parameter: Parameter, report: &mut Report) -> Option<Passed> {
    if parameter.marks.is_empty() {
        return Some(Passed::Extra(parameter.ty));
    }
    let ident = check::inline_argument(&parameter, report);
    let attributes = argument_attributes(parameter.marks, report);
    Some(Passed::Argument(Argument { attributes, ident: ident?, ty: parameter.ty }))
}

/// Turns `#[arg]` into serde's words, and reads the others here, so that their mistakes come with
/// the tool's and not one build later.
fn argument_attributes(marks: Vec<Attribute>, report: &mut Report) -> Vec<Attribute> {
    crate::schema::check_field(&marks, report);
    let ArgAttribute { name, default } = ARG_KEYS.read(&marks, report);
    let mut attributes = marks;
    if let Some(Text(name)) = name.take(report) {
        check::not_blank("name", &name, report);
        if let Some(rename) = serde::find_key(&attributes, "rename") {
            report.push(diag::two_names(rename));
        }
        attributes.push(parse_quote!(#[serde(rename = #name)]));
    }
    if let Some(default) = default.take(report) {
        if let Some(key) = serde::find_key(&attributes, "default") {
            report.push(diag::two_defaults(key));
        }
        attributes.push(match default {
            DefaultOf::Type => parse_quote!(#[serde(default)]),
            DefaultOf::Function(path) => {
                let path = path.to_token_stream().to_string();
                parse_quote!(#[serde(default = #path)])
            }
        });
    }
    attributes.retain(|attribute| !attribute.path().is_ident("arg"));
    attributes
}
