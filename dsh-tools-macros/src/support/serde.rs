//! Serde's attributes. Serde decides the wire, so a schema follows them or refuses to exist.

use darling::ast::NestedMeta;
use syn::{Attribute, Expr, Lit, Meta, Path};

use super::rename::RenameRule;
use super::report::{Mistake, Report};
use crate::diag;

/// What serde's attributes on a struct or an enum mean for its schema.
#[derive(Debug, Default)]
pub(crate) struct Container {
    pub(crate) rename_all: RenameRule,
    pub(crate) has_default: bool,
}

/// What serde's attributes on a field or a variant mean for its schema.
#[derive(Debug, Default)]
pub(crate) struct Member {
    pub(crate) rename: Option<String>,
    pub(crate) has_default: bool,
    pub(crate) is_skipped: bool,
    pub(crate) may_be_omitted: bool,
}

pub(crate) fn container(attributes: &[Attribute], report: &mut Report) -> Container {
    let mut container = Container::default();
    for meta in metas(attributes) {
        match key(&meta).as_str() {
            "default" => container.has_default = true,
            "rename_all" => {
                let rule = report.handle(two_sided(&meta)).flatten();
                container.rename_all = RenameRule::from_serde(&rule.unwrap_or_default());
            }
            _ => refuse(&meta, REFUSED_ON_CONTAINERS, report),
        }
    }
    container
}

pub(crate) fn field(attributes: &[Attribute], report: &mut Report) -> Member {
    let mut field = member(attributes, REFUSED_ON_FIELDS, report);
    let metas = metas(attributes);
    let one_sided: Vec<&Path> = ["skip_serializing", "skip_deserializing"]
        .into_iter()
        .filter_map(|key| metas.iter().map(Meta::path).find(|path| path.is_ident(key)))
        .collect();
    match one_sided.as_slice() {
        [_, _] => field.is_skipped = true,
        [path] if !field.is_skipped => report.push(diag::serde_one_sided_skip(path)),
        _ => {}
    }
    field
}

pub(crate) fn variant(attributes: &[Attribute], report: &mut Report) -> Member {
    member(attributes, REFUSED_ON_VARIANTS, report)
}

/// Tells whether an attribute of serde's has this key.
pub(crate) fn find_key(attributes: &[Attribute], key: &str) -> Option<Path> {
    let metas = metas(attributes).into_iter();
    metas.map(|meta| meta.path().clone()).find(|path| path.is_ident(key))
}

fn member(attributes: &[Attribute], refused: &[Refusal], report: &mut Report) -> Member {
    let mut member = Member::default();
    for meta in metas(attributes) {
        match key(&meta).as_str() {
            "default" => member.has_default = true,
            "skip" if !refused.iter().any(|refusal| refusal.key == "skip") => {
                member.is_skipped = true;
            }
            "skip_serializing_if" => member.may_be_omitted = true,
            "rename" => member.rename = report.handle(two_sided(&meta)).flatten(),
            _ => refuse(&meta, refused, report),
        }
    }
    member
}

/// The entries of all serde attributes. What does not parse is serde's to report.
fn metas(attributes: &[Attribute]) -> Vec<Meta> {
    let lists = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::List(list) if list.path.is_ident("serde") => Some(list.tokens.clone()),
        _ => None,
    });
    let items = lists.filter_map(|tokens| NestedMeta::parse_meta_list(tokens).ok());
    items
        .flatten()
        .filter_map(|item| match item {
            NestedMeta::Meta(meta) => Some(meta),
            _ => None,
        })
        .collect()
}

/// Reads `key = "x"` or `key(serialize = "x", deserialize = "x")`, which must agree: one schema
/// describes what is read and what is written.
fn two_sided(meta: &Meta) -> Result<Option<String>, Mistake> {
    let Meta::List(list) = meta else {
        return Ok(string(meta));
    };
    let sides = NestedMeta::parse_meta_list(list.tokens.clone()).unwrap_or_default();
    let sides: Vec<Option<String>> = sides
        .iter()
        .map(|side| match side {
            NestedMeta::Meta(side) => string(side),
            _ => None,
        })
        .collect();
    match sides.as_slice() {
        [Some(left), Some(right)] if left == right => Ok(Some(left.clone())),
        _ => Err(diag::serde_sides_differ(list)),
    }
}

fn string(meta: &Meta) -> Option<String> {
    match super::value::expression(meta) {
        Some(Expr::Lit(literal)) => match &literal.lit {
            Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

/// The key of an entry as text; a path of several segments is no key of serde's.
fn key(meta: &Meta) -> String {
    let ident = meta.path().get_ident();
    ident.map(ToString::to_string).unwrap_or_default()
}

/// A key of serde's that a schema cannot follow, and what to do instead.
struct Refusal {
    key: &'static str,
    instead: &'static str,
}

fn refuse(meta: &Meta, refused: &[Refusal], report: &mut Report) {
    let path = meta.path();
    if let Some(refusal) = refused.iter().find(|refusal| path.is_ident(refusal.key)) {
        report.push(diag::serde_refused(path, refusal.instead));
    }
}

const ONE_NAME: &str = "a model is told one name: keep that one, with `#[serde(rename = \"…\")]`";
const OWN_FORM: &str = "use a type whose own `Deserialize` and `Schema` agree on the form";
const PLAIN_ENUM: &str = "use an enum without data, or a struct with optional fields";
const CONVERT: &str = "derive on the type that is sent, and convert in the body of the tool";

const REFUSED_ON_CONTAINERS: &[Refusal] = &[
    Refusal { key: "tag", instead: PLAIN_ENUM },
    Refusal { key: "content", instead: PLAIN_ENUM },
    Refusal { key: "untagged", instead: PLAIN_ENUM },
    Refusal { key: "rename_all_fields", instead: PLAIN_ENUM },
    Refusal { key: "transparent", instead: "use the inner type in its place" },
    Refusal { key: "from", instead: CONVERT },
    Refusal { key: "try_from", instead: CONVERT },
    Refusal { key: "into", instead: CONVERT },
    Refusal { key: "remote", instead: CONVERT },
];

const REFUSED_ON_FIELDS: &[Refusal] = &[
    Refusal { key: "alias", instead: ONE_NAME },
    Refusal {
        key: "flatten",
        instead: "write its fields here, or keep it as a property of its own",
    },
    Refusal { key: "with", instead: OWN_FORM },
    Refusal { key: "serialize_with", instead: OWN_FORM },
    Refusal { key: "deserialize_with", instead: OWN_FORM },
    Refusal { key: "getter", instead: OWN_FORM },
];

const HIDDEN_VARIANT: &str = "make an enum of the variants that a model may use";

const REFUSED_ON_VARIANTS: &[Refusal] = &[
    Refusal { key: "alias", instead: ONE_NAME },
    Refusal { key: "other", instead: "name every variant that a model may use" },
    Refusal { key: "skip", instead: HIDDEN_VARIANT },
    Refusal { key: "skip_serializing", instead: HIDDEN_VARIANT },
    Refusal { key: "skip_deserializing", instead: HIDDEN_VARIANT },
    Refusal { key: "untagged", instead: PLAIN_ENUM },
    Refusal { key: "with", instead: OWN_FORM },
    Refusal { key: "serialize_with", instead: OWN_FORM },
    Refusal { key: "deserialize_with", instead: OWN_FORM },
];
