//! Writes a value and checks it on the way.
//!
//! A value of the author's type becomes text directly. Where a part is not what the schema says, or
//! where that cannot be told in passing, the writing ends: the value is made and checked as a whole.

use std::cell::Cell;

use serde::ser::{
    Error, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeTuple,
    SerializeTupleStruct, Serializer,
};

use super::Place;
use super::tally::{Count, Tally};
use crate::json::{self, Number};
use crate::schema::value::{Kind, ValueSchema};

/// The compact text of a value, if everything the schema says is plain to see while it is written.
///
/// Only containers are written so; a scalar is a value at no cost.
pub(crate) fn encode<T: Serialize>(schema: &ValueSchema, value: &T) -> Option<String> {
    let unsure = Cell::new(false);
    let place = Place::new(schema, false, &unsure);
    if !matches!(place.kind(), Some(Kind::Object(_) | Kind::Array(_))) {
        return None;
    }
    let mut text = Vec::with_capacity(128);
    let inner = &mut serde_json::Serializer::new(&mut text);
    value.serialize(Encode { place, inner }).ok()?;
    String::from_utf8(text).ok()
}

/// A serializer whose values are checked.
struct Encode<'s, S> {
    place: Place<'s>,
    inner: S,
}

/// A part of a value with what is said about it.
struct Part<'s, 'v, T: ?Sized> {
    place: Place<'s>,
    value: &'v T,
}

impl<T: Serialize + ?Sized> Serialize for Part<'_, '_, T> {
    fn serialize<S: Serializer>(&self, inner: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(Encode { place: self.place, inner })
    }
}

/// Ends the writing; the text is never read.
fn end<T, E: Error>() -> Result<T, E> {
    Err(E::custom(""))
}

/// Writes what the place accepts.
macro_rules! checked {
    ($self:ident, $accepted:expr, $method:ident($($argument:expr),*)) => {
        if $accepted { $self.inner.$method($($argument),*) } else { end() }
    };
}

macro_rules! integers {
    ($($method:ident: $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Result<S::Ok, S::Error> {
            let number = Number::Integer(value.into());
            checked!(self, self.place.accepts_number(number), $method(value))
        }
    )*};
}

impl<'s, S: Serializer> Serializer for Encode<'s, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Items<'s, S::SerializeSeq>;
    type SerializeTuple = Items<'s, S::SerializeTuple>;
    type SerializeTupleStruct = Items<'s, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Impossible<S::Ok, S::Error>;
    type SerializeMap = Impossible<S::Ok, S::Error>;
    type SerializeStruct = Members<'s, S::SerializeStruct>;
    type SerializeStructVariant = Impossible<S::Ok, S::Error>;

    integers! {
        serialize_i8: i8;
        serialize_i16: i16;
        serialize_i32: i32;
        serialize_i64: i64;
        serialize_u8: u8;
        serialize_u16: u16;
        serialize_u32: u32;
        serialize_u64: u64;
    }

    fn serialize_bool(self, value: bool) -> Result<S::Ok, S::Error> {
        checked!(self, self.place.accepts_bool(value), serialize_bool(value))
    }

    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        checked!(self, self.place.accepts_float(json::widened(value)), serialize_f32(value))
    }

    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        checked!(self, self.place.accepts_float(value), serialize_f64(value))
    }

    fn serialize_char(self, value: char) -> Result<S::Ok, S::Error> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<S::Ok, S::Error> {
        checked!(self, self.place.accepts_text(value), serialize_str(value))
    }

    fn serialize_bytes(self, _value: &[u8]) -> Result<S::Ok, S::Error> {
        end()
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        checked!(self, self.place.accepts_null(), serialize_unit())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<S::Ok, S::Error> {
        self.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<S::Ok, S::Error> {
        end()
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        Items::new(self.place, || self.inner.serialize_seq(length))
    }

    fn serialize_tuple(self, length: usize) -> Result<Self::SerializeTuple, S::Error> {
        Items::new(self.place, || self.inner.serialize_tuple(length))
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        Items::new(self.place, || self.inner.serialize_tuple_struct(name, length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        end()
    }

    /// Maps may write a key twice, flattened structs do; text would have both.
    fn serialize_map(self, _length: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        end()
    }

    fn serialize_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<Self::SerializeStruct, S::Error> {
        // What `serde_json` writes as it stands, unseen.
        if name.starts_with("$serde_json::private::") {
            return end();
        }
        Members::new(self.place, || self.inner.serialize_struct(name, length))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        end()
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// The items of an array.
struct Items<'s, S> {
    inner: S,
    count: Count<'s>,
}

impl<'s, S> Items<'s, S> {
    fn new<E: Error>(place: Place<'s>, inner: impl FnOnce() -> Result<S, E>) -> Result<Self, E> {
        match place.kind() {
            Some(Kind::Array(rules)) => {
                let count = Count::new(rules, place);
                if place.unsure.get() { end() } else { Ok(Self { inner: inner()?, count }) }
            }
            _ => end(),
        }
    }

    /// What is said about the next item, which is counted.
    fn next<E: Error>(&mut self) -> Result<Place<'s>, E> {
        let place = self.count.place();
        if self.count.add() && !place.unsure.get() { Ok(place) } else { end() }
    }
}

macro_rules! items {
    ($($trait:ident: $method:ident;)*) => {$(
        impl<S: $trait> $trait for Items<'_, S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                let place = self.next()?;
                self.inner.$method(&Part { place, value })
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                if self.count.is_whole() { self.inner.end() } else { end() }
            }
        }
    )*};
}

items! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
}

/// The members of an object.
struct Members<'s, S> {
    inner: S,
    tally: Tally<'s>,
}

impl<'s, S> Members<'s, S> {
    fn new<E: Error>(place: Place<'s>, inner: impl FnOnce() -> Result<S, E>) -> Result<Self, E> {
        match place.kind() {
            Some(Kind::Object(rules)) => {
                let tally = Tally::new(rules, place);
                if place.unsure.get() { end() } else { Ok(Self { inner: inner()?, tally }) }
            }
            _ => end(),
        }
    }
}

impl<S: SerializeStruct> SerializeStruct for Members<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> Result<(), S::Error> {
        match self.tally.place_of(key) {
            Some(place) if !place.unsure.get() => {
                self.inner.serialize_field(key, &Part { place, value })
            }
            _ => end(),
        }
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        if self.tally.is_whole() { self.inner.end() } else { end() }
    }
}
