//! What stands under `#[tool]`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Ident, Path};

use super::attribute::path_text;
use crate::support::report::Mistake;

pub(crate) fn duration_without_unit(at: TokenStream, key: &Path, number: &str) -> Mistake {
    let key = path_text(key);
    let text = format!(
        "`{key} = {number}` has no unit\n\
         help: write `{key} = \"{number}s\"`; the units are ms, s, m and h"
    );
    Mistake::new(at, text)
}

pub(crate) fn not_a_duration(value: &syn::LitStr, key: &Path) -> Mistake {
    let (key, written) = (path_text(key), value.value());
    let text = format!(
        "`{key}` does not understand \"{written}\"\n\
         help: write a number and a unit, such as \"10s\" or \"1.5m\"; the units are ms, s, m and h"
    );
    Mistake::new(value, text)
}

pub(crate) fn zero(value: impl ToTokens, key: &Path) -> Mistake {
    let key = path_text(key);
    let text = format!("`{key}` is zero\nhelp: leave `{key}` out to have none");
    Mistake::new(value, text)
}

pub(crate) fn long_duration(value: &syn::LitStr, key: &Path) -> Mistake {
    let key = path_text(key);
    let text = format!("`{key}` is longer than 500 years\nhelp: leave `{key}` out to have none");
    Mistake::new(value, text)
}

pub(crate) fn not_a_function(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "only a function can be a tool\n\
         help: write `#[tool]` above an `fn` or `async fn` that has a body"
            .to_owned(),
    )
}

pub(crate) fn no_body(at: impl ToTokens) -> Mistake {
    let text = "a tool needs a body\nhelp: write `#[tool]` above a free function, not in a trait";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn receiver(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a method is a tool only in an `impl` with `#[tools]`\n\
         help: write `#[tools]` above the `impl` of the type itself; or make it a free function \
         that takes what it shares as a parameter `State<T>`"
            .to_owned(),
    )
}

pub(crate) fn generics(at: impl ToTokens) -> Mistake {
    let text = "a tool cannot be generic, since nobody would choose the types\n\
                help: write the types out";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn lifetimes(at: impl ToTokens) -> Mistake {
    let text = "a tool cannot name a lifetime\n\
                help: leave it out, as in `cx: &ToolContext`";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn impl_parameter(at: impl ToTokens) -> Mistake {
    let text = "a parameter of a tool has one type, not `impl Trait`\nhelp: write the type out";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn impl_return(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a tool returns one type, not `impl Trait`\n\
         help: write the type out, or return `ToolResult<T>`; instead of `impl Future`, write \
         `async fn`"
            .to_owned(),
    )
}

pub(crate) fn never_returns(at: impl ToTokens) -> Mistake {
    let text = "a tool has to return, since a model waits for its result\n\
                help: return a value, or `()`";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn qualifier(at: impl ToTokens, word: &str) -> Mistake {
    let text = format!("a tool cannot be `{word}`\nhelp: remove `{word}`, or call it from a tool");
    Mistake::new(at, text)
}

pub(crate) fn variadic(at: impl ToTokens) -> Mistake {
    let text = "a tool takes a fixed list of parameters\nhelp: remove `...`";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn conditional_parameter(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a parameter of a tool cannot depend on `cfg`\n\
         help: write two functions, each with its own `#[cfg(…)]`"
            .to_owned(),
    )
}

pub(crate) fn no_description(name: &Ident) -> Mistake {
    Mistake::new(
        name,
        "there is no description, and a model chooses tools by it\n\
         help: add a doc comment above the function, or `description = \"…\"` in `#[tool]`"
            .to_owned(),
    )
}

pub(crate) fn blank(at: impl ToTokens, key: &str) -> Mistake {
    Mistake::new(at, format!("`{key}` is blank\nhelp: write a text, or leave `{key}` out"))
}

pub(crate) fn read_only_and_destructive(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a `read_only` tool cannot be `destructive`\n\
         help: keep the one that is true of it"
            .to_owned(),
    )
}

pub(crate) fn blocking_async(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "`blocking` is for a plain `fn`, and this is an `async fn`\n\
         help: remove `async`, and the body runs on a thread of its own; or remove `blocking`"
            .to_owned(),
    )
}

pub(crate) fn argument_pattern(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "an inline argument needs a plain name, which the model will use\n\
         help: give it one here and take it apart in the body"
            .to_owned(),
    )
}

pub(crate) fn argument_borrows(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "an inline argument is owned, since it is made from the call's JSON\n\
         help: write the owned type, such as `String` for `&str` or `Vec<T>` for `&[T]`"
            .to_owned(),
    )
}

pub(crate) fn two_names(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "the argument is named by `#[arg(name = …)]` and by `#[serde(rename = …)]`\n\
         help: keep one of them"
            .to_owned(),
    )
}

pub(crate) fn two_defaults(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "the default is given by `#[arg(default)]` and by `#[serde(default)]`\n\
         help: keep one of them"
            .to_owned(),
    )
}
