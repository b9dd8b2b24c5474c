//! [`ValueSchema`]: one type for schemas from macros, from code and from data.
//!
//! A schema made by a macro is a constant and holds `&'static` parts; one made at run time holds
//! shared parts. `parts.rs` is the only place that knows the difference, so there is one validator,
//! one projection and one set of rules.

use std::fmt;

use super::object::{ObjectRules, Property};
use super::parts::{Child, Json, Many, Text, take_children};
use super::refine::Notes;
use crate::json::Number;

/// What a JSON value has to look like.
///
/// The derive makes constants of this type; the constructors on this type make values at run time,
/// and [`parse`](Self::parse) reads JSON Schema.
///
/// ```
/// use dsh_tools::schema::{Property, ValueSchema};
/// use serde_json::json;
///
/// let schema = ValueSchema::object([
///     Property::required("path", ValueSchema::string().with_description("where to look")),
///     Property::optional("limit", ValueSchema::integer()),
/// ]);
/// assert!(schema.is_valid(&json!({"path": "src"})));
/// assert_eq!(
///     schema.to_json(),
///     json!({
///         "type": "object",
///         "additionalProperties": false,
///         "properties": {
///             "path": {"type": "string", "description": "where to look"},
///             "limit": {"type": "integer"},
///         },
///         "required": ["path"],
///     })
/// );
/// ```
#[derive(Clone)]
pub struct ValueSchema {
    pub(crate) kind: Kind,
    pub(crate) notes: Annotated,
    /// Tells the Rust type, by which recursion is told from repetition.
    pub(crate) type_name: Option<fn() -> &'static str>,
    /// What references of a parsed schema lead to; only at the root of it.
    pub(crate) definitions: Many<Definition>,
    /// A mistake made while refining a type's schema, reported with its path by the rules.
    pub(crate) fault: Option<Fault>,
}

/// Annotations, which constrain nothing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Annotated {
    pub(crate) description: Option<Text>,
    pub(crate) title: Option<Text>,
    pub(crate) default: Option<Json>,
    pub(crate) examples: Option<Json>,
    pub(crate) deprecated: bool,
}

/// The kinds of the schema language and the rules that belong to each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Any JSON value.
    Json,
    Null(Members),
    Boolean(Members),
    String(Members, StringRules),
    Integer(Members, NumberRules),
    Number(Members, NumberRules),
    Array(ArrayRules),
    Object(ObjectRules),
    /// Exactly one branch.
    OneOf(Many<ValueSchema>),
    /// At least one branch.
    AnyOf(Many<ValueSchema>),
    /// What another schema says.
    Reference(Reference),
}

/// The only values accepted of a scalar, if there are such.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Members {
    /// `enum`; empty when there is none.
    pub(crate) any_of: Many<Member>,
    /// `const`.
    pub(crate) exactly: Option<Literal>,
}

/// One accepted value of an enum, with what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub(crate) value: Literal,
    pub(crate) description: Option<Text>,
}

/// A scalar value in a schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Null,
    Boolean(bool),
    Number(Number),
    Text(Text),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StringRules {
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) pattern: Option<Text>,
    pub(crate) format: Option<Text>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberRules {
    pub(crate) minimum: Option<Number>,
    pub(crate) maximum: Option<Number>,
    pub(crate) exclusive_minimum: Option<Number>,
    pub(crate) exclusive_maximum: Option<Number>,
    pub(crate) multiple_of: Option<Number>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ArrayRules {
    /// What the first elements have to look like, each in its place.
    pub(crate) prefix: Many<ValueSchema>,
    /// What every further element has to look like; absent accepts any JSON.
    pub(crate) items: Option<Child>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
    pub(crate) unique_items: bool,
}

/// A schema that is named instead of written out.
#[derive(Clone, Copy)]
pub(crate) enum Reference {
    /// The schema of a Rust type, asked for late, so that a type may contain itself.
    Type(fn() -> &'static ValueSchema),
    /// The whole parsed schema.
    Root,
    /// A definition of the parsed schema, by its place.
    Definition(usize),
}

/// A named schema that references of a parsed schema lead to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Definition {
    pub(crate) name: Text,
    pub(crate) schema: ValueSchema,
}

/// A mistake that only shows when an attribute meets the type it stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The keyword does not apply to this kind.
    Misplaced { keyword: &'static str, applies_to: &'static str },
    /// Left out when serialized, but demanded when deserialized.
    OmittedButRequired,
    /// The type has this key already, and a schema holds one.
    Repeated { keyword: &'static str },
    /// A default that is shown, but not used when the property is missing.
    DefaultButRequired,
    /// Flattened, but not an object.
    NotFlat,
    /// In a variant of an internally tagged enum, but not an object.
    NotBesideTag,
    /// Flattened behind a map that takes every key.
    FlatBehindMap,
}

impl ValueSchema {
    pub(crate) const fn new(kind: Kind) -> Self {
        Self {
            kind,
            notes: Annotated::NONE,
            type_name: None,
            definitions: Many::Static(&[]),
            fault: None,
        }
    }

    /// The description the model reads, if there is one.
    pub fn description(&self) -> Option<&str> {
        self.notes.description.as_deref()
    }

    /// The title for people, if there is one.
    pub fn title(&self) -> Option<&str> {
        self.notes.title.as_deref()
    }

    /// The declared properties of an object, in order; none for every other kind.
    pub fn properties(&self) -> impl Iterator<Item = &Property> {
        let rules = match &self.kind {
            Kind::Object(rules) => Some(rules),
            _ => None,
        };
        rules.into_iter().flat_map(ObjectRules::declared)
    }

    /// The name of the Rust type whose schema this is, if a derive made it.
    pub(crate) fn type_name(&self) -> Option<&'static str> {
        self.type_name.map(|name| name())
    }

    /// Whether this schema describes an object.
    pub const fn is_object(&self) -> bool {
        matches!(self.kind, Kind::Object(_))
    }

    /// A copy of a constant schema with what `notes` says in place of its own notes.
    ///
    /// `Clone` cannot run in constant evaluation; a constant holds no shared part, so the parts can
    /// be copied.
    pub(crate) const fn copied(&'static self, notes: Notes) -> Self {
        Self {
            kind: self.kind.copied(),
            notes: self.notes.copied(notes),
            type_name: self.type_name,
            definitions: Many::Static(&[]),
            fault: self.fault,
        }
    }

    /// The name of the kind, with its article, for messages.
    pub(crate) const fn kind_name(&self) -> &'static str {
        match &self.kind {
            Kind::Json => "any JSON value",
            Kind::Null(_) => "null",
            Kind::Boolean(_) => "a boolean",
            Kind::String(..) => "a string",
            Kind::Integer(..) => "an integer",
            Kind::Number(..) => "a number",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
            Kind::OneOf(_) | Kind::AnyOf(_) => "a union",
            Kind::Reference(_) => "a value of its own type",
        }
    }
}

/// Takes deep schemas apart from the outside, since dropping them from within uses the stack.
impl Drop for ValueSchema {
    fn drop(&mut self) {
        let mut todo = Vec::new();
        take_children(self, &mut todo);
        while let Some(mut schema) = todo.pop() {
            take_children(&mut schema, &mut todo);
        }
    }
}

impl PartialEq for ValueSchema {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.notes == other.notes
            && self.definitions == other.definitions
            && self.fault == other.fault
    }
}

impl fmt::Debug for ValueSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ValueSchema({})", self.to_json())
    }
}

impl Annotated {
    pub(crate) const NONE: Self =
        Self { description: None, title: None, default: None, examples: None, deprecated: false };

    pub(crate) const fn copied(&'static self, notes: Notes) -> Self {
        Self {
            description: Text::noted(notes.description, self.description.as_ref()),
            title: Text::noted(notes.title, self.title.as_ref()),
            default: Json::noted(notes.default, self.default.as_ref()),
            examples: Json::noted(notes.examples, self.examples.as_ref()),
            deprecated: notes.deprecated || self.deprecated,
        }
    }
}

impl Kind {
    pub(crate) const fn copied(&'static self) -> Self {
        match self {
            Self::Json => Self::Json,
            Self::Null(members) => Self::Null(members.copied()),
            Self::Boolean(members) => Self::Boolean(members.copied()),
            Self::String(members, rules) => Self::String(members.copied(), rules.copied()),
            Self::Integer(members, rules) => Self::Integer(members.copied(), *rules),
            Self::Number(members, rules) => Self::Number(members.copied(), *rules),
            Self::Array(rules) => Self::Array(rules.copied()),
            Self::Object(rules) => Self::Object(rules.copied()),
            Self::OneOf(branches) => Self::OneOf(branches.copied()),
            Self::AnyOf(branches) => Self::AnyOf(branches.copied()),
            Self::Reference(reference) => Self::Reference(*reference),
        }
    }
}

impl Members {
    pub(crate) const ANY: Self = Self { any_of: Many::Static(&[]), exactly: None };

    pub(crate) const fn copied(&'static self) -> Self {
        Self {
            any_of: self.any_of.copied(),
            exactly: match &self.exactly {
                Some(literal) => Some(literal.copied()),
                None => None,
            },
        }
    }
}

impl Literal {
    const fn copied(&'static self) -> Self {
        match self {
            Self::Null => Self::Null,
            Self::Boolean(value) => Self::Boolean(*value),
            Self::Number(number) => Self::Number(*number),
            Self::Text(text) => Self::Text(Text::Static(text.as_const())),
        }
    }
}

impl StringRules {
    pub(crate) const ANY: Self =
        Self { min_length: None, max_length: None, pattern: None, format: None };

    const fn copied(&'static self) -> Self {
        Self {
            min_length: self.min_length,
            max_length: self.max_length,
            pattern: Text::noted(None, self.pattern.as_ref()),
            format: Text::noted(None, self.format.as_ref()),
        }
    }
}

impl NumberRules {
    /// The bounds that a number does not keep: how it has to stand to which.
    pub(crate) fn broken(&self, value: Number) -> [Option<(&'static str, Number)>; 5] {
        let Self { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of } = self;
        [
            minimum.filter(|bound| value.less_than(*bound)).map(|bound| ("at least", bound)),
            maximum.filter(|bound| bound.less_than(value)).map(|bound| ("at most", bound)),
            exclusive_minimum.filter(|bound| !bound.less_than(value)).map(|bound| ("above", bound)),
            exclusive_maximum
                .filter(|bound| !value.less_than(*bound))
                .map(|bound| ("below", bound)),
            multiple_of
                .filter(|step| !value.is_multiple_of(*step))
                .map(|step| ("a multiple of", step)),
        ]
    }

    pub(crate) const ANY: Self = Self {
        minimum: None,
        maximum: None,
        exclusive_minimum: None,
        exclusive_maximum: None,
        multiple_of: None,
    };
}

impl ArrayRules {
    pub(crate) const ANY: Self = Self {
        prefix: Many::Static(&[]),
        items: None,
        min_items: None,
        max_items: None,
        unique_items: false,
    };

    const fn copied(&'static self) -> Self {
        Self {
            prefix: self.prefix.copied(),
            items: match &self.items {
                Some(items) => Some(items.copied()),
                None => None,
            },
            min_items: self.min_items,
            max_items: self.max_items,
            unique_items: self.unique_items,
        }
    }
}

impl Member {
    /// The accepted text; none for a member that is no text.
    pub fn as_text(&self) -> Option<&str> {
        match &self.value {
            Literal::Text(text) => Some(text),
            _ => None,
        }
    }

    /// What the value means, if that is documented.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

/// The literal as compact JSON, for messages.
impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            other => other.to_value().fmt(f),
        }
    }
}

impl Reference {
    /// The schema that it leads to, in the schema that it is a part of.
    #[inline]
    pub(crate) fn target(self, root: &ValueSchema) -> &ValueSchema {
        match self {
            Self::Type(schema) => schema(),
            Self::Root => root,
            Self::Definition(place) => {
                root.definitions.get(place).map_or(root, |definition| &definition.schema)
            }
        }
    }
}

/// Two references to types are equal when they lead to types of one name.
impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Type(a), Self::Type(b)) => a().type_name() == b().type_name(),
            (Self::Root, Self::Root) => true,
            (Self::Definition(a), Self::Definition(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Type(schema) => write!(f, "Type({:?})", schema().type_name()),
            Self::Root => f.write_str("Root"),
            Self::Definition(place) => write!(f, "Definition({place})"),
        }
    }
}
