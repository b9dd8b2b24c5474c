//! What the schema says, decided: wire names, texts and rules.

mod bounds;
mod content;
mod field;
mod notes;
mod variant;

use proc_macro2::TokenStream;
use syn::{DeriveInput, Generics, Ident, Path, Type};

pub(crate) use self::notes::{Notes, Refinement, Setting};
use super::parse::Parsed;
use crate::support::inherited::inherited;
use crate::support::report::Report;

/// A schema to generate.
#[derive(Debug)]
pub(crate) struct Model<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: Generics,
    pub(crate) inherited: Vec<TokenStream>,
    pub(crate) krate: Path,
    pub(crate) schema: Schema,
    /// The type that serde reads in its place, which tells whether it may be missing.
    pub(crate) stands_for: Option<Type>,
}

/// A schema, by what makes it.
#[derive(Debug)]
pub(crate) enum Schema {
    Null(Notes),
    /// One of several strings.
    Text(Notes, Vec<Member>),
    Object {
        notes: Notes,
        properties: Vec<Property>,
        is_open: bool,
    },
    /// An array with a schema for each place; those behind the first `required` may be missing.
    Tuple {
        notes: Notes,
        elements: Vec<Element>,
        required: usize,
    },
    /// What another type says.
    Same(Box<Element>),
    /// One of several schemas.
    Choice {
        /// No value fits two of them.
        is_exclusive: bool,
        notes: Notes,
        branches: Vec<Schema>,
    },
}

/// A property of an object.
#[derive(Debug)]
pub(crate) enum Property {
    /// It may be missing if its type says so.
    Field(Head, Box<Element>),
    /// It may be missing only by default.
    Exact(Head, Schema),
    /// Its own properties stand in its place.
    Flattened { name: String, ty: Type, may_be_omitted: bool },
    /// Its own properties stand beside the tag of its variant.
    BesideTag { name: String, ty: Type },
}

/// What serde says about a property.
#[derive(Debug, Default)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) has_default: bool,
    pub(crate) may_be_omitted: bool,
}

/// The schema of a type, with what its place adds.
#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) ty: Type,
    /// The type that is defined here, where it may be contained in this one, which is asked for
    /// late then.
    pub(crate) late_for: Option<String>,
    pub(crate) refinement: Refinement,
}

/// One accepted string.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
}

impl<'a> Model<'a> {
    pub(crate) fn new(parsed: Parsed<'a>, report: &mut Report) -> Self {
        let Parsed { input, mut schema, serde, shape } = parsed;
        let DeriveInput { attrs, ident, generics, .. } = input;
        let krate = std::mem::take(&mut schema.krate).take(report).unwrap_or_default().0;
        let container = content::Container { ident, attributes: attrs, schema, serde };
        let (content, stands_for) = container.content(shape, report);
        Self {
            ident,
            generics: bounds::bounded(generics, &content),
            inherited: inherited(attrs),
            krate,
            schema: content,
            stands_for,
        }
    }

    /// Returns a schema that only exists, for a type whose mistakes are reported already.
    pub(crate) fn without_content(self) -> Self {
        let notes = Notes::default();
        let schema = Schema::Object { notes, properties: Vec::new(), is_open: false };
        Self { schema, stands_for: None, ..self }
    }
}

impl Schema {
    /// Collects the types that have to have a schema.
    pub(crate) fn types<'s>(&'s self, types: &mut Vec<&'s Type>) {
        match self {
            Self::Null(_) | Self::Text(..) => {}
            Self::Object { properties, .. } => {
                for property in properties {
                    match property {
                        Property::Field(_, element) => types.push(&element.ty),
                        Property::Flattened { ty, .. } | Property::BesideTag { ty, .. } => {
                            types.push(ty);
                        }
                        Property::Exact(_, schema) => schema.types(types),
                    }
                }
            }
            Self::Tuple { elements, .. } => types.extend(elements.iter().map(|e| &e.ty)),
            Self::Same(element) => types.push(&element.ty),
            Self::Choice { branches, .. } => {
                for branch in branches {
                    branch.types(types);
                }
            }
        }
    }
}
