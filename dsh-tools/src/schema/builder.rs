//! Schemas made at run time.

use std::sync::Arc;

use super::value::{
    Additional, ArrayRules, Child, Kind, Many, Member, NumberRules, ObjectRules, Property,
    StringRules, Text, ValueSchema,
};

impl ValueSchema {
    /// Accepts every JSON value.
    pub const fn json() -> Self {
        Self::new(Kind::Json)
    }

    /// Accepts `null` only.
    pub const fn null() -> Self {
        Self::new(Kind::Null)
    }

    /// Accepts `true` and `false`.
    pub const fn boolean() -> Self {
        Self::new(Kind::Boolean)
    }

    /// Accepts strings.
    pub const fn string() -> Self {
        Self::new(Kind::String(StringRules::ANY))
    }

    /// Accepts exactly these strings.
    pub fn string_enum<T: Into<String>>(values: impl IntoIterator<Item = T>) -> Self {
        let member = |value: T| Member { value: Text::from(value.into()), description: None };
        let members: Vec<_> = values.into_iter().map(member).collect();
        Self::new(Kind::String(StringRules {
            members: Many::Shared(members.into()),
            ..StringRules::ANY
        }))
    }

    /// Accepts numbers without a fraction, also written `3.0`.
    pub const fn integer() -> Self {
        Self::new(Kind::Integer(NumberRules::ANY))
    }

    /// Accepts finite numbers.
    pub const fn number() -> Self {
        Self::new(Kind::Number(NumberRules::ANY))
    }

    /// Accepts arrays of such items.
    pub fn array(items: Self) -> Self {
        Self::new(Kind::Array(ArrayRules {
            items: Some(Child::Shared(Arc::new(items))),
            min_items: None,
            max_items: None,
        }))
    }

    /// Accepts objects with these properties and no other key.
    ///
    /// [`open`](Self::open) lets other keys in.
    pub fn object(properties: impl IntoIterator<Item = Property>) -> Self {
        let properties: Vec<_> = properties.into_iter().collect();
        Self::new(Kind::Object(ObjectRules {
            properties: Many::Shared(properties.into()),
            additional: Additional::Closed,
        }))
    }

    /// Accepts what exactly one branch accepts.
    pub fn one_of(branches: impl IntoIterator<Item = Self>) -> Self {
        let branches: Vec<_> = branches.into_iter().collect();
        Self::new(Kind::OneOf(Many::Shared(branches.into())))
    }

    /// Accepts `null` as well.
    #[must_use]
    pub fn or_null(self) -> Self {
        Self::new(Kind::Nullable(Child::Shared(Arc::new(self))))
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
        self.description = Some(Text::from(description.into()));
        self
    }

    /// Sets the title for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(Text::from(title.into()));
        self
    }
}

impl Property {
    /// A key that has to be there.
    pub fn required(name: impl Into<String>, schema: ValueSchema) -> Self {
        Self { name: Text::from(name.into()), schema, required: true, null_is_absent: false }
    }

    /// A key that may be missing.
    pub fn optional(name: impl Into<String>, schema: ValueSchema) -> Self {
        Self { name: Text::from(name.into()), schema, required: false, null_is_absent: false }
    }
}
