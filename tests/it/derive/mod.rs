//! `#[derive(Schema)]` follows serde.

mod conversions;
mod enums;
mod flatten;
mod generics;
mod notes;
mod recursion;
mod shapes;
mod untagged;

use std::collections::BTreeMap;

use dsh_tools::Schema;
use dsh_tools::schema::ValueSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How fast.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
enum Lane {
    /// As soon as possible.
    VeryFast,
    Slow,
    #[serde(rename = "none")]
    Off,
}

/// A point.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
struct Point {
    x: i8,
    y: i8,
}

/// An order
/// of things.
///
/// With details.
#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Order {
    /// How many.
    #[schema(minimum = 1, maximum = 10)]
    item_count: u32,
    lane: Option<Lane>,
    #[serde(default)]
    places: Vec<Point>,
    #[serde(rename = "type")]
    kind: Box<str>,
    #[serde(skip)]
    seen: bool,
    r#loop: Option<BTreeMap<String, Value>>,
    #[schema(title = "Code", min_length = 2, max_length = 4)]
    code: Option<String>,
    #[schema(exclusive_minimum = 0.5, multiple_of = 0.25, exclusive_maximum = 9)]
    weight: Option<f64>,
}

#[test]
fn a_struct_is_shown_as_serde_reads_it() {
    let expected = json!({
        "type": "object",
        "description": "An order of things.\n\nWith details.",
        "additionalProperties": false,
        "properties": {
            "itemCount": {
                "type": "integer", "description": "How many.", "minimum": 1, "maximum": 10,
            },
            "lane": {
                "type": "string",
                "description": "How fast.\n- `very_fast`: As soon as possible.",
                "enum": ["very_fast", "slow", "none"],
            },
            "places": {
                "type": "array",
                "items": {
                    "type": "object",
                    "description": "A point.",
                    "additionalProperties": false,
                    "properties": {
                        "x": {"type": "integer", "minimum": -128, "maximum": 127},
                        "y": {"type": "integer", "minimum": -128, "maximum": 127},
                    },
                    "required": ["x", "y"],
                },
            },
            "type": {"type": "string"},
            "loop": {"type": "object", "additionalProperties": {}, "properties": {}},
            "code": {"type": "string", "title": "Code", "minLength": 2, "maxLength": 4},
            "weight": {
                "type": "number",
                "exclusiveMinimum": 0.5,
                "exclusiveMaximum": 9,
                "multipleOf": 0.25,
            },
        },
        "required": ["itemCount", "type"],
    });
    assert_eq!(Order::SCHEMA.to_json().to_string(), expected.to_string());
}

/// Checks what a model is shown.
#[track_caller]
fn shown<T: Schema>(expected: &Value) {
    assert_eq!(T::SCHEMA.to_json(), *expected);
}

/// Checks what is refused, by what the schema says about it.
#[track_caller]
fn refused<T: Schema>(value: &Value, violations: &[&str]) {
    let found: Vec<String> =
        T::SCHEMA.validate(value, "").iter().map(ToString::to_string).collect();
    assert_eq!(found, violations, "{value}");
}

/// The schema and serde have to agree, except that a closed object refuses more than serde does.
#[track_caller]
fn agree<T: Schema + for<'de> Deserialize<'de>>(value: impl Into<Value>, accepted: bool) {
    let value = value.into();
    let violations = T::SCHEMA.validate(&value, "");
    assert_eq!(violations.is_empty(), accepted, "{value}: {violations:?}");
    assert_eq!(T::deserialize(&value).is_ok(), accepted, "serde differs on {value}");
}

#[test]
fn the_schema_accepts_what_serde_accepts() {
    agree::<Order>(json!({"itemCount": 1, "type": "x"}), true);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "lane": null, "places": []}), true);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "lane": "none", "loop": {"a": [1]}}), true);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "places": null}), false);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "lane": "VeryFast"}), false);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "places": [{"x": 1}]}), false);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "places": [{"x": 1, "y": 128}]}), false);
    agree::<Order>(json!({"item_count": 1, "type": "x"}), false);
    agree::<Order>(json!({"itemCount": 1, "type": "x", "seen": true}), false);
    agree::<Order>(json!({"itemCount": 1}), false);
    agree::<Lane>(json!("slow"), true);
    agree::<Lane>(json!("off"), false);
    agree::<Lane>(json!(1), false);
}

#[test]
fn what_serde_writes_is_valid() {
    let order = Order {
        item_count: 2,
        lane: None,
        places: vec![Point { x: -1, y: 1 }],
        kind: "x".into(),
        seen: true,
        r#loop: None,
        code: Some("abc".into()),
        weight: None,
    };
    let value = serde_json::to_value(&order).unwrap();
    assert_eq!(Order::SCHEMA.validate(&value, ""), []);
}

/// Everything optional, by the container's default.
#[derive(Debug, Default, Serialize, Deserialize, Schema)]
#[serde(default)]
struct Options {
    verbose: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<String>,
}

#[test]
fn a_default_on_the_container_makes_every_property_optional() {
    agree::<Options>(json!({}), true);
    agree::<Options>(json!({"verbose": null}), false);
    assert_eq!(Options::SCHEMA.to_json().get("required"), None);
    let written = serde_json::to_value(Options::default()).unwrap();
    assert_eq!(Options::SCHEMA.validate(&written, ""), []);
}

/// Aliases of `Option` count as `Option`, since traits decide and not spelling.
type Perhaps<T> = Option<T>;

#[derive(Deserialize, Schema)]
#[expect(unused_qualifications, reason = "the spelling is what is tested")]
struct Aliased {
    _a: Perhaps<u8>,
    _b: Box<Option<u8>>,
    _c: std::option::Option<u8>,
}

#[test]
fn options_are_known_by_their_type() {
    agree::<Aliased>(json!({}), true);
    agree::<Aliased>(json!({"_a": null, "_b": null, "_c": null}), true);
    agree::<Aliased>(json!({"_a": "x"}), false);
}

#[test]
fn schemas_are_constants() {
    const PROPERTIES: usize = {
        const SCHEMA: &ValueSchema = Order::SCHEMA;
        assert!(SCHEMA.is_object());
        7
    };
    assert_eq!(Order::SCHEMA.properties().count(), PROPERTIES);
}
