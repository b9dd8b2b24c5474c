//! [`ValueSchema`]: one type for schemas from macros, from code and from data.
//!
//! A schema made by a macro is a constant and holds `&'static` parts; one made at run time holds
//! shared parts. `parts.rs` is the only place that knows the difference, so there is one validator,
//! one projection and one set of rules.

use std::fmt;

use super::parts::{Child, Json, Many, Text, take_children};
use super::refine::Notes;

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

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObjectRules {
    /// Absent and empty accept the same and are shown as they were written.
    ///
    /// Read them through [`declared`](Self::declared), which knows flattened ones.
    pub(crate) properties: Option<Many<Property>>,
    /// Read it through [`others`](Self::others), which knows flattened maps.
    pub(crate) additional: Additional,
    /// The required names as a parsed schema lists them, where that is not their declared order.
    pub(crate) listed: Option<Many<Text>>,
    pub(crate) min_properties: Option<u64>,
    pub(crate) max_properties: Option<u64>,
}

/// What an object says about keys that it does not declare.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Additional {
    /// Nothing is said, which means open.
    Unstated,
    Open,
    Closed,
    /// Open for values that fit.
    Schema(Child),
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

/// One declared property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub(crate) name: Text,
    pub(crate) schema: ValueSchema,
    pub(crate) required: bool,
    /// `null` counts as absent, as serde reads an `Option`.
    pub(crate) null_is_absent: bool,
    /// Other keys that are read as this one; a model is told the name only.
    pub(crate) aliases: &'static [&'static str],
    /// Stands for the properties of its schema, and has no name.
    pub(crate) flattened: bool,
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

impl ObjectRules {
    pub(crate) const fn closed(properties: &'static [Property]) -> Self {
        Self {
            properties: Some(Many::Static(properties)),
            additional: Additional::Closed,
            listed: None,
            min_properties: None,
            max_properties: None,
        }
    }

    /// The declared properties in order, flattened ones in the place of what they stand for.
    pub(crate) fn declared(&self) -> Declared<'_> {
        Declared { levels: vec![self.own().iter()] }
    }

    /// The own property that a key is read as, looked for from a place on: keys mostly come in the
    /// order in which they are declared.
    #[inline]
    pub(crate) fn find_own(&self, key: &str, from: usize) -> Option<(usize, &Property)> {
        let own = self.own();
        let (before, after) = own.split_at_checked(from).unwrap_or((own, &[]));
        let after = after.iter().position(|property| property.is_called(key)).map(|i| i + from);
        let index = after.or_else(|| before.iter().position(|property| property.is_called(key)))?;
        Some((index, &own[index]))
    }

    /// The property that a key is read as.
    pub(crate) fn find(&self, key: &str) -> Option<&Property> {
        let own = self.own().iter().find(|property| property.is_called(key));
        own.or_else(|| {
            let mut inner = self.own().iter().filter_map(Property::flat);
            inner.find_map(|rules| rules.find(key))
        })
    }

    /// What holds for keys that are not declared: a flattened map says it for the whole object.
    pub(crate) fn others(&self) -> &Additional {
        let mut flattened = self.own().iter().filter_map(Property::flat);
        let map = flattened
            .find(|rules| matches!(rules.others(), Additional::Schema(_) | Additional::Open));
        map.map_or(&self.additional, Self::others)
    }

    /// Whether a property stands for the properties of its schema.
    pub(crate) fn is_flattening(&self) -> bool {
        self.own().iter().any(|property| property.flattened)
    }

    /// The properties as they stand here, flattened ones as such.
    #[inline]
    pub(crate) fn own(&self) -> &[Property] {
        self.properties.as_deref().unwrap_or_default()
    }

    /// The required names, in the order in which their absence is reported.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        let listed = self.listed.iter().flat_map(|names| names.iter()).map(|name| &**name);
        let declared = self.listed.is_none().then(|| self.declared());
        let declared = declared.into_iter().flatten().filter(|property| property.required);
        listed.chain(declared.map(Property::name))
    }

    pub(crate) const fn copied(&'static self) -> Self {
        Self {
            properties: match &self.properties {
                Some(properties) => Some(properties.copied()),
                None => None,
            },
            additional: match &self.additional {
                Additional::Unstated => Additional::Unstated,
                Additional::Open => Additional::Open,
                Additional::Closed => Additional::Closed,
                Additional::Schema(child) => Additional::Schema(child.copied()),
            },
            listed: match &self.listed {
                Some(listed) => Some(listed.copied()),
                None => None,
            },
            min_properties: self.min_properties,
            max_properties: self.max_properties,
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

/// The properties of an object, those of flattened ones in between.
pub(crate) struct Declared<'a> {
    /// The object itself, and the flattened ones the walk is inside of.
    levels: Vec<std::slice::Iter<'a, Property>>,
}

impl<'a> Iterator for Declared<'a> {
    type Item = &'a Property;

    fn next(&mut self) -> Option<&'a Property> {
        loop {
            match self.levels.last_mut()?.next() {
                None => drop(self.levels.pop()),
                Some(property) => match property.flat() {
                    Some(rules) => self.levels.push(rules.own().iter()),
                    None if property.flattened => {}
                    None => return Some(property),
                },
            }
        }
    }
}

impl Property {
    /// The rules of the object whose properties this one stands for.
    fn flat(&self) -> Option<&ObjectRules> {
        match &self.schema.kind {
            Kind::Object(rules) if self.flattened => Some(rules),
            _ => None,
        }
    }

    /// Whether a key is read as this property.
    #[inline]
    pub(crate) fn is_called(&self, key: &str) -> bool {
        *self.name == *key && !self.flattened || self.aliases.contains(&key)
    }

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
    /// Whether `self` is smaller than `other`, exactly where both are whole.
    #[inline]
    pub(crate) const fn less_than(self, other: Self) -> bool {
        match (self.whole(), other.whole()) {
            (Some(a), Some(b)) => a < b,
            _ => self.approximate() < other.approximate(),
        }
    }

    /// Whether both are the same number, exactly where both are whole.
    #[inline]
    pub(crate) const fn equals(self, other: Self) -> bool {
        match (self.whole(), other.whole()) {
            (Some(a), Some(b)) => a == b,
            // Equal values are meant, not near ones.
            _ => self.approximate().to_bits() == other.approximate().to_bits(),
        }
    }

    #[inline]
    pub(crate) fn is_integral(self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Float(value) => value.fract() == 0.0,
        }
    }

    pub(crate) fn is_multiple_of(self, step: Self) -> bool {
        if let (Some(value), Some(step)) = (self.whole(), step.whole()) {
            return step != 0 && value % step == 0;
        }
        let quotient = self.approximate() / step.approximate();
        (quotient - quotient.round()).abs() < 1e-9
    }

    /// The value, where it is a whole number within the range of `i128`.
    #[expect(clippy::cast_possible_truncation, reason = "a cast that changes it is found out")]
    #[expect(clippy::cast_precision_loss, reason = "a cast that changes it is found out")]
    #[inline]
    const fn whole(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value),
            Self::Float(value) => {
                let whole = value as i128;
                let same = (whole as f64).to_bits() == value.to_bits();
                if value.abs() < 1e38 && same { Some(whole) } else { None }
            }
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

/// The shortest decimal that reads back, written as JSON writers of the web do (ECMA-262,
/// `Number::toString`): whole below 1e21, then with an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self {
            Self::Integer(value) => return value.fmt(f),
            Self::Float(value) => *value,
        };
        let scientific = format!("{:e}", value.abs());
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let digits = mantissa.replace('.', "");
        let point = exponent.parse::<i32>().unwrap_or_default() + 1;
        if value < 0.0 {
            f.write_str("-")?;
        }
        let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
        match point {
            _ if (count..=21).contains(&point) => write!(f, "{digits}{}", zeros(point - count)),
            1..=21 => {
                let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or_default());
                write!(f, "{whole}.{rest}")
            }
            -5..=0 => write!(f, "0.{}{digits}", zeros(-point)),
            _ => {
                let (first, rest) = digits.split_at(1);
                let dot = if rest.is_empty() { "" } else { "." };
                write!(f, "{first}{dot}{rest}e{:+}", point - 1)
            }
        }
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
