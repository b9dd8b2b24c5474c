//! What was written: the head of the `impl`, and its items, of which only tools are looked into.

use darling::FromMeta;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::discouraged::Speculative as _;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Attribute, Generics, Meta, Path, Token, Type};

use crate::diag;
use crate::support::attribute::{Given, Keys};
use crate::support::crate_path::CratePath;
use crate::support::report::Report;
use crate::support::value::Text;
use crate::tool::parse::{Function, TOOL_KEYS, item_keyword};
use crate::tool::value::Tags;

/// An `impl`, which is written again as it was.
#[derive(Debug)]
pub(crate) struct Block {
    before: TokenStream,
    braces: Group,
    pub(crate) head: Head,
    pub(crate) items: Vec<Item>,
}

/// What stands before the braces.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) generics: Generics,
    pub(crate) implemented: Option<Path>,
    pub(crate) self_type: Type,
}

/// One item of the `impl`.
#[derive(Debug)]
pub(crate) enum Item {
    Function(Box<Function>),
    /// Not a function, or one that is the compiler's to understand.
    Other(Vec<Attribute>, TokenStream),
}

impl Block {
    pub(crate) fn new(item: TokenStream) -> syn::Result<Self> {
        let mut before: Vec<TokenTree> = item.into_iter().collect();
        let braces = match before.pop() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace => group,
            last => return Err(syn::Error::new_spanned(last, "expected the braces of an `impl`")),
        };
        let before: TokenStream = before.into_iter().collect();
        let head = syn::parse2(before.clone())?;
        let items = items.parse2(braces.stream())?;
        Ok(Self { before, braces, head, items })
    }
}

impl ToTokens for Block {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.before.to_tokens(tokens);
        let items = self.items.iter().map(ToTokens::to_token_stream).collect();
        let mut braces = Group::new(Delimiter::Brace, items);
        braces.set_span(self.braces.span());
        braces.to_tokens(tokens);
    }
}

impl Parse for Head {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Option<Token![unsafe]>>()?;
        input.parse::<Token![impl]>()?;
        let mut generics: Generics = input.parse()?;
        let mut self_type: Type = input.parse()?;
        let mut implemented = None;
        if input.parse::<Option<Token![for]>>()?.is_some() {
            implemented = Some(syn::parse2(self_type.into_token_stream())?);
            self_type = input.parse()?;
        }
        generics.where_clause = input.parse()?;
        Ok(Self { attributes, generics, implemented, self_type })
    }
}

impl Head {
    /// Returns the name of the type, without what it is applied to.
    pub(crate) fn name(&self) -> String {
        let segment = match &self.self_type {
            Type::Path(path) => path.path.segments.last(),
            _ => None,
        };
        segment.map_or_else(|| "impl".to_owned(), |segment| segment.ident.unraw().to_string())
    }
}

impl ToTokens for Item {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Self::Function(function) => function.to_tokens(tokens),
            Self::Other(attributes, rest) => {
                for attribute in attributes {
                    attribute.to_tokens(tokens);
                }
                rest.to_tokens(tokens);
            }
        }
    }
}

fn items(input: ParseStream<'_>) -> syn::Result<Vec<Item>> {
    let mut items = Vec::new();
    let inner = input.call(Attribute::parse_inner)?;
    if !inner.is_empty() {
        items.push(Item::Other(inner, TokenStream::new()));
    }
    while !input.is_empty() {
        let ahead = input.fork();
        items.push(match ahead.parse() {
            Ok(function) => {
                input.advance_to(&ahead);
                Item::Function(Box::new(function))
            }
            Err(_not_a_function) => other(input)?,
        });
    }
    Ok(items)
}

/// Reads to the end of an item, or of a part of it: all of it is written again.
fn other(input: ParseStream<'_>) -> syn::Result<Item> {
    let attributes = input.call(Attribute::parse_outer)?;
    let mut rest = TokenStream::new();
    while !input.is_empty() {
        let token: TokenTree = input.parse()?;
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => punct.as_char() == ';',
            _ => false,
        };
        rest.extend([token]);
        if is_end {
            break;
        }
    }
    Ok(Item::Other(attributes, rest))
}

impl Item {
    /// Takes `#[tool]` off, and returns what stands in its parentheses; it is known by its name,
    /// as all that is in an attribute.
    pub(crate) fn take_tool(&mut self, report: &mut Report) -> Option<TokenStream> {
        let attributes = match self {
            Self::Function(function) => &mut function.attrs,
            Self::Other(attributes, _) => attributes,
        };
        let mut marks = attributes.extract_if(.., |attribute| is_tool(attribute));
        let mark = marks.next()?;
        for repeated in marks {
            report.push(diag::repeated_tool(&repeated.meta));
        }
        if let Self::Other(_, rest) = self {
            let keyword = item_keyword(rest.clone()).or_else(|| rest.clone().into_iter().next());
            report.push(diag::not_a_function(keyword));
        }
        match mark.meta {
            ref meta if !is_tool_itself(meta) => {
                report.push(diag::conditional_tool(meta));
                Some(TokenStream::new())
            }
            Meta::Path(_) => Some(TokenStream::new()),
            Meta::List(list) => Some(list.tokens),
            Meta::NameValue(_) => {
                report.push(diag::attribute_with_value(&mark, &TOOL_KEYS));
                Some(TokenStream::new())
            }
        }
    }
}

/// Tells whether it is `#[tool]`, or a `cfg_attr` that may become one.
fn is_tool(attribute: &Attribute) -> bool {
    let parts = match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()
        }
        _ => None,
    };
    is_tool_itself(&attribute.meta) || parts.is_some_and(|parts| parts.iter().any(is_tool_itself))
}

fn is_tool_itself(meta: &Meta) -> bool {
    meta.path().segments.last().is_some_and(|last| last.ident == "tool")
}

/// `#[tools(…)]`
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ToolsAttribute {
    pub(crate) prefix: Given<Text>,
    pub(crate) tags: Given<Tags>,
    #[darling(rename = "crate")]
    pub(crate) krate: Given<CratePath>,
}

pub(crate) const TOOLS_KEYS: Keys = Keys {
    attribute: "tools",
    accepted: &["prefix", "tags", "crate"],
    repeated: &[],
    elsewhere: &[("#[tool(…)]", TOOL_KEYS.accepted)],
};
