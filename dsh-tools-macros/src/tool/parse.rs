//! What was written: the function with its body as raw tokens, and darling's structs for the
//! attributes.

use darling::FromMeta;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, FnArg, Pat, Signature, Type, Visibility};

use super::duration::Duration;
use super::value::{Bytes, Callback, DefaultOf, List, NameRule, Parallel, Tags};
use crate::support::attribute::{Given, Keys};
use crate::support::crate_path::CratePath;
use crate::support::docs;
use crate::support::report::Report;
use crate::support::value::{Switch, Text};

/// A function, whose body is the compiler's to read.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) attrs: Vec<Attribute>,
    vis: Visibility,
    pub(crate) sig: Signature,
    /// A block, or a semicolon.
    pub(crate) body: TokenTree,
}

impl Parse for Function {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            attrs: input.call(Attribute::parse_outer)?,
            vis: input.parse()?,
            sig: input.parse()?,
            body: input.parse()?,
        })
    }
}

impl ToTokens for Function {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for attribute in &self.attrs {
            attribute.to_tokens(tokens);
        }
        self.vis.to_tokens(tokens);
        self.sig.to_tokens(tokens);
        self.body.to_tokens(tokens);
    }
}

impl Function {
    /// Takes our helper attributes off the parameters, where the compiler would refuse them.
    fn take_parameters(&mut self) -> Vec<Parameter> {
        let typed = self.sig.inputs.iter_mut().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(typed),
            FnArg::Receiver(_) => None,
        });
        typed
            .map(|typed| {
                let attributes = std::mem::take(&mut typed.attrs);
                let (marks, kept) = attributes.into_iter().partition(is_mark);
                typed.attrs = kept;
                Parameter {
                    pattern: (*typed.pat).clone(),
                    ty: (*typed.ty).clone(),
                    condition: typed.attrs.iter().find(|a| a.path().is_ident("cfg")).cloned(),
                    marks,
                }
            })
            .collect()
    }
}

/// Returns the keyword of an item that is not a function.
pub(crate) fn item_keyword(item: TokenStream) -> Option<TokenTree> {
    const KEYWORDS: &[&str] = &[
        "struct", "enum", "union", "trait", "impl", "mod", "type", "static", "const", "use", "let",
        "extern",
    ];
    let is =
        |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
    let mut before_fn = item.into_iter().take_while(|token| !is(token, "fn"));
    before_fn.find(|token| KEYWORDS.iter().any(|keyword| is(token, keyword)))
}

/// A parameter with the attributes that make it an inline argument.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) pattern: Pat,
    pub(crate) ty: Type,
    pub(crate) condition: Option<Attribute>,
    pub(crate) marks: Vec<Attribute>,
}

fn is_mark(attribute: &Attribute) -> bool {
    let path = attribute.path();
    docs::is_doc_comment(attribute)
        || ["arg", "schema", "serde"].iter().any(|name| path.is_ident(name))
}

/// Everything that was written, read and not yet judged.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) attribute: ToolAttribute,
    pub(crate) annotations: AnnotationsAttribute,
    pub(crate) parameters: Vec<Parameter>,
}

impl Parsed {
    pub(crate) fn new(
        attribute: TokenStream,
        function: &mut Function,
        report: &mut Report,
    ) -> Self {
        let mut attribute: ToolAttribute = TOOL_KEYS.read_list(attribute, report);
        let annotations = std::mem::take(&mut attribute.annotations).take(report);
        Self {
            annotations: annotations
                .map(|List(tokens)| ANNOTATION_KEYS.read_list(tokens, report))
                .unwrap_or_default(),
            attribute,
            parameters: function.take_parameters(),
        }
    }
}

/// `#[tool(…)]`
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ToolAttribute {
    pub(crate) name: Given<Text>,
    pub(crate) title: Given<Text>,
    pub(crate) description: Given<Text>,
    pub(crate) timeout: Given<Duration>,
    pub(crate) grace: Given<Duration>,
    pub(crate) output_budget: Given<Bytes>,
    pub(crate) parallel: Given<Parallel>,
    pub(crate) render: Given<Callback>,
    pub(crate) meta: Given<Callback>,
    pub(crate) project: Given<Callback>,
    pub(crate) finalize: Given<Callback>,
    pub(crate) call_view: Given<Callback>,
    pub(crate) result_view: Given<Callback>,
    pub(crate) when: Given<Callback>,
    pub(crate) defer_loading: Given<Switch>,
    pub(crate) annotations: Given<List>,
    pub(crate) tags: Given<Tags>,
    pub(crate) register: Given<Switch>,
    pub(crate) blocking: Given<Switch>,
    pub(crate) name_rule: Given<NameRule>,
    #[darling(rename = "crate")]
    pub(crate) krate: Given<CratePath>,
}

pub(crate) const TOOL_KEYS: Keys = Keys {
    attribute: "tool",
    accepted: &[
        "name",
        "title",
        "description",
        "timeout",
        "grace",
        "output_budget",
        "parallel",
        "blocking",
        "annotations",
        "tags",
        "render",
        "meta",
        "project",
        "finalize",
        "call_view",
        "result_view",
        "when",
        "defer_loading",
        "register",
        "name_rule",
        "crate",
    ],
    repeated: &[],
    elsewhere: &[("#[tool(annotations(…))]", ANNOTATION_KEYS.accepted)],
};

/// `annotations(…)` in `#[tool]`
#[derive(Debug, Default, FromMeta)]
pub(crate) struct AnnotationsAttribute {
    pub(crate) read_only: Given<Switch>,
    pub(crate) destructive: Given<Switch>,
    pub(crate) idempotent: Given<Switch>,
    pub(crate) open_world: Given<Switch>,
}

const ANNOTATION_KEYS: Keys = Keys {
    attribute: "tool(annotations(…))",
    accepted: &["read_only", "destructive", "idempotent", "open_world"],
    repeated: &[],
    elsewhere: &[],
};

/// `#[arg(…)]` on an inline argument
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ArgAttribute {
    pub(crate) name: Given<Text>,
    pub(crate) default: Given<DefaultOf>,
}

pub(crate) const ARG_KEYS: Keys = Keys {
    attribute: "arg",
    accepted: &["name", "default"],
    repeated: &[],
    elsewhere: &[
        ("#[schema(…)]", crate::schema::attributes::FIELD_KEYS.accepted),
        ("#[serde(…)]", &["rename", "alias", "skip", "with"]),
    ],
};
