//! Serde's attributes.

use quote::ToTokens;
use syn::Path;

use super::attribute::path_text;
use crate::support::report::Mistake;

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
