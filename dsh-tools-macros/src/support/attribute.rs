//! Reading an attribute of ours: unknown and repeated keys, and values that do not fit, are
//! mistakes of their own and never hide one another.

use darling::FromMeta;
use darling::ast::NestedMeta;
use proc_macro2::TokenStream;
use syn::{Attribute, Meta};

use super::report::{Mistake, Report};
use super::tokens::wrap_type;
use super::value::{Value, wrong};
use crate::diag;

/// An attribute as users write it, and the keys it accepts.
#[derive(Debug)]
pub(crate) struct Keys {
    pub(crate) attribute: &'static str,
    pub(crate) accepted: &'static [&'static str],
    /// Those that may be given more than once.
    pub(crate) repeated: &'static [&'static str],
    /// Other attributes as written, with keys of theirs that users look for here.
    pub(crate) elsewhere: &'static [(&'static str, &'static [&'static str])],
}

impl Keys {
    /// Reads the attributes of this name, as if all stood in one.
    pub(crate) fn read<T: FromMeta + Default>(
        &self,
        attributes: &[Attribute],
        report: &mut Report,
    ) -> T {
        let mut items = Vec::new();
        for attribute in attributes {
            if attribute.path().is_ident(self.attribute) {
                match &attribute.meta {
                    Meta::Path(_) => {}
                    Meta::List(list) => items.extend(parse(list.tokens.clone(), report)),
                    Meta::NameValue(_) => report.push(diag::attribute_with_value(attribute, self)),
                }
            }
        }
        self.assemble(items, report)
    }

    /// Reads what stands between the parentheses.
    pub(crate) fn read_list<T: FromMeta + Default>(
        &self,
        tokens: TokenStream,
        report: &mut Report,
    ) -> T {
        let items = parse(tokens, report);
        self.assemble(items, report)
    }

    /// Returns the attribute that does have this key, if users look for it here.
    pub(crate) fn home_of(&self, key: &str) -> Option<&'static str> {
        let mut others = self.elsewhere.iter();
        others.find(|(_, keys)| keys.contains(&key)).map(|(attribute, _)| *attribute)
    }

    fn assemble<T: FromMeta + Default>(&self, items: Vec<NestedMeta>, report: &mut Report) -> T {
        let items = self.vet(items, report);
        let parsed = T::from_list(&items).map_err(Mistake::from);
        report.handle(parsed).unwrap_or_default()
    }

    /// Drops what darling would refuse, so that it need not stop and its words need not be ours.
    fn vet(&self, items: Vec<NestedMeta>, report: &mut Report) -> Vec<NestedMeta> {
        let mut seen = Vec::new();
        let mut kept = Vec::new();
        for item in items {
            let key = match &item {
                NestedMeta::Meta(meta) => meta.path(),
                NestedMeta::NameValueInvalidExpr(meta) => &meta.path,
                NestedMeta::Lit(literal) => {
                    report.push(diag::bare_value(literal, self));
                    continue;
                }
            };
            match self.accepted.iter().find(|name| key.is_ident(name)) {
                None => report.push(diag::unknown_key(key, self)),
                Some(name) if seen.contains(name) && !self.repeated.contains(name) => {
                    report.push(diag::duplicate_key(key, self));
                }
                Some(name) => {
                    seen.push(*name);
                    kept.push(item);
                }
            }
        }
        kept
    }
}

fn parse(tokens: TokenStream, report: &mut Report) -> Vec<NestedMeta> {
    let tokens = wrap_type(tokens, "with");
    let items = NestedMeta::parse_meta_list(tokens).map_err(Mistake::from);
    report.handle(items).unwrap_or_default()
}

/// What was given for a key. A wrong value counts as given, so that it is not also missing.
#[derive(Debug, Default)]
pub(crate) enum Given<T> {
    #[default]
    Absent,
    Value(T),
    Wrong(Mistake),
}

impl<T> Given<T> {
    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Returns the value; a wrong one goes to the report.
    pub(crate) fn take(self, report: &mut Report) -> Option<T> {
        match self {
            Self::Absent => None,
            Self::Value(value) => Some(value),
            Self::Wrong(mistake) => {
                report.push(mistake);
                None
            }
        }
    }
}

impl<T: Value> FromMeta for Given<T> {
    fn from_none() -> Option<Self> {
        Some(Self::Absent)
    }

    fn from_meta(meta: &Meta) -> darling::Result<Self> {
        Ok(match T::read(meta) {
            Ok(value) => Self::Value(value),
            Err(mistake) => Self::Wrong(mistake),
        })
    }

    fn from_invalid_expr(meta: &darling::ast::MetaNameValueInvalidExpr) -> darling::Result<Self> {
        Ok(Self::Wrong(wrong::<T>(&Meta::Path(meta.path.clone()))))
    }
}
