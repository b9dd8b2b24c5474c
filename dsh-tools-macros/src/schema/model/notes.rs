//! What `#[schema]` and doc comments add to a schema.

use syn::Attribute;

use super::super::attributes::FieldAttribute;
use crate::diag;
use crate::support::attribute::Given;
use crate::support::docs;
use crate::support::report::Report;
use crate::support::value::{Count, Json, Number, Switch, Text};

/// Texts and values that constrain nothing.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    /// The type that describes, if no text does.
    pub(crate) described_by: Option<syn::Type>,
    /// JSON text.
    pub(crate) default: Option<String>,
    /// JSON texts.
    pub(crate) examples: Vec<String>,
    pub(crate) deprecated: bool,
}

/// What a field adds to the schema of its type.
#[derive(Debug, Default)]
pub(crate) struct Refinement {
    pub(crate) notes: Notes,
    /// Rules by the name of their field in the runtime's `Refinement`.
    pub(crate) rules: Vec<(&'static str, Setting)>,
}

/// The value of a rule.
#[derive(Debug)]
pub(crate) enum Setting {
    Number(Number),
    Count(u64),
    Text(String),
    On,
}

impl Notes {
    pub(super) fn new(
        title: Given<Text>,
        described: Given<Text>,
        deprecated: Given<Switch>,
        attributes: &[Attribute],
        report: &mut Report,
    ) -> Self {
        Self {
            title: text("title", title, report),
            description: description(described, attributes, report),
            deprecated: is_on(deprecated, report)
                .unwrap_or_else(|| attributes.iter().any(|a| a.path().is_ident("deprecated"))),
            ..Self::default()
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let Self { title, description, described_by, default, examples, deprecated } = self;
        let texts = [title, description, default];
        texts.iter().all(|text| text.is_none())
            && described_by.is_none()
            && examples.is_empty()
            && !deprecated
    }

    /// What a type says of itself, over what its only field says.
    pub(super) fn over(self, inner: Self) -> Self {
        Self {
            title: self.title.or(inner.title),
            description: self.description.or(inner.description),
            described_by: self.described_by.or(inner.described_by),
            default: self.default.or(inner.default),
            examples: if self.examples.is_empty() { inner.examples } else { self.examples },
            deprecated: self.deprecated || inner.deprecated,
        }
    }
}

impl Refinement {
    pub(crate) fn is_empty(&self) -> bool {
        self.notes.is_empty() && self.rules.is_empty()
    }

    /// Decides everything but the type.
    pub(crate) fn new(
        schema: FieldAttribute,
        attributes: &[Attribute],
        report: &mut Report,
    ) -> Self {
        let FieldAttribute { title, description, deprecated, default, example, .. } = schema;
        let mut notes = Notes::new(title, description, deprecated, attributes, report);
        notes.default = default.take(report).map(|Json(json)| json);
        let examples = example.into_iter().filter_map(|example| example.take(report));
        notes.examples = examples.map(|Json(json)| json).collect();
        let mut rules = Vec::new();
        for (name, given) in [
            ("minimum", schema.minimum),
            ("maximum", schema.maximum),
            ("exclusive_minimum", schema.exclusive_minimum),
            ("exclusive_maximum", schema.exclusive_maximum),
            ("multiple_of", schema.multiple_of),
        ] {
            rules.extend(given.take(report).map(|number| (name, Setting::Number(number))));
        }
        for (name, given) in [
            ("min_length", schema.min_length),
            ("max_length", schema.max_length),
            ("min_items", schema.min_items),
            ("max_items", schema.max_items),
            ("min_properties", schema.min_properties),
            ("max_properties", schema.max_properties),
        ] {
            rules.extend(given.take(report).map(|Count(count)| (name, Setting::Count(count))));
        }
        for (name, given) in [("pattern", schema.pattern), ("format", schema.format)] {
            rules.extend(text(name, given, report).map(|text| (name, Setting::Text(text))));
        }
        let is_unique = is_on(schema.unique_items, report).unwrap_or(false);
        rules.extend(is_unique.then_some(("unique_items", Setting::On)));
        Self { notes, rules }
    }
}

pub(super) fn is_on(switch: Given<Switch>, report: &mut Report) -> Option<bool> {
    switch.take(report).map(|switch| switch.on)
}

/// Takes a description from the attribute or, if there is none, from the doc comment.
fn description(
    given: Given<Text>,
    attributes: &[Attribute],
    report: &mut Report,
) -> Option<String> {
    if given.is_absent() {
        docs::text(attributes, report)
    } else {
        text("description", given, report)
    }
}

fn text(key: &str, given: Given<Text>, report: &mut Report) -> Option<String> {
    let Text(literal) = given.take(report)?;
    // White space belongs to a pattern.
    if key == "pattern" {
        return Some(literal.value());
    }
    let text = docs::non_blank(&literal.value());
    if text.is_none() {
        report.push(diag::blank(&literal, key));
    }
    text
}
