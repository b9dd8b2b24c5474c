//! Keys and values of attributes.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Lit, Path};

use crate::support::attribute::Keys;
use crate::support::nearest::nearest;
use crate::support::report::Mistake;

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

pub(super) fn path_text(path: &Path) -> String {
    let text = path.to_token_stream().to_string();
    text.replace(' ', "")
}
