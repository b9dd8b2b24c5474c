//! Schemas made at run time.

use super::object::{Additional, ObjectRules, Property};
use super::parts::{Child, Text};
use super::value::{
    ArrayRules, Kind, Literal, Member, Members, NumberRules, StringRules, ValueSchema,
};

impl ValueSchema {
    /// Accepts every JSON value.
    pub const fn json() -> Self {
        Self::new(Kind::Json)
    }

    /// Accepts `null` only.
    pub const fn null() -> Self {
        Self::new(Kind::Null(Members::ANY))
    }

    /// Accepts `true` and `false`.
    pub const fn boolean() -> Self {
        Self::new(Kind::Boolean(Members::ANY))
    }

    /// Accepts strings.
    pub const fn string() -> Self {
        Self::new(Kind::String(Members::ANY, StringRules::ANY))
    }

    /// Accepts exactly these strings.
    pub fn string_enum<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        let literal = |value: T| Literal::Text(Text::from(value.into()));
        let member = |value| Member { value: literal(value), description: None };
        let members: Vec<_> = values.into_iter().map(member).collect();
        let members = Members { any_of: members.into(), exactly: None };
        Self::new(Kind::String(members, StringRules::ANY))
    }

    /// Accepts numbers without a fraction, also written `3.0`.
    pub const fn integer() -> Self {
        Self::new(Kind::Integer(Members::ANY, NumberRules::ANY))
    }

    /// Accepts finite numbers.
    pub const fn number() -> Self {
        Self::new(Kind::Number(Members::ANY, NumberRules::ANY))
    }

    /// Accepts arrays of such items.
    pub fn array(items: Self) -> Self {
        Self::new(Kind::Array(ArrayRules { items: Some(Child::from(items)), ..ArrayRules::ANY }))
    }

    /// Accepts objects with these properties and no other key.
    ///
    /// [`open`](Self::open) lets other keys in.
    pub fn object(properties: impl IntoIterator<Item = Property>) -> Self {
        let properties: Vec<_> = properties.into_iter().collect();
        Self::new(Kind::Object(ObjectRules {
            properties: Some(properties.into()),
            ..ObjectRules::constant(&[], Additional::Closed)
        }))
    }

    /// Accepts what exactly one branch accepts.
    pub fn one_of(branches: impl IntoIterator<Item = Self>) -> Self {
        let branches: Vec<_> = branches.into_iter().collect();
        Self::new(Kind::OneOf(branches.into()))
    }

    /// Accepts what at least one branch accepts.
    pub fn any_of(branches: impl IntoIterator<Item = Self>) -> Self {
        let branches: Vec<_> = branches.into_iter().collect();
        Self::new(Kind::AnyOf(branches.into()))
    }

    /// Accepts `null` as well.
    #[must_use]
    pub fn or_null(self) -> Self {
        Self::any_of([self, Self::null()])
    }

    /// Lets keys in that are not declared; changes nothing on other kinds.
    #[must_use]
    pub fn open(mut self) -> Self {
        if let Kind::Object(rules) = &mut self.kind {
            rules.additional = Additional::Open;
        }
        self
    }

    /// Sets the description the model reads.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<String>) -> Self {
        self.notes.description = Some(Text::from(description.into()));
        self
    }

    /// Sets the title for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.notes.title = Some(Text::from(title.into()));
        self
    }
}

impl Property {
    /// A key that has to be there.
    pub fn required(name: impl Into<String>, schema: ValueSchema) -> Self {
        Self::new(name.into(), schema, true)
    }

    /// A key that may be missing.
    pub fn optional(name: impl Into<String>, schema: ValueSchema) -> Self {
        Self::new(name.into(), schema, false)
    }

    pub(crate) fn new(name: String, schema: ValueSchema, required: bool) -> Self {
        let name = Text::from(name);
        Self { name, schema, required, null_is_absent: false, aliases: &[], flattened: false }
    }
}
