//! The shapes of types, each with every kind of field in it.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kinds::{Adjacent, External, Internal, Plain, Share, Speed, Tree, Untagged};
use super::{Kind, check};

fn sample<T: Kind>() -> T {
    T::sample()
}

/// Makes a test of a shape, with every kind.
macro_rules! shape {
    ($test:ident: $shape:ident [$($valid:literal),+ $(,)?]) => {
        shape! {
            $test: $shape [$($valid),+]
            u8, i64, f64, bool, String, char, (), NonZeroU8, Value, Option<u16>,
            Box<Option<String>>, Vec<u8>, [u8; 2], (bool, Option<u8>), BTreeMap<String, bool>,
            Plain, Vec<Option<Plain>>, Share, Speed, External, Internal, Adjacent, Untagged, Tree
        }
    };
    ($test:ident: $shape:ident [$($valid:literal),+] $($kind:ty),+) => {
        #[test]
        fn $test() {
            let valid = &[$($valid),+];
            $(check::<$shape<$kind>, $kind>(
                concat!(stringify!($shape), " of ", stringify!($kind)),
                valid,
            );)+
        }
    };
}

/// Makes a struct for each of serde's rules of renaming, and its test.
macro_rules! renamed {
    ($($test:ident: $shape:ident $rule:literal [$($valid:literal),+];)*) => {$(
        #[derive(Serialize, Deserialize, Schema)]
        #[serde(rename_all = $rule)]
                struct $shape<T> {
            first_one: T,
            #[serde(rename = "Third")]
            second_one: Option<T>,
        }

        shape! { $test: $shape [$($valid),+] }
    )*};
}

renamed! {
    camel: Camel "camelCase" [r#"{"firstOne": "$0", "Third": "$1"}"#];
    screaming: Screaming "SCREAMING-KEBAB-CASE" [r#"{"FIRST-ONE": "$0"}"#];
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
#[expect(dead_code, reason = "it is there for its schema")]
struct Optional<T> {
    a: T,
    b: Option<T>,
    #[serde(default, alias = "cc", alias = "ccc")]
    c: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<T>,
    #[serde(skip)]
    e: Option<T>,
}

shape! { optional: Optional [
    r#"{"a": "$0", "b": "$1", "c": ["$0", "$1"]}"#,
    r#"{"ccc": ["$0"], "a": "$1"}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(deny_unknown_fields)]
struct Defaulted<T>
where
    T: Kind,
{
    #[serde(default = "sample")]
    a: T,
    b: T,
}

shape! { defaulted: Defaulted [r#"{"a": "$0", "b": "$1"}"#, r#"{"b": "$0"}"#] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(default, bound(deserialize = "T: Deserialize<'de> + Kind"))]
struct AllDefaulted<T: Kind> {
    a: T,
    b: Option<T>,
}

impl<T: Kind> Default for AllDefaulted<T> {
    fn default() -> Self {
        Self { a: sample(), b: None }
    }
}

shape! { all_defaulted: AllDefaulted [r#"{"a": "$0", "b": "$1"}"#, "{}"] }

#[derive(Serialize, Deserialize, Schema)]
struct Pair<T>(T, Option<T>);

shape! { tuple: Pair [r#"["$0", "$1"]"#, r#"["$0", null]"#] }

#[derive(Serialize, Deserialize, Schema)]
#[expect(dead_code, reason = "it is there for its schema")]
struct Trailing<T: Kind>(T, #[serde(skip)] Option<u8>, #[serde(default = "sample")] T);

shape! { trailing: Trailing [r#"["$0", "$1"]"#, r#"["$0"]"#] }

#[derive(Serialize, Deserialize, Schema)]
struct Newtype<T>(T);

#[derive(Serialize, Deserialize, Schema)]
#[serde(transparent)]
struct Clear<T> {
    inner: T,
}

#[derive(Serialize, Deserialize, Schema)]
struct Wrapped<T> {
    newtype: Newtype<T>,
    clear: Clear<T>,
}

shape! { wrapped: Wrapped [r#"{"newtype": "$0", "clear": "$1"}"#] }

#[derive(Serialize, Deserialize, Schema)]
struct Inner<T> {
    inner: T,
    other: Option<T>,
}

#[derive(Serialize, Deserialize, Schema)]
struct Flattened<T> {
    own: T,
    #[serde(flatten)]
    inner: Inner<T>,
}

shape! { flattened: Flattened [
    r#"{"own": "$0", "inner": "$1", "other": "$0"}"#,
    r#"{"inner": "$1", "own": "$1"}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "UPPERCASE")]
struct Deep<T> {
    #[serde(flatten)]
    flattened: Box<Flattened<T>>,
    last: Option<T>,
}

shape! { deep: Deep [
    r#"{"own": "$0", "inner": "$1", "LAST": "$0"}"#,
    r#"{"inner": "$1", "own": "$1", "other": "$0"}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
struct Others<T> {
    own: T,
    #[serde(flatten)]
    others: BTreeMap<String, T>,
}

shape! { others: Others [r#"{"own": "$0", "x": "$1", "y": "$0"}"#, r#"{"own": "$1"}"#] }

#[derive(Serialize, Deserialize, Schema)]
struct Nested<T> {
    list: Vec<Inner<T>>,
    map: BTreeMap<String, Option<Inner<T>>>,
}

shape! { nested: Nested [
    r#"{"list": [{"inner": "$0"}, {"inner": "$1", "other": "$0"}], "map": {}}"#,
    r#"{"list": [], "map": {"x": null, "y": {"inner": "$0"}}}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
enum Keyed<T> {
    UnitOne,
    #[serde(alias = "other")]
    NewtypeOne(T),
    Tuple(T, Option<T>),
    Struct {
        first_one: T,
        #[serde(default)]
        second: Option<T>,
    },
}

shape! { external: Keyed [
    r#""unit-one""#,
    r#"{"newtype-one": "$0"}"#,
    r#"{"other": "$1"}"#,
    r#"{"tuple": ["$0", "$1"]}"#,
    r#"{"struct": {"firstOne": "$0", "second": "$1"}}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "kind", rename_all = "UPPERCASE")]
enum Beside<T> {
    Unit,
    #[serde(alias = "inside")]
    Inner(Inner<T>),
    #[serde(rename_all = "PascalCase")]
    Struct {
        first_one: T,
        second: Option<T>,
    },
    Map(BTreeMap<String, T>),
    Flat(Flattened<T>),
    Mixed {
        a: T,
        #[serde(flatten)]
        inner: Inner<T>,
    },
}

shape! { internal: Beside [
    r#"{"kind": "UNIT"}"#,
    r#"{"kind": "INNER", "inner": "$0", "other": "$1"}"#,
    r#"{"inner": "$1", "kind": "inside"}"#,
    r#"{"kind": "STRUCT", "FirstOne": "$0"}"#,
    r#"{"kind": "MAP", "x": "$0"}"#,
    r#"{"kind": "FLAT", "own": "$0", "inner": "$1"}"#,
    r#"{"kind": "MIXED", "a": "$0", "inner": "$1", "other": "$0"}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "kind", content = "value", rename_all = "snake_case")]
enum Announced<T> {
    UnitOne,
    NewtypeOne(T),
    Tuple(T, T),
    Struct { a: T, b: Option<T> },
}

shape! { adjacent: Announced [
    r#"{"kind": "unit_one"}"#,
    r#"{"kind": "newtype_one", "value": "$0"}"#,
    r#"{"value": ["$0", "$1"], "kind": "tuple"}"#,
    r#"{"kind": "struct", "value": {"a": "$0", "b": "$1"}}"#,
] }

#[derive(Serialize, Deserialize, Schema)]
#[serde(untagged)]
enum Bare<T> {
    Tuple(T, T, T),
    Struct { a: T, b: Option<T> },
    Newtype(T),
}

shape! { untagged: Bare [
    r#"["$0", "$1", "$0"]"#,
    r#"{"a": "$0", "b": "$1"}"#,
    r#""$0""#,
    r#""$1""#,
] }

#[derive(Serialize, Deserialize, Schema)]
enum Partly<T> {
    Unit,
    Struct {
        a: T,
    },
    #[serde(untagged)]
    Pair(T, T),
    #[serde(untagged)]
    Only(T),
}

shape! { partly_untagged: Partly [
    r#""Unit""#,
    r#"{"Struct": {"a": "$0"}}"#,
    r#"["$0", "$1"]"#,
    r#""$0""#,
] }

#[derive(Serialize, Deserialize, Schema)]
struct Rose<T> {
    value: T,
    petals: Vec<Rose<T>>,
    middle: Option<Box<Self>>,
}

shape! { recursive: Rose [
    r#"{"value": "$0", "petals": [{"value": "$1", "petals": []}]}"#,
    r#"{"value": "$1", "petals": [], "middle": {"value": "$0", "petals": []}}"#,
] }

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(from = "Inner<T>", into = "Inner<T>")]
#[serde(bound(serialize = "T: Clone + Serialize"))]
struct Converted<T>(T);

impl<T> From<Inner<T>> for Converted<T> {
    fn from(inner: Inner<T>) -> Self {
        Self(inner.inner)
    }
}

impl<T> From<Converted<T>> for Inner<T> {
    fn from(Converted(inner): Converted<T>) -> Self {
        Self { inner, other: None }
    }
}

shape! { converted: Converted [r#"{"inner": "$0", "other": "$1"}"#, r#"{"inner": "$1"}"#] }
