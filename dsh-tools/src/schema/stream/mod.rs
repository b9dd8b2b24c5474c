//! Decodes or encodes a value and checks it against its schema in one pass.
//!
//! This is the way of valid values: text becomes the author's type directly, and the author's type
//! text, and each part is checked as it goes by. It says no more than that something is wrong, or that
//! it cannot tell; then the value is looked at as a whole and `validate.rs` explains it.

mod access;
mod encode;
mod tally;
mod visitor;

use std::cell::Cell;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use self::visitor::Checking;
use super::value::{Kind, Reference, ValueSchema};
use crate::json::Number;

pub(crate) use self::encode::encode;

/// What came of it.
pub(crate) enum Streamed<T> {
    /// Read, and everything the schema says holds.
    Valid(T),
    /// Read, but the schema says more than can be told in passing.
    Unsure(T),
    /// Something is wrong with the value.
    Invalid,
}

/// Reads a value of a type and checks it on the way.
pub(crate) fn decode<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    schema: &'static ValueSchema,
    deserializer: D,
) -> Streamed<T> {
    let unsure = Cell::new(false);
    let place = Place::new(schema, false, &unsure);
    match T::deserialize(Stream { place, inner: deserializer }) {
        Ok(value) if unsure.get() => Streamed::Unsure(value),
        Ok(value) => Streamed::Valid(value),
        Err(_) => Streamed::Invalid,
    }
}

/// What is said about the part of the value that comes next.
#[derive(Clone, Copy)]
struct Place<'s> {
    /// None where anything is accepted.
    schema: Option<&'s ValueSchema>,
    /// Whether `null` is accepted beside it.
    or_null: bool,
    unsure: &'s Cell<bool>,
}

impl<'s> Place<'s> {
    #[inline]
    fn new(schema: &'s ValueSchema, or_null: bool, unsure: &'s Cell<bool>) -> Self {
        let (mut schema, mut or_null) = (schema, or_null);
        loop {
            match &schema.kind {
                Kind::Json => return Self { schema: None, or_null, unsure },
                Kind::Reference(Reference::Type(target)) => schema = target(),
                // What `Option` is inside a container.
                Kind::AnyOf(branches) => match &**branches {
                    [inner, ValueSchema { kind: Kind::Null(_), .. }] => {
                        schema = inner;
                        or_null = true;
                    }
                    _ => return Self::unsure(unsure),
                },
                Kind::OneOf(_) | Kind::Reference(_) => return Self::unsure(unsure),
                _ => return Self { schema: Some(schema), or_null, unsure },
            }
        }
    }

    fn unsure(unsure: &'s Cell<bool>) -> Self {
        unsure.set(true);
        Self::anything(unsure)
    }

    fn anything(unsure: &'s Cell<bool>) -> Self {
        Self { schema: None, or_null: true, unsure }
    }

    #[inline]
    fn kind(self) -> Option<&'s Kind> {
        self.schema.map(|schema| &schema.kind)
    }

    #[inline]
    fn accepts_null(self) -> bool {
        self.or_null || self.kind().is_none_or(Kind::accepts_null)
    }

    #[inline]
    fn accepts_bool(self, value: bool) -> bool {
        self.kind().is_none_or(|kind| kind.accepts_bool(value))
    }

    #[inline]
    fn accepts_number(self, value: Number) -> bool {
        self.kind().is_none_or(|kind| kind.accepts_number(value))
    }

    #[inline]
    fn accepts_float(self, value: f64) -> bool {
        let lossless = value.is_finite() && !(value == 0.0 && value.is_sign_negative());
        lossless && self.accepts_number(Number::Float(value))
    }

    #[inline]
    fn accepts_text(self, text: &str) -> bool {
        self.kind().is_none_or(|kind| kind.accepts_text(text))
    }
}

/// Ends the decoding; the text is never read.
fn wrong<E: Error>() -> E {
    E::custom("")
}

/// A deserializer whose values are checked.
struct Stream<'s, D> {
    place: Place<'s>,
    inner: D,
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($argument: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method($($argument,)* Checking { place: self.place, inner: visitor })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Stream<'_, D> {
    type Error = D::Error;

    forward! {
        deserialize_any();
        deserialize_bool();
        deserialize_i8();
        deserialize_i16();
        deserialize_i32();
        deserialize_i64();
        deserialize_i128();
        deserialize_u8();
        deserialize_u16();
        deserialize_u32();
        deserialize_u64();
        deserialize_u128();
        deserialize_f32();
        deserialize_f64();
        deserialize_char();
        deserialize_str();
        deserialize_string();
        deserialize_bytes();
        deserialize_byte_buf();
        deserialize_option();
        deserialize_unit();
        deserialize_unit_struct(name: &'static str);
        deserialize_newtype_struct(name: &'static str);
        deserialize_seq();
        deserialize_tuple(length: usize);
        deserialize_tuple_struct(name: &'static str, length: usize);
        deserialize_map();
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_enum(name: &'static str, variants: &'static [&'static str]);
        deserialize_identifier();
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        // The type does not look, so what the schema says has to be seen by itself.
        match self.place.schema {
            None => self.inner.deserialize_ignored_any(visitor),
            Some(_) => self.deserialize_any(visitor),
        }
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}
