//! The kinds of fields.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Kind;

macro_rules! kinds {
    ($($kind:ty: $($valid:literal),+;)*) => {$(
        impl Kind for $kind {
            const VALID: &'static [&'static str] = &[$($valid),+];

            fn sample() -> Self {
                serde_json::from_str(Self::VALID[0]).unwrap()
            }
        }
    )*};
}

kinds! {
    u8: "0", "255";
    i64: "-5", "9223372036854775807";
    f64: "1.5", "-3";
    bool: "true", "false";
    String: r#""a""#, r#""""#;
    char: r#""a""#, r#""ä""#;
    (): "null", "null";
    NonZeroU8: "1", "255";
    Value: r#"{"x": [1]}"#, "null";
    Option<u16>: "1", "null";
    Box<Option<String>>: r#""a""#, "null";
    Vec<u8>: "[1, 2]", "[]";
    [u8; 2]: "[1, 2]", "[0, 0]";
    (bool, Option<u8>): "[true, null]", "[false, 1]";
    BTreeMap<String, bool>: r#"{"a": true, "b": false}"#, "{}";
    Plain: r#"{"name": "a", "size": 1}"#, r#"{"name": "b"}"#;
    Vec<Option<Plain>>: r#"[null, {"name": "a"}]"#, "[]";
    Share: "7", "65535";
    Speed: r#""fast-lane""#, r#""slow""#;
    External: r#""Nothing""#, r#"{"Pair": [1, true]}"#, r#"{"Named": {"a": 1}}"#;
    Internal: r#"{"t": "nothing"}"#, r#"{"t": "plain", "name": "a"}"#, r#"{"a": 1, "t": "named"}"#;
    Adjacent: r#"{"t": "Nothing"}"#, r#"{"t": "Maybe", "c": 1}"#, r#"{"t": "Pair", "c": [1, true]}"#;
    Untagged: "3", r#""a""#, r#"{"name": "a"}"#, "[1, true]";
    Tree: r#"{"below": []}"#, r#"{"below": [{"below": []}], "first": {"below": []}}"#;
}

#[derive(Clone, Serialize, Deserialize, Schema)]
pub(super) struct Plain {
    name: String,
    size: Option<u8>,
}

#[derive(Clone, Serialize, Deserialize, Schema)]
pub(super) struct Share(u16);

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Speed {
    FastLane,
    Slow,
}

#[derive(Clone, Serialize, Deserialize, Schema)]
pub(super) enum External {
    Nothing,
    Maybe(Option<u8>),
    Pair(u8, bool),
    Named { a: u8 },
}

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(tag = "t", rename_all = "lowercase")]
pub(super) enum Internal {
    Nothing,
    Plain(Plain),
    Named { a: u8 },
}

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Nothing,
    Maybe(Option<u8>),
    Pair(u8, bool),
    Named { a: u8 },
}

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(untagged)]
pub(super) enum Untagged {
    Number(u8),
    Text(String),
    // A struct of its own would be read from an array, too.
    Named { name: String, size: Option<u8> },
    Pair(u8, bool),
}

#[derive(Clone, Serialize, Deserialize, Schema)]
pub(super) struct Tree {
    below: Vec<Tree>,
    first: Option<Box<Tree>>,
}
