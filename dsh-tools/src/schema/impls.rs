//! [`Schema`] for the types of std and of `serde_json`, as serde reads and writes them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::num;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::Schema;
use super::constant::{Notes, tuple};
use super::object::{Additional, ObjectRules};
use super::parts::{Child, Many};
use super::value::{ArrayRules, Kind, Members, NumberRules, StringRules, ValueSchema};
use crate::json::Number;

macro_rules! schema {
    ($($type:ty => $kind:expr;)*) => {$(
        impl Schema for $type {
            const SCHEMA: &'static ValueSchema = &ValueSchema::new($kind);
        }
    )*};
}

/// A string that is one character, whatever its length in bytes.
const fn one_character() -> StringRules {
    StringRules { min_length: Some(1), max_length: Some(1), pattern: None, format: None }
}

macro_rules! integers {
    ($($type:ty: $minimum:expr, $maximum:expr;)*) => {
        schema! {$(
            $type => Kind::Integer(
                Members::ANY,
                NumberRules { minimum: $minimum, maximum: $maximum, ..NumberRules::ANY },
            );
        )*}
    };
}

/// A bound that fits the schema's own number.
#[expect(clippy::unnecessary_wraps, reason = "a bound is an optional rule")]
const fn at(bound: i128) -> Option<Number> {
    Some(Number::Integer(bound))
}

schema! {
    () => Kind::Null(Members::ANY);
    bool => Kind::Boolean(Members::ANY);
    str => Kind::String(Members::ANY, StringRules::ANY);
    String => Kind::String(Members::ANY, StringRules::ANY);
    Path => Kind::String(Members::ANY, StringRules::ANY);
    PathBuf => Kind::String(Members::ANY, StringRules::ANY);
    char => Kind::String(Members::ANY, one_character());
    f32 => Kind::Number(Members::ANY, NumberRules::ANY);
    f64 => Kind::Number(Members::ANY, NumberRules::ANY);
    serde_json::Number => Kind::Number(Members::ANY, NumberRules::ANY);
    serde_json::Value => Kind::Json;
    serde_json::Map<String, serde_json::Value> => Kind::Object(ObjectRules::constant(&[], Additional::Open));
}

integers! {
    u8: at(0), at(u8::MAX as i128);
    u16: at(0), at(u16::MAX as i128);
    u32: at(0), at(u32::MAX as i128);
    u64: at(0), at(u64::MAX as i128);
    usize: at(0), at(usize::MAX as i128);
    u128: at(0), None;
    i8: at(i8::MIN as i128), at(i8::MAX as i128);
    i16: at(i16::MIN as i128), at(i16::MAX as i128);
    i32: at(i32::MIN as i128), at(i32::MAX as i128);
    i64: at(i64::MIN as i128), at(i64::MAX as i128);
    isize: at(isize::MIN as i128), at(isize::MAX as i128);
    i128: None, None;
    num::NonZeroU8: at(1), at(u8::MAX as i128);
    num::NonZeroU16: at(1), at(u16::MAX as i128);
    num::NonZeroU32: at(1), at(u32::MAX as i128);
    num::NonZeroU64: at(1), at(u64::MAX as i128);
    num::NonZeroUsize: at(1), at(usize::MAX as i128);
}

impl<T: Schema> Schema for Option<T> {
    const SCHEMA: &'static ValueSchema = &ValueSchema::new(Kind::AnyOf(Many::Static(
        const { &[T::SCHEMA.copied(Notes::NONE), ValueSchema::null()] },
    )));
    const OPTIONAL: bool = true;
}

impl<T: ?Sized> Schema for PhantomData<T> {
    const SCHEMA: &'static ValueSchema = <()>::SCHEMA;
}

macro_rules! transparent {
    ($($($generic:tt)::+;)*) => {$(
        impl<T: Schema + ?Sized> Schema for $($generic)::+<T> {
            const SCHEMA: &'static ValueSchema = T::SCHEMA;
            const OPTIONAL: bool = T::OPTIONAL;
        }
    )*};
}

transparent! { Box; Rc; Arc; }

impl<T: Schema + ?Sized> Schema for &T {
    const SCHEMA: &'static ValueSchema = T::SCHEMA;
    const OPTIONAL: bool = T::OPTIONAL;
}

impl<T: Schema + ToOwned + ?Sized> Schema for Cow<'_, T> {
    const SCHEMA: &'static ValueSchema = T::SCHEMA;
    const OPTIONAL: bool = T::OPTIONAL;
}

const fn array(items: &'static ValueSchema, length: Option<u64>) -> ValueSchema {
    ValueSchema::new(Kind::Array(ArrayRules {
        prefix: Many::Static(&[]),
        items: Some(Child::Static(items)),
        min_items: length,
        max_items: length,
        unique_items: false,
    }))
}

macro_rules! arrays {
    ($(impl<T $(, $other:ident)?> for $type:ty;)*) => {$(
        impl<T: Schema $(, $other)?> Schema for $type {
            const SCHEMA: &'static ValueSchema = &array(T::SCHEMA, None);
        }
    )*};
}

arrays! {
    impl<T> for [T];
    impl<T> for Vec<T>;
    impl<T> for VecDeque<T>;
    impl<T> for LinkedList<T>;
    impl<T> for BinaryHeap<T>;
    impl<T> for BTreeSet<T>;
    impl<T, S> for HashSet<T, S>;
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    const SCHEMA: &'static ValueSchema = &array(T::SCHEMA, Some(N as u64));
}

macro_rules! tuples {
    ($($count:literal: $($element:ident)+;)*) => {$(
        impl<$($element: Schema),+> Schema for ($($element,)+) {
            const SCHEMA: &'static ValueSchema = &tuple(
                Notes::NONE,
                const { &[$($element::SCHEMA.copied(Notes::NONE)),+] },
                $count,
            );
        }
    )*};
}

tuples! {
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F;
    7: A B C D E F G;
    8: A B C D E F G H;
    9: A B C D E F G H I;
    10: A B C D E F G H I J;
    11: A B C D E F G H I J K;
    12: A B C D E F G H I J K L;
}

/// A key of a map that is a plain string in JSON.
///
/// Implemented for the string types of std; a newtype over one of them may implement it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map that a model fills in",
    label = "keys of JSON objects are strings",
    note = "use `String` for the key and convert it in the body"
)]
pub trait MapKey {}

impl MapKey for String {}
impl MapKey for Box<str> {}
impl MapKey for Rc<str> {}
impl MapKey for Arc<str> {}
impl MapKey for Cow<'_, str> {}
impl MapKey for &str {}

const fn map_of(values: &'static ValueSchema) -> ValueSchema {
    ValueSchema::new(Kind::Object(ObjectRules::constant(
        &[],
        Additional::Schema(Child::Static(values)),
    )))
}

impl<K: MapKey, V: Schema> Schema for BTreeMap<K, V> {
    const SCHEMA: &'static ValueSchema = &map_of(V::SCHEMA);
}

impl<K: MapKey, V: Schema, S> Schema for HashMap<K, V, S> {
    const SCHEMA: &'static ValueSchema = &map_of(V::SCHEMA);
}
