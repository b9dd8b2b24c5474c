//! Containers as they go by: items and members are checked, and counted.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use super::tally::{Count, Tally};
use super::{Place, Stream, wrong};
use crate::schema::object::ObjectRules;
use crate::schema::value::ArrayRules;

/// The items of an array.
pub(super) struct Items<'s, A> {
    access: A,
    count: Count<'s>,
}

impl<'s, A> Items<'s, A> {
    pub(super) fn new(rules: &'s ArrayRules, place: Place<'s>, access: A) -> Self {
        Self { access, count: Count::new(rules, place) }
    }

    /// Whether there were as many items as there have to be.
    pub(super) fn is_whole(&self) -> bool {
        self.count.is_whole()
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        let place = self.count.place();
        let next = self.access.next_element_seed(Seed { place, seed })?;
        if next.is_some() && !self.count.add() { Err(wrong()) } else { Ok(next) }
    }

    fn size_hint(&self) -> Option<usize> {
        self.access.size_hint()
    }
}

/// The members of an object.
pub(super) struct Members<'s, A> {
    access: A,
    tally: Tally<'s>,
    /// What is said about the value of the key that was read last.
    next: Option<Place<'s>>,
}

impl<'s, A> Members<'s, A> {
    pub(super) fn new(rules: &'s ObjectRules, place: Place<'s>, access: A) -> Self {
        Self { access, tally: Tally::new(rules, place), next: None }
    }

    /// Whether every required name was there, and as many members as there have to be.
    pub(super) fn is_whole(&self) -> bool {
        self.tally.is_whole()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Self { access, tally, next } = self;
        let mut name = |key: &str| *next = tally.place_of(key);
        let key = access.next_key_seed(KeySeed { seed, name: &mut name })?;
        if key.is_some() && next.is_none() { Err(wrong()) } else { Ok(key) }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let place = self.next.take().ok_or_else(wrong)?;
        self.access.next_value_seed(Seed { place, seed })
    }

    fn size_hint(&self) -> Option<usize> {
        self.access.size_hint()
    }
}

/// The variant of an enum without data, which is a text; one with data is a union.
pub(super) struct Variant<'s, A> {
    pub(super) place: Place<'s>,
    pub(super) access: A,
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Variant<'_, A> {
    type Error = A::Error;
    type Variant = A::Variant;

    fn variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<(T::Value, A::Variant), A::Error> {
        let mut accepted = false;
        let mut name = |variant: &str| accepted = self.place.accepts_text(variant);
        let variant = self.access.variant_seed(KeySeed { seed, name: &mut name })?;
        if accepted { Ok(variant) } else { Err(wrong()) }
    }
}

/// Reads a part with what is said about it.
struct Seed<'s, S> {
    place: Place<'s>,
    seed: S,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.seed.deserialize(Stream { place: self.place, inner })
    }
}

/// Reads a name and tells it.
struct KeySeed<'n, S, F> {
    seed: S,
    name: &'n mut F,
}

impl<'de, S: DeserializeSeed<'de>, F: FnMut(&str)> DeserializeSeed<'de> for KeySeed<'_, S, F> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        self.seed.deserialize(Key { inner, name: self.name })
    }
}

/// A deserializer of names.
struct Key<'n, D, F> {
    inner: D,
    name: &'n mut F,
}

macro_rules! names {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(Naming { inner: visitor, name: self.name })
        }
    )*};
}

impl<'de, D: Deserializer<'de>, F: FnMut(&str)> Deserializer<'de> for Key<'_, D, F> {
    type Error = D::Error;

    names! {
        deserialize_any deserialize_identifier deserialize_str deserialize_string
        deserialize_ignored_any
    }

    // Other forms of a key are not text at this place; they end in doubt and not in an error.
    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum
    }
}

struct Naming<'n, V, F> {
    inner: V,
    name: &'n mut F,
}

impl<'de, V: Visitor<'de>, F: FnMut(&str)> Visitor<'de> for Naming<'_, V, F> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<V::Value, E> {
        (self.name)(value);
        self.inner.visit_str(value)
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<V::Value, E> {
        (self.name)(value);
        self.inner.visit_borrowed_str(value)
    }

    fn visit_string<E: Error>(self, value: String) -> Result<V::Value, E> {
        (self.name)(&value);
        self.inner.visit_string(value)
    }
}
