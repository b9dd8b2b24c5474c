//! On a variant of an enum.

use syn::Attribute;

use super::super::rename::RenameRule;
use super::super::report::Report;
use super::refused::{ON_VARIANTS, refuse};
use super::{is_skipped, key, metas, rename_rule, string, two_sided};

/// What serde's attributes on a variant mean for its schema.
#[derive(Debug, Default)]
pub(crate) struct Variant {
    pub(crate) rename: Option<String>,
    /// For the fields of the variant.
    pub(crate) rename_all: Option<RenameRule>,
    pub(crate) aliases: Vec<String>,
    pub(crate) is_skipped: bool,
    pub(crate) is_untagged: bool,
}

impl Variant {
    pub(crate) fn new(attributes: &[Attribute], report: &mut Report) -> Self {
        let metas = metas(attributes);
        let mut variant = Self { is_skipped: is_skipped(&metas, report), ..Self::default() };
        for meta in metas {
            match key(&meta).as_str() {
                "rename" => variant.rename = report.handle(two_sided(&meta)).flatten(),
                "rename_all" => variant.rename_all = Some(rename_rule(&meta, report)),
                "alias" => variant.aliases.extend(string(&meta)),
                "untagged" => variant.is_untagged = true,
                _ => refuse(&meta, ON_VARIANTS, report),
            }
        }
        variant
    }
}
