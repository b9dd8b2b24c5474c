//! On a field of a struct or of a variant.

use syn::{Attribute, Path};

use super::super::report::Report;
use super::refused::{ON_FIELDS, refuse};
use super::{is_skipped, key, metas, string, two_sided};

/// What serde's attributes on a field mean for its schema.
#[derive(Debug, Default)]
pub(crate) struct Field {
    pub(crate) rename: Option<String>,
    pub(crate) aliases: Vec<String>,
    pub(crate) has_default: bool,
    pub(crate) is_skipped: bool,
    pub(crate) may_be_omitted: Option<Path>,
    pub(crate) flatten: Option<Path>,
    /// Read by a function of the user's.
    pub(crate) read_with: Option<Path>,
    /// Written by a function of the user's.
    pub(crate) written_with: Option<Path>,
}

impl Field {
    pub(crate) fn new(attributes: &[Attribute], report: &mut Report) -> Self {
        let metas = metas(attributes);
        let mut field = Self { is_skipped: is_skipped(&metas, report), ..Self::default() };
        for meta in metas {
            let path = || Some(meta.path().clone());
            match key(&meta).as_str() {
                "rename" => field.rename = report.handle(two_sided(&meta)).flatten(),
                "alias" => field.aliases.extend(string(&meta)),
                "default" => field.has_default = true,
                "skip_serializing_if" => field.may_be_omitted = path(),
                "flatten" => field.flatten = path(),
                "with" => (field.read_with, field.written_with) = (path(), path()),
                "deserialize_with" => field.read_with = path(),
                "serialize_with" => field.written_with = path(),
                _ => refuse(&meta, ON_FIELDS, report),
            }
        }
        field
    }
}
