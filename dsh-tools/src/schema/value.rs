//! [`ValueSchema`]: one type for schemas from macros, from code and from data.
//!
//! A schema made by a macro is a constant and holds `&'static` parts; one made at run time holds
//! shared parts. [`Text`], [`Many`] and [`Child`] are the only places that know the difference, so
//! there is one validator, one projection and one set of rules.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::constant::Notes;

/// What a JSON value has to look like.
///
/// The derive makes constants of this type; the constructors on this type make values at run time.
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
#[derive(Clone, Debug, PartialEq)]
pub struct ValueSchema {
    pub(crate) kind: Kind,
    pub(crate) description: Option<Text>,
    pub(crate) title: Option<Text>,
    /// A mistake made while refining a type's schema, reported with its path by the rules.
    pub(crate) fault: Option<Fault>,
}

/// The kinds of the schema language and the rules that belong to each.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// Any JSON value.
    Json,
    Null,
    Boolean,
    String(StringRules),
    Integer(NumberRules),
    Number(NumberRules),
    Array(ArrayRules),
    Object(ObjectRules),
    /// `null`, or what the child accepts.
    Nullable(Child),
    /// Exactly one branch.
    OneOf(Many<ValueSchema>),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StringRules {
    /// The only values accepted; empty when every string is.
    pub(crate) members: Many<Member>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
}

/// One accepted value of a string enum, with what it means.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub(crate) value: Text,
    pub(crate) description: Option<Text>,
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
    pub(crate) items: Option<Child>,
    pub(crate) min_items: Option<u64>,
    pub(crate) max_items: Option<u64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObjectRules {
    pub(crate) properties: Many<Property>,
    pub(crate) additional: Additional,
}

/// What an object says about keys that it does not declare.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Additional {
    Open,
    Closed,
    /// Open for values that fit.
    Schema(Child),
}

/// One declared property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub(crate) name: Text,
    pub(crate) schema: ValueSchema,
    pub(crate) required: bool,
    /// `null` counts as absent, as serde reads an `Option`.
    pub(crate) null_is_absent: bool,
}

/// A number in a schema, exact for every integer type of Rust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// A finite decimal number.
    Float(f64),
}

/// A mistake that only shows when an attribute meets the type it stands on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// The keyword does not apply to this kind.
    Misplaced { keyword: &'static str, applies_to: &'static str },
    /// Left out when serialized, but demanded when deserialized.
    OmittedButRequired,
}

/// Text that is a constant or shared.
#[derive(Clone)]
pub(crate) enum Text {
    Static(&'static str),
    Shared(Arc<str>),
}

/// Several parts, in order, constant or shared.
pub(crate) enum Many<T: 'static> {
    Static(&'static [T]),
    Shared(Arc<[T]>),
}

/// A schema inside a schema, constant or shared.
#[derive(Clone)]
pub(crate) enum Child {
    Static(&'static ValueSchema),
    Shared(Arc<ValueSchema>),
}

impl ValueSchema {
    pub(crate) const fn new(kind: Kind) -> Self {
        Self { kind, description: None, title: None, fault: None }
    }

    /// The description the model reads, if there is one.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }

    /// The title for people, if there is one.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The declared properties of an object, in order; empty for every other kind.
    pub fn properties(&self) -> &[Property] {
        match &self.kind {
            Kind::Object(rules) => &rules.properties,
            _ => &[],
        }
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
        let kind = match &self.kind {
            Kind::Json => Kind::Json,
            Kind::Null => Kind::Null,
            Kind::Boolean => Kind::Boolean,
            Kind::String(rules) => Kind::String(StringRules {
                members: rules.members.copied(),
                min_length: rules.min_length,
                max_length: rules.max_length,
            }),
            Kind::Integer(rules) => Kind::Integer(*rules),
            Kind::Number(rules) => Kind::Number(*rules),
            Kind::Array(rules) => Kind::Array(ArrayRules {
                items: match &rules.items {
                    Some(items) => Some(items.copied()),
                    None => None,
                },
                min_items: rules.min_items,
                max_items: rules.max_items,
            }),
            Kind::Object(rules) => Kind::Object(ObjectRules {
                properties: rules.properties.copied(),
                additional: match &rules.additional {
                    Additional::Open => Additional::Open,
                    Additional::Closed => Additional::Closed,
                    Additional::Schema(child) => Additional::Schema(child.copied()),
                },
            }),
            Kind::Nullable(child) => Kind::Nullable(child.copied()),
            Kind::OneOf(branches) => Kind::OneOf(branches.copied()),
        };
        Self {
            kind,
            description: Text::noted(notes.description, self.description.as_ref()),
            title: Text::noted(notes.title, self.title.as_ref()),
            fault: self.fault,
        }
    }

    /// The name of the kind, with its article, for messages.
    pub(crate) const fn kind_name(&self) -> &'static str {
        match &self.kind {
            Kind::Json => "any JSON value",
            Kind::Null => "null",
            Kind::Boolean => "a boolean",
            Kind::String(_) => "a string",
            Kind::Integer(_) => "an integer",
            Kind::Number(_) => "a number",
            Kind::Array(_) => "an array",
            Kind::Object(_) => "an object",
            Kind::Nullable(_) | Kind::OneOf(_) => "a union",
        }
    }
}

impl StringRules {
    pub(crate) const ANY: Self =
        Self { members: Many::Static(&[]), min_length: None, max_length: None };
}

impl NumberRules {
    pub(crate) const ANY: Self = Self {
        minimum: None,
        maximum: None,
        exclusive_minimum: None,
        exclusive_maximum: None,
        multiple_of: None,
    };
}

impl Member {
    /// The accepted text.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What the value means, if that is documented.
    pub fn description(&self) -> Option<&str> {
        self.description.as_deref()
    }
}

impl Property {
    /// The key.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the value has to look like.
    pub const fn schema(&self) -> &ValueSchema {
        &self.schema
    }

    /// Whether the key has to be there.
    pub const fn is_required(&self) -> bool {
        self.required
    }
}

impl Number {
    /// Whether `self` is smaller than `other`, exactly where both are integers.
    pub(crate) const fn less_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a < b,
            (a, b) => a.approximate() < b.approximate(),
        }
    }

    pub(crate) fn is_integral(self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Float(value) => value.fract() == 0.0,
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "only used where one side is a float anyway")]
    pub(crate) const fn approximate(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Float(value) => value.fmt(f),
        }
    }
}

impl Text {
    /// The text, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static str {
        match self {
            Self::Static(text) => text,
            Self::Shared(_) => panic!("a constant schema holds no shared text"),
        }
    }

    /// `own` where it is given, else what stood there before.
    const fn noted(own: Option<&'static str>, before: Option<&Self>) -> Option<Self> {
        match (own, before) {
            (Some(text), _) => Some(Self::Static(text)),
            (None, Some(text)) => Some(Self::Static(text.as_const())),
            (None, None) => None,
        }
    }
}

impl<T> Many<T> {
    /// The parts, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static [T] {
        match self {
            Self::Static(parts) => parts,
            Self::Shared(_) => panic!("a constant schema holds no shared part"),
        }
    }

    const fn copied(&self) -> Self {
        Self::Static(self.as_const())
    }
}

impl Child {
    /// The schema, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static ValueSchema {
        match self {
            Self::Static(schema) => schema,
            Self::Shared(_) => panic!("a constant schema holds no shared part"),
        }
    }

    const fn copied(&self) -> Self {
        Self::Static(self.as_const())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl<T> Deref for Many<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match self {
            Self::Static(parts) => parts,
            Self::Shared(parts) => parts,
        }
    }
}

impl Deref for Child {
    type Target = ValueSchema;

    fn deref(&self) -> &ValueSchema {
        match self {
            Self::Static(schema) => schema,
            Self::Shared(schema) => schema,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Shared(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Shared(text.into())
    }
}

impl<T> Clone for Many<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(parts) => Self::Static(parts),
            Self::Shared(parts) => Self::Shared(Arc::clone(parts)),
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl<T: PartialEq> PartialEq for Many<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq for Child {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Debug> fmt::Debug for Many<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
