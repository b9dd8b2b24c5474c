//! On a struct or an enum.

use quote::ToTokens;
use syn::{Attribute, LitStr, Meta, Path, Type};

use super::super::rename::RenameRule;
use super::super::report::Report;
use super::refused::{ON_CONTAINERS, refuse};
use super::{key, literal, metas, rename_rule, string, two_sided};
use crate::diag;

/// What serde's attributes on a struct or an enum mean for its schema.
#[derive(Debug, Default)]
pub(crate) struct Container {
    /// The name that a struct with a tag writes.
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: RenameRule,
    /// For the fields of every variant.
    pub(crate) rename_all_fields: RenameRule,
    pub(crate) has_default: bool,
    pub(crate) denies_unknown: Option<Path>,
    pub(crate) transparent: Option<Path>,
    pub(crate) tagging: Tagging,
    /// The type that is read in its place.
    pub(crate) conversion: Option<Type>,
}

/// How serde tells variants apart.
#[derive(Debug, Default)]
pub(crate) enum Tagging {
    #[default]
    External,
    Internal(String),
    Adjacent {
        tag: String,
        content: String,
    },
    Untagged,
}

impl Container {
    pub(crate) fn new(attributes: &[Attribute], report: &mut Report) -> Self {
        let mut container = Self::default();
        let (mut tag, mut content) = (None, None);
        let (mut from, mut into) = (None, None);
        for meta in metas(attributes) {
            match key(&meta).as_str() {
                "rename" => container.rename = report.handle(two_sided(&meta)).flatten(),
                "rename_all" => container.rename_all = rename_rule(&meta, report),
                "rename_all_fields" => container.rename_all_fields = rename_rule(&meta, report),
                "default" => container.has_default = true,
                "deny_unknown_fields" => container.denies_unknown = Some(meta.path().clone()),
                "transparent" => container.transparent = Some(meta.path().clone()),
                "tag" => tag = string(&meta),
                "content" => content = string(&meta),
                "untagged" => container.tagging = Tagging::Untagged,
                "from" | "try_from" => from = literal(&meta),
                "into" => into = Some(meta),
                _ => refuse(&meta, ON_CONTAINERS, report),
            }
        }
        // Other combinations are serde's to refuse.
        match (tag, content) {
            (Some(tag), Some(content)) => container.tagging = Tagging::Adjacent { tag, content },
            (Some(tag), None) => container.tagging = Tagging::Internal(tag),
            (None, _) => {}
        }
        container.conversion = conversion(from, into.as_ref(), report);
        container
    }
}

/// The type that is read, which must be the type that is written, if that is said.
fn conversion(from: Option<LitStr>, into: Option<&Meta>, report: &mut Report) -> Option<Type> {
    let parse = |text: LitStr| text.parse::<Type>().map_err(Into::into);
    let from = from.and_then(|from| report.handle(parse(from)));
    let Some(into) = into else { return from };
    let written = literal(into).and_then(|into| report.handle(parse(into)));
    match (&from, written) {
        (None, _) => report.push(diag::into_without_from(into.path())),
        (Some(from), Some(written)) if text(from) != text(&written) => {
            report.push(diag::into_differs(into.path(), &text(from)));
        }
        _ => {}
    }
    from
}

fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string()
}
