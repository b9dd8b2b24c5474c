//! Containers as they go by: items and members are checked, and counted.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Visitor};

use super::{Place, Stream, wrong};
use crate::schema::object::{self, Additional, ObjectRules};
use crate::schema::value::ArrayRules;

/// The items of an array.
pub(super) struct Items<'s, A> {
    rules: &'s ArrayRules,
    place: Place<'s>,
    access: A,
    count: u64,
}

impl<'s, A> Items<'s, A> {
    pub(super) fn new(rules: &'s ArrayRules, place: Place<'s>, access: A) -> Self {
        if rules.unique_items {
            place.unsure.set(true);
        }
        Self { rules, place, access, count: 0 }
    }

    /// Whether there were as many items as there have to be.
    pub(super) fn is_whole(&self) -> bool {
        self.rules.min_items.is_none_or(|bound| self.count >= bound)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        let index = usize::try_from(self.count).unwrap_or(usize::MAX);
        let schema = self.rules.prefix.get(index).or(self.rules.items.as_deref());
        let place = match schema {
            Some(schema) => Place::new(schema, false, self.place.unsure),
            None => Place::anything(self.place.unsure),
        };
        let next = self.access.next_element_seed(Seed { place, seed })?;
        if next.is_some() {
            self.count += 1;
            if self.rules.max_items.is_some_and(|bound| self.count > bound) {
                return Err(wrong());
            }
        }
        Ok(next)
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

/// The keys that were there so far.
struct Tally<'s> {
    rules: &'s ObjectRules,
    place: Place<'s>,
    count: u64,
    /// How many required keys are still missing.
    missing: usize,
    /// Where the next key is likely to be declared.
    next: usize,
    /// The properties that were there, by their places.
    seen: u128,
}

impl<'s, A> Members<'s, A> {
    pub(super) fn new(rules: &'s ObjectRules, place: Place<'s>, access: A) -> Self {
        // Names listed apart from their properties, and more names than can be counted here.
        let flattening = rules.is_flattening();
        if rules.listed.is_some() || flattening || rules.own().len() > 128 {
            place.unsure.set(true);
        }
        let tally =
            Tally { rules, place, count: 0, missing: rules.required_count(), next: 0, seen: 0 };
        Self { access, tally, next: None }
    }

    /// Whether every required name was there, and as many members as there have to be.
    pub(super) fn is_whole(&self) -> bool {
        let Tally { rules, place, count, missing, .. } = &self.tally;
        place.unsure.get()
            || (*missing == 0
                && rules.min_properties.is_none_or(|bound| *count >= bound)
                && rules.max_properties.is_none_or(|bound| *count <= bound))
    }
}

impl<'s> Tally<'s> {
    /// What is said about the value of a key; none for a key that is not accepted.
    #[inline]
    fn place_of(&mut self, key: &str) -> Option<Place<'s>> {
        self.count += 1;
        let unsure = self.place.unsure;
        if let Some((index, property)) = object::find(self.rules.own(), key, self.next) {
            self.next = index + 1;
            let bit = 1_u128.checked_shl(u32::try_from(index).unwrap_or(u32::MAX)).unwrap_or(0);
            if self.seen & bit == 0 {
                self.missing -= usize::from(property.required);
            } else {
                // Given twice: which of them counts is not decided here.
                unsure.set(true);
            }
            self.seen |= bit;
            return Some(Place::new(property.schema(), property.null_is_absent, unsure));
        }
        if self.rules.is_flattening() {
            return Some(Place::anything(unsure));
        }
        match self.rules.others() {
            Additional::Closed => None,
            Additional::Open | Additional::Unstated => Some(Place::anything(unsure)),
            Additional::Schema(schema) => Some(Place::new(schema, false, unsure)),
        }
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
