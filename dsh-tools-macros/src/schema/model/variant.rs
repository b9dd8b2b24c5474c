//! Variants, in serde's four ways of telling them apart.

use syn::Ident;
use syn::ext::IdentExt;

use super::super::attributes::VariantAttribute;
use super::super::check;
use super::super::parse::{ParsedField, ParsedFields, ParsedVariant};
use super::field::Fields;
use super::notes::Notes;
use super::{Head, Member, Property, Schema};
use crate::support::attribute::Given;
use crate::support::rename::RenameRule;
use crate::support::report::Report;
use crate::support::serde::{self, Tagging};

/// What the variants of an enum have in common.
pub(super) struct Variants<'a> {
    pub(super) owner: &'a Ident,
    pub(super) rename_all: RenameRule,
    pub(super) rename_all_fields: RenameRule,
    pub(super) tagging: Tagging,
}

/// A variant with its name on the wire.
struct Variant<'a> {
    name: String,
    aliases: Vec<String>,
    notes: Notes,
    is_untagged: bool,
    fields: Fields<'a>,
    form: Form<'a>,
}

enum Form<'a> {
    Unit,
    Newtype(Box<ParsedField<'a>>),
    Tuple(Vec<ParsedField<'a>>),
    Struct(Vec<ParsedField<'a>>),
}

impl<'a> Variants<'a> {
    /// Decides the schema of the enum.
    pub(super) fn choice(
        &self,
        parsed: Vec<ParsedVariant<'a>>,
        notes: Notes,
        report: &mut Report,
    ) -> Schema {
        let is_plain = parsed.iter().all(|variant| matches!(variant.fields, ParsedFields::Unit))
            && parsed.iter().all(|variant| !variant.serde.is_untagged)
            && matches!(self.tagging, Tagging::External);
        let mut names = check::Names::default();
        let mut variants = Vec::new();
        for parsed in parsed {
            let ident = parsed.ident;
            let variant = self.variant(parsed, report);
            // The names of a plain enum are checked where they are one list.
            if !is_plain && !variant.is_untagged {
                names.take(ident, &variant.name, &variant.aliases, report);
            }
            variants.push(variant);
        }
        if is_plain {
            return Schema::Text(notes, variants.into_iter().flat_map(members).collect());
        }
        let is_exclusive = variants.iter().all(|variant| !variant.is_untagged);
        Schema::Choice { is_exclusive, notes, branches: self.branches(variants, report) }
    }

    fn variant(&self, parsed: ParsedVariant<'a>, report: &mut Report) -> Variant<'a> {
        let ParsedVariant { ident, attributes, schema, serde, fields } = parsed;
        let serde::Variant { rename, rename_all, aliases, is_untagged, is_skipped: _ } = serde;
        let VariantAttribute { description, deprecated } = schema;
        let renamed = || self.rename_all.variant(&ident.unraw().to_string());
        let form = Form::new(ident, fields, report);
        Variant {
            name: rename.unwrap_or_else(renamed),
            aliases,
            notes: Notes::new(Given::default(), description, deprecated, attributes, report),
            is_untagged: is_untagged || matches!(self.tagging, Tagging::Untagged),
            fields: Fields {
                owner: self.owner,
                rename_all: rename_all.unwrap_or(self.rename_all_fields),
                has_default: false,
            },
            form,
        }
    }

    /// Makes a branch of each variant; those that are strings share one.
    fn branches(&self, variants: Vec<Variant<'a>>, report: &mut Report) -> Vec<Schema> {
        let mut branches = Vec::new();
        let mut strings = Vec::new();
        for variant in variants {
            if variant.is_untagged {
                branches.push(variant.content(report));
                continue;
            }
            match &self.tagging {
                Tagging::External if matches!(variant.form, Form::Unit) => {
                    strings.extend(members(variant));
                }
                Tagging::External | Tagging::Untagged => branches.push(variant.keyed(report)),
                Tagging::Internal(tag) => branches.push(variant.tagged(tag, report)),
                Tagging::Adjacent { tag, content } => {
                    branches.push(variant.beside(tag, content, report));
                }
            }
        }
        if !strings.is_empty() {
            branches.insert(0, Schema::Text(Notes::default(), strings));
        }
        branches
    }
}

impl<'a> Form<'a> {
    /// A newtype without its field is a unit, as serde has it.
    fn new(variant: &Ident, fields: ParsedFields<'a>, report: &mut Report) -> Self {
        match fields {
            ParsedFields::Unit => Self::Unit,
            ParsedFields::Named(fields) => Self::Struct(fields),
            ParsedFields::Unnamed(fields) => match <[ParsedField<'a>; 1]>::try_from(fields) {
                Ok([field]) if field.serde.is_skipped => Self::Unit,
                Ok([field]) => Self::Newtype(Box::new(field)),
                Err(fields) => {
                    check::tuple_variant(variant, &fields, report);
                    Self::Tuple(fields)
                }
            },
        }
    }
}

impl Variant<'_> {
    /// What the variant holds, by itself.
    fn content(self, report: &mut Report) -> Schema {
        let Self { notes, fields, form, .. } = self;
        match form {
            Form::Unit => Schema::Null(notes),
            Form::Newtype(field) => fields.newtype(*field, notes, report),
            Form::Tuple(parsed) => fields.tuple(parsed, notes, report),
            Form::Struct(parsed) => object(notes, fields.properties(parsed, report)),
        }
    }

    /// External: the name is the key of the content.
    fn keyed(mut self, report: &mut Report) -> Schema {
        let notes = std::mem::take(&mut self.notes);
        let name = std::mem::take(&mut self.name);
        let aliases = std::mem::take(&mut self.aliases);
        let head = Head { name, aliases, ..Head::default() };
        object(notes, vec![Property::Exact(head, self.content(report))])
    }

    /// Internal: the content stands beside the tag.
    fn tagged(mut self, tag: &str, report: &mut Report) -> Schema {
        let mut notes = std::mem::take(&mut self.notes);
        let mut properties = vec![self.tag(tag)];
        match self.form {
            // A tuple is serde's to refuse.
            Form::Unit | Form::Tuple(_) => {}
            Form::Struct(parsed) => properties.extend(self.fields.properties(parsed, report)),
            Form::Newtype(field) => {
                check::own_form(&field.serde, &field.schema, report);
                let name = field.name.clone();
                let at = field.ty;
                let element = self.fields.element(*field, report);
                check::flat(at, &element, report);
                notes.described_by = Some(element.ty.clone());
                properties.push(Property::BesideTag { name, ty: element.ty });
            }
        }
        object(notes, properties)
    }

    /// Adjacent: tag and content are two properties.
    fn beside(mut self, tag: &str, content: &str, report: &mut Report) -> Schema {
        let notes = std::mem::take(&mut self.notes);
        let mut properties = vec![self.tag(tag)];
        let head = Head { name: content.to_owned(), ..Head::default() };
        match self.form {
            Form::Unit => {}
            Form::Newtype(field) => {
                let is_exact = field.serde.read_with.is_some();
                check::own_form(&field.serde, &field.schema, report);
                let element = self.fields.element(*field, report);
                properties.push(if is_exact {
                    Property::Exact(head, Schema::Same(Box::new(element)))
                } else {
                    Property::Field(head, Box::new(element))
                });
            }
            Form::Tuple(_) | Form::Struct(_) => {
                properties.push(Property::Exact(head, self.content(report)));
            }
        }
        object(notes, properties)
    }

    fn tag(&mut self, tag: &str) -> Property {
        let head = Head { name: tag.to_owned(), ..Head::default() };
        let names = std::iter::once(std::mem::take(&mut self.name));
        let names = names.chain(std::mem::take(&mut self.aliases));
        let members = names.map(|name| Member { name, description: None }).collect();
        Property::Exact(head, Schema::Text(Notes::default(), members))
    }
}

fn object(notes: Notes, properties: Vec<Property>) -> Schema {
    Schema::Object { notes, properties, is_open: false }
}

/// The strings of a variant without data. Other names are accepted, so a model is told them, too.
fn members(variant: Variant<'_>) -> impl Iterator<Item = Member> {
    let Variant { name, aliases, notes, .. } = variant;
    let description = match (notes.description, notes.deprecated) {
        (Some(text), true) => Some(format!("{text} (deprecated)")),
        (None, true) => Some("deprecated".to_owned()),
        (text, false) => text,
    };
    let same = format!("the same as `{name}`");
    let aliases = aliases
        .into_iter()
        .map(move |alias| Member { name: alias, description: Some(same.clone()) });
    std::iter::once(Member { name, description }).chain(aliases)
}
