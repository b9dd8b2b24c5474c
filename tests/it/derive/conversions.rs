//! Types that serde reads as something else.

use std::time::Duration;

use dsh_tools::Schema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use super::{agree, shown};

/// A duration, by its seconds.
mod seconds {
    use super::{Deserialize as _, Deserializer, Duration, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &Duration, to: S) -> Result<S::Ok, S::Error> {
        value.as_secs().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_secs)
    }
}

fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    Ok(Option::<u64>::deserialize(from)?.map(Duration::from_secs))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn rounded<S: Serializer>(value: &f64, to: S) -> Result<S::Ok, S::Error> {
    value.round().serialize(to)
}

#[derive(Debug, Serialize, Deserialize, Schema)]
struct Timing {
    /// In seconds.
    #[serde(with = "seconds")]
    #[schema(with = u64, maximum = 60)]
    timeout: Duration,
    #[serde(default, with = "seconds")]
    #[schema(with = "u32")]
    grace: Duration,
    #[serde(deserialize_with = "optional", skip_serializing)]
    #[serde(skip_deserializing)]
    #[expect(dead_code, reason = "never read")]
    hidden: Option<Duration>,
    #[serde(serialize_with = "rounded")]
    #[schema(with = f64)]
    weight: f64,
}

#[derive(Debug, Deserialize, Schema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Needed {
    #[serde(deserialize_with = "optional")]
    #[schema(with = Option<u64>)]
    timeout: Option<Duration>,
    #[schema(with = Map<String, u8>)]
    map: std::collections::BTreeMap<String, u8>,
}

type Map<K, V> = std::collections::HashMap<K, V>;

#[test]
fn a_field_may_have_a_form_of_its_own() {
    shown::<Timing>(&json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "timeout": {
                "type": "integer", "description": "In seconds.", "minimum": 0, "maximum": 60,
            },
            "grace": {"type": "integer", "minimum": 0, "maximum": u32::MAX},
            "weight": {"type": "number"},
        },
        "required": ["timeout", "weight"],
    }));
    agree::<Timing>(json!({"timeout": 1, "weight": 1.5}), true);
    agree::<Timing>(json!({"timeout": 1, "weight": 1.5, "grace": 3}), true);
    agree::<Timing>(json!({"timeout": "1s", "weight": 1.5}), false);
    agree::<Timing>(json!({"weight": 1.5}), false);
}

#[test]
fn an_option_that_a_function_reads_has_to_be_there() {
    agree::<Needed>(json!({"timeout": 1, "map": {"a": 1}}), true);
    agree::<Needed>(json!({"timeout": null, "map": {}}), true);
    agree::<Needed>(json!({"map": {}}), false);
    agree::<Needed>(json!({"timeout": null, "map": {"a": "b"}}), false);
}

/// A colour, as `#rrggbb`.
#[derive(Debug, Clone, Serialize, Deserialize, Schema)]
#[serde(from = "String", into = "String")]
struct Colour {
    text: String,
}

impl From<String> for Colour {
    fn from(text: String) -> Self {
        Self { text }
    }
}

impl From<Colour> for String {
    fn from(colour: Colour) -> Self {
        colour.text
    }
}

#[derive(Debug, Deserialize, Schema)]
#[serde(try_from = "Option<u8>")]
struct Level(#[expect(dead_code, reason = "only its schema is looked at")] u8);

impl TryFrom<Option<u8>> for Level {
    type Error = String;

    fn try_from(level: Option<u8>) -> Result<Self, String> {
        let level = level.unwrap_or(1);
        if level > 9 { Err("too high".to_owned()) } else { Ok(Self(level)) }
    }
}

#[derive(Debug, Deserialize, Schema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Style {
    colour: Colour,
    level: Level,
}

#[test]
fn a_converted_type_has_the_schema_of_what_is_read() {
    shown::<Colour>(&json!({"type": "string", "description": "A colour, as `#rrggbb`."}));
    agree::<Style>(json!({"colour": "red", "level": 1}), true);
    agree::<Style>(json!({"colour": {"text": "red"}, "level": 1}), false);
    // What serde reads in its place is an `Option`, so it may be missing.
    agree::<Style>(json!({"colour": "red"}), true);
    agree::<Style>(json!({"colour": "red", "level": null}), true);
}
