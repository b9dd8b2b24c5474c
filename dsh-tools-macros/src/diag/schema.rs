//! The type under `#[derive(Schema)]`.

use quote::ToTokens;
use syn::{Ident, Path};

use crate::support::report::Mistake;

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
