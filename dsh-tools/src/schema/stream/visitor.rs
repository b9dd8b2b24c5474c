//! Values as they go by: each is checked, then handed on.

use std::fmt;

use super::access::{Items, Members, Variant};
use super::{Place, Stream, wrong};
use crate::json::Number;
use crate::schema::value::Kind;
use serde::de::{Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

/// A visitor that only sees what the schema accepts.
pub(super) struct Checking<'s, V> {
    pub(super) place: Place<'s>,
    pub(super) inner: V,
}

macro_rules! integers {
    ($($method:ident: $type:ty;)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            if !self.place.accepts_number(Number::Integer(value.into())) {
                return Err(wrong());
            }
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Checking<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    integers! {
        visit_i8: i8;
        visit_i16: i16;
        visit_i32: i32;
        visit_i64: i64;
        visit_i128: i128;
        visit_u8: u8;
        visit_u16: u16;
        visit_u32: u32;
        visit_u64: u64;
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<V::Value, E> {
        match i128::try_from(value) {
            Ok(whole) if self.place.accepts_number(Number::Integer(whole)) => {
                self.inner.visit_u128(value)
            }
            _ => Err(wrong()),
        }
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<V::Value, E> {
        self.visit_f64(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if !self.place.accepts_float(value) {
            return Err(wrong());
        }
        self.inner.visit_f64(value)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<V::Value, E> {
        if !self.place.accepts_bool(value) {
            return Err(wrong());
        }
        self.inner.visit_bool(value)
    }

    fn visit_char<E: Error>(self, value: char) -> Result<V::Value, E> {
        if !self.place.accepts_text(value.encode_utf8(&mut [0; 4])) {
            return Err(wrong());
        }
        self.inner.visit_char(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        if !self.place.accepts_text(value) {
            return Err(wrong());
        }
        self.inner.visit_str(value)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        if !self.place.accepts_text(value) {
            return Err(wrong());
        }
        self.inner.visit_borrowed_str(value)
    }

    fn visit_string<E: Error>(self, value: String) -> Result<V::Value, E> {
        if !self.place.accepts_text(&value) {
            return Err(wrong());
        }
        self.inner.visit_string(value)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        if !self.place.accepts_null() {
            return Err(wrong());
        }
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        if !self.place.accepts_null() {
            return Err(wrong());
        }
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Stream { place: self.place, inner })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Stream { place: self.place, inner })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        match self.place.kind() {
            None => self.inner.visit_seq(access),
            Some(Kind::Array(rules)) => {
                let mut items = Items::new(rules, self.place, access);
                let value = self.inner.visit_seq(&mut items)?;
                if items.is_whole() { Ok(value) } else { Err(wrong()) }
            }
            Some(_) => Err(wrong()),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        match self.place.kind() {
            None => self.inner.visit_map(access),
            Some(Kind::Object(rules)) => {
                let mut members = Members::new(rules, self.place, access);
                let value = self.inner.visit_map(&mut members)?;
                if members.is_whole() { Ok(value) } else { Err(wrong()) }
            }
            Some(_) => Err(wrong()),
        }
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Variant { place: self.place, access })
    }
}
