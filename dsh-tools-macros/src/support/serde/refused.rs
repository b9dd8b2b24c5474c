//! Keys of serde's that a schema cannot follow, and what to do instead.

use syn::Meta;

use super::super::report::Report;
use crate::diag;

/// A key that is refused.
pub(super) struct Refusal {
    key: &'static str,
    instead: &'static str,
}

/// Reports a key that is refused; every other one has no effect here.
pub(super) fn refuse(meta: &Meta, refused: &[Refusal], report: &mut Report) {
    let path = meta.path();
    if let Some(refusal) = refused.iter().find(|refusal| path.is_ident(refusal.key)) {
        report.push(diag::serde_refused(path, refusal.instead));
    }
}

const CONVERT: &str = "derive on the type that is sent, and convert in the body of the tool";
const PLAIN: &str = "use an enum without it, which is a string";
const IN_PLACE: &str = "put it on the fields, each with `#[schema(with = Type)]`";
const NAMED: &str =
    "name every variant that a model may use, since a model is told what is accepted";

pub(super) const ON_CONTAINERS: &[Refusal] = &[
    Refusal { key: "remote", instead: CONVERT },
    Refusal { key: "field_identifier", instead: PLAIN },
    Refusal { key: "variant_identifier", instead: PLAIN },
];

pub(super) const ON_FIELDS: &[Refusal] = &[Refusal { key: "getter", instead: CONVERT }];

pub(super) const ON_VARIANTS: &[Refusal] = &[
    Refusal { key: "other", instead: NAMED },
    Refusal { key: "with", instead: IN_PLACE },
    Refusal { key: "serialize_with", instead: IN_PLACE },
    Refusal { key: "deserialize_with", instead: IN_PLACE },
];
