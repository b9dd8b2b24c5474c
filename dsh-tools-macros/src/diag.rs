//! Every message of the macros, so that their wording is uniform and can be searched.
//!
//! A message says what is wrong in one line, in lower case; the report puts the name of the item
//! before it. What to do stands on lines of its own, after `help:`; what else is accepted, after
//! `note:`.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Ident, Lit, Path};

use crate::support::attribute::Keys;
use crate::support::nearest::nearest;
use crate::support::report::Mistake;

// Keys and values of attributes.

pub(crate) fn unknown_key(key: &Path, keys: &Keys) -> Mistake {
    let name = path_text(key);
    let help = match (nearest(&name, keys.accepted), keys.home_of(&name)) {
        (_, Some(other)) => format!("\nhelp: `{name}` belongs to `{other}`"),
        (Some(near), None) => format!("\nhelp: did you mean `{near}`?"),
        (None, None) => String::new(),
    };
    let text = format!("`#[{}]` has no key `{name}`", keys.attribute);
    Mistake::new(key, text + &help + &accepted(keys))
}

pub(crate) fn duplicate_key(key: &Path, keys: &Keys) -> Mistake {
    let (name, attribute) = (path_text(key), keys.attribute);
    let text = format!("`{name}` is given twice in `#[{attribute}]`\nhelp: keep one of them");
    Mistake::new(key, text)
}

pub(crate) fn bare_value(value: &Lit, keys: &Keys) -> Mistake {
    let text = format!("`#[{}]` takes keys, and this is a value without one", keys.attribute);
    Mistake::new(value, text + &accepted(keys))
}

pub(crate) fn attribute_with_value(attribute: &syn::Attribute, keys: &Keys) -> Mistake {
    let name = keys.attribute;
    let text =
        format!("`#[{name}]` takes keys in parentheses\nhelp: write `#[{name}(key = value)]`");
    Mistake::new(&attribute.meta, text + &accepted(keys))
}

pub(crate) fn wrong_value(at: TokenStream, key: &Path, takes: &str, example: &str) -> Mistake {
    let key = path_text(key);
    let text = format!("`{key}` takes {takes}\nhelp: write `{key}{example}`");
    Mistake::new(at, text)
}

pub(crate) fn not_a_choice(value: &syn::LitStr, key: &Path, choices: &[&str]) -> Mistake {
    let (key, written) = (path_text(key), value.value());
    let choices = quoted(choices, '"');
    Mistake::new(value, format!("`{key}` is {choices}, not \"{written}\""))
}

pub(crate) fn doc_not_a_literal(at: &impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a doc comment made by a macro cannot be read here\n\
         help: write the text out, or give it as `description = \"…\"`"
            .to_owned(),
    )
}

fn accepted(keys: &Keys) -> String {
    format!("\nnote: `#[{}]` accepts {}", keys.attribute, keys.accepted.join(", "))
}

fn quoted(choices: &[&str], mark: char) -> String {
    let choices: Vec<String> =
        choices.iter().map(|choice| format!("{mark}{choice}{mark}")).collect();
    choices.join(" or ")
}

fn path_text(path: &Path) -> String {
    let text = path.to_token_stream().to_string();
    text.replace(' ', "")
}

// Durations.

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

pub(crate) fn zero_duration(value: &syn::LitStr, key: &Path) -> Mistake {
    let key = path_text(key);
    let text = format!("`{key}` is zero\nhelp: leave `{key}` out to have none");
    Mistake::new(value, text)
}

pub(crate) fn long_duration(value: &syn::LitStr, key: &Path) -> Mistake {
    let key = path_text(key);
    let text = format!("`{key}` is longer than 500 years\nhelp: leave `{key}` out to have none");
    Mistake::new(value, text)
}

// The function under `#[tool]`.

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
        "a tool is a free function and takes no `self`\n\
         help: move it out of the `impl` and take what it shares as a parameter `State<T>`"
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

// Keys of `#[tool]` that do not go together.

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

// Inline arguments.

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

// The type under `#[derive(Schema)]`.

pub(crate) fn union(at: impl ToTokens) -> Mistake {
    let text = "a union has no schema\nhelp: use a struct with optional fields";
    Mistake::new(at, text.to_owned())
}

pub(crate) fn empty_enum(at: impl ToTokens, has_skipped: bool) -> Mistake {
    let text = if has_skipped {
        "every variant is skipped, so no value is accepted\nhelp: keep the values it may have"
    } else {
        "an enum without variants accepts no value\nhelp: add the values it may have"
    };
    Mistake::new(at, text.to_owned())
}

pub(crate) fn repeated_variant(variant: &Ident, name: &str) -> Mistake {
    Mistake::new(
        variant,
        format!(
            "`{name}` is the name of two variants\n\
             help: give one of them another name with `#[serde(rename = \"…\")]`; `rename_all` \
             and `alias` count"
        ),
    )
}

pub(crate) fn empty_tuple(variant: &Ident) -> Mistake {
    let text = format!(
        "`{variant}()` is an empty array on the wire, which serde does not read back\n\
         help: write `{variant}`, or `{variant} {{}}`"
    );
    Mistake::new(variant, text)
}

pub(crate) fn skipped_newtype(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "the only field is skipped, so nothing is left to describe\n\
         help: remove `skip`, or make it a struct without fields"
            .to_owned(),
    )
}

pub(crate) fn omitted_element(key: &Path) -> Mistake {
    Mistake::new(
        key,
        "`#[serde(skip_serializing_if)]` on an element of a tuple moves the elements after it\n\
         help: use a struct with named fields"
            .to_owned(),
    )
}

pub(crate) fn flat_recursion(at: &impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "a type that contains itself cannot be flattened, since its properties would never end\n\
         help: keep it as a property of its own"
            .to_owned(),
    )
}

pub(crate) fn flat_rule(at: &impl ToTokens, key: &str) -> Mistake {
    let text = format!(
        "`#[schema({key})]` has no effect on a field whose properties stand among others\n\
         help: put it on the type of the field"
    );
    Mistake::new(at, text)
}

pub(crate) fn open_not_a_struct(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "`#[schema(additional_properties)]` opens an object, so it stands on a struct with named \
         fields\n\
         help: put the fields of a variant into such a struct, or flatten a map into them"
            .to_owned(),
    )
}

pub(crate) fn open_and_closed(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "`#[schema(additional_properties)]` accepts what `#[serde(deny_unknown_fields)]` refuses\n\
         help: keep one of them"
            .to_owned(),
    )
}

pub(crate) fn converted(at: impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "`#[schema]` has no effect on a field here, since serde reads another type (`from`)\n\
         help: put it on the fields of that type"
            .to_owned(),
    )
}

// Serde's attributes.

pub(crate) fn serde_refused(key: &Path, instead: &str) -> Mistake {
    let text =
        format!("`#[serde({})]` is not supported in a schema\nhelp: {instead}", path_text(key));
    Mistake::new(key, text)
}

pub(crate) fn own_form(key: &Path) -> Mistake {
    let text = format!(
        "`#[serde({})]` gives the field a form that its type does not tell\n\
         help: name a type that has this form on the wire, as in `#[schema(with = String)]`",
        path_text(key)
    );
    Mistake::new(key, text)
}

pub(crate) fn into_without_from(key: &Path) -> Mistake {
    Mistake::new(
        key,
        "`#[serde(into)]` alone makes what is written differ from what is read, and one schema \
         tells both\n\
         help: add `from` or `try_from` with the same type, or use two types"
            .to_owned(),
    )
}

pub(crate) fn into_differs(key: &Path, from: &str) -> Mistake {
    let text = format!(
        "the type that is written differs from the type that is read, and one schema tells both\n\
         help: write `into = \"{from}\"`, or use two types"
    );
    Mistake::new(key, text)
}

pub(crate) fn serde_one_sided_skip(key: &Path) -> Mistake {
    let text = format!(
        "`#[serde({})]` makes what is read differ from what is written, and one schema tells \
         both\n\
         help: use `skip`, or `skip_serializing_if` with `default`, or two types",
        path_text(key)
    );
    Mistake::new(key, text)
}

pub(crate) fn serde_sides_differ(at: &impl ToTokens) -> Mistake {
    Mistake::new(
        at,
        "the name that is read differs from the name that is written, and one schema tells both\n\
         help: use one name, or two types"
            .to_owned(),
    )
}
