//! Serde's attributes. Serde decides the wire, so a schema follows them or refuses to exist.
//!
//! What serde itself refuses, and keys that it does not know, are left to it.

mod container;
mod field;
mod refused;
mod variant;

use darling::ast::NestedMeta;
use syn::{Attribute, Expr, Lit, LitStr, Meta, Path};

pub(crate) use self::container::{Container, Tagging};
pub(crate) use self::field::Field;
pub(crate) use self::variant::Variant;
use super::rename::RenameRule;
use super::report::{Mistake, Report};
use crate::diag;

/// Tells whether an attribute of serde's has this key.
pub(crate) fn find_key(attributes: &[Attribute], key: &str) -> Option<Path> {
    let metas = metas(attributes).into_iter();
    metas.map(|meta| meta.path().clone()).find(|path| path.is_ident(key))
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

fn rename_rule(meta: &Meta, report: &mut Report) -> RenameRule {
    let rule = report.handle(two_sided(meta)).flatten();
    RenameRule::from_serde(&rule.unwrap_or_default())
}

fn string(meta: &Meta) -> Option<String> {
    literal(meta).map(|text| text.value())
}

fn literal(meta: &Meta) -> Option<LitStr> {
    match super::value::expression(meta) {
        Some(Expr::Lit(literal)) => match &literal.lit {
            Lit::Str(text) => Some(text.clone()),
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

/// Whether something takes part in neither direction.
///
/// One direction alone is a mistake, since one schema tells both.
fn is_skipped(metas: &[Meta], report: &mut Report) -> bool {
    let find = |key: &str| metas.iter().map(Meta::path).find(|path| path.is_ident(key));
    if find("skip").is_some() {
        return true;
    }
    match (find("skip_serializing"), find("skip_deserializing")) {
        (Some(_), Some(_)) => true,
        (None, None) => false,
        (Some(path), None) | (None, Some(path)) => {
            report.push(diag::serde_one_sided_skip(path));
            false
        }
    }
}
