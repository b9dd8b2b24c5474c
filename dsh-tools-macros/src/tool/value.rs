//! The kinds of values that only keys of `#[tool]` and `#[arg]` take.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Expr, ExprLit, ExprPath, Lit, LitStr, Meta};

use crate::diag;
use crate::support::report::Result;
use crate::support::value::{Text, Value, expression, wrong};

/// Whether calls of the tool may run beside others; a function may decide by the arguments.
#[derive(Debug, Clone)]
pub(crate) enum Parallel {
    Always(bool),
    When(Expr),
}

impl Value for Parallel {
    const TAKES: &'static str = "no value, true or false, or a function of the arguments";
    const EXAMPLE: &'static str = "` or `parallel = |args| args.dry_run";

    fn read(meta: &Meta) -> Result<Self> {
        match (meta, expression(meta)) {
            (Meta::Path(_), _) => Ok(Self::Always(true)),
            (_, Some(Expr::Lit(ExprLit { lit: Lit::Bool(on), .. }))) => Ok(Self::Always(on.value)),
            (_, Some(Expr::Lit(_)) | None) => Err(wrong::<Self>(meta)),
            (_, Some(function)) => Ok(Self::When(function.clone())),
        }
    }
}

/// A number of bytes that is not zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bytes(pub(crate) usize);

impl Value for Bytes {
    const TAKES: &'static str = "a number of bytes";
    const EXAMPLE: &'static str = " = 20_000";

    fn read(meta: &Meta) -> Result<Self> {
        let Some(Expr::Lit(ExprLit { lit: Lit::Int(bytes), .. })) = expression(meta) else {
            return Err(wrong::<Self>(meta));
        };
        match bytes.base10_parse() {
            Ok(0) => Err(diag::zero(bytes, meta.path())),
            Ok(number) => Ok(Self(number)),
            // No memory has so many.
            Err(_too_large) => Err(wrong::<Self>(meta)),
        }
    }
}

/// A path to a function, or a closure.
#[derive(Debug, Clone)]
pub(crate) struct Callback(pub(crate) Expr);

impl Value for Callback {
    const TAKES: &'static str = "a function or a closure";
    const EXAMPLE: &'static str = " = path::to::function";

    fn read(meta: &Meta) -> Result<Self> {
        match expression(meta) {
            Some(Expr::Lit(_)) | None => Err(wrong::<Self>(meta)),
            Some(function) => Ok(Self(function.clone())),
        }
    }
}

/// The tokens of `key(…)`, whose keys are read on their own.
#[derive(Debug, Clone)]
pub(crate) struct List(pub(crate) TokenStream);

impl Value for List {
    const TAKES: &'static str = "keys in parentheses";
    const EXAMPLE: &'static str = "(read_only)";

    fn read(meta: &Meta) -> Result<Self> {
        match meta {
            Meta::List(list) => Ok(Self(list.tokens.clone())),
            _ => Err(wrong::<Self>(meta)),
        }
    }
}

/// `tags("a", "b")` or `tags = ["a", "b"]`
#[derive(Debug, Default, Clone)]
pub(crate) struct Tags(pub(crate) Vec<LitStr>);

impl Value for Tags {
    const TAKES: &'static str = "strings";
    const EXAMPLE: &'static str = "(\"first\", \"second\")";

    fn read(meta: &Meta) -> Result<Self> {
        let strings = |tokens: TokenStream| {
            let parser = syn::punctuated::Punctuated::<LitStr, syn::Token![,]>::parse_terminated;
            syn::parse::Parser::parse2(parser, tokens).ok()
        };
        let tags = match (meta, expression(meta)) {
            (Meta::List(list), _) => strings(list.tokens.clone()),
            (_, Some(Expr::Array(array))) => strings(array.elems.to_token_stream()),
            _ => None,
        };
        let tags = tags.ok_or_else(|| wrong::<Self>(meta))?;
        Ok(Self(tags.into_iter().collect()))
    }
}

/// Which names a tool may have.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) enum NameRule {
    #[default]
    Portable,
    Mcp,
}

impl Value for NameRule {
    const TAKES: &'static str = "the name of a rule";
    const EXAMPLE: &'static str = " = \"portable\"` or `name_rule = \"mcp\"";

    fn read(meta: &Meta) -> Result<Self> {
        let Text(name) = Text::read(meta).map_err(|_not_text| wrong::<Self>(meta))?;
        match name.value().as_str() {
            "portable" => Ok(Self::Portable),
            "mcp" => Ok(Self::Mcp),
            _ => Err(diag::not_a_choice(&name, meta.path(), &["portable", "mcp"])),
        }
    }
}

/// Where the value of an absent argument comes from.
#[derive(Debug, Clone)]
pub(crate) enum DefaultOf {
    Type,
    Function(ExprPath),
}

impl Value for DefaultOf {
    const TAKES: &'static str = "no value, or the path of a function that makes one";
    const EXAMPLE: &'static str = "` or `default = path::to::function";

    fn read(meta: &Meta) -> Result<Self> {
        match (meta, expression(meta)) {
            (Meta::Path(_), _) => Ok(Self::Type),
            (_, Some(Expr::Path(function))) => Ok(Self::Function(function.clone())),
            _ => Err(wrong::<Self>(meta)),
        }
    }
}
