//! What `#[schema(…)]` adds to a type.

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{agree, refused, shown};

/// Everything a field can say.
#[derive(Deserialize, Schema)]
#[schema(title = "Everything", deprecated)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Everything {
    #[schema(pattern = "^[a-z]+$", format = "hostname", example = "a", example = "b\"\n")]
    host: String,
    #[schema(default = 2_000, example = [1, 2], minimum = 1)]
    limit: Option<u32>,
    #[serde(default)]
    #[schema(default = -0.5)]
    weight: f64,
    #[serde(default)]
    #[schema(default = ["a", "b"], unique_items, min_items = 1)]
    names: Vec<String>,
    #[schema(min_properties = 1, max_properties = 2)]
    map: std::collections::BTreeMap<String, bool>,
    #[deprecated]
    old: Option<bool>,
    #[schema(deprecated)]
    older: Option<bool>,
    #[schema(deprecated = false, default = true)]
    new: Option<bool>,
}

#[test]
fn notes_are_shown_and_rules_hold() {
    shown::<Everything>(&json!({
        "type": "object",
        "description": "Everything a field can say.",
        "title": "Everything",
        "deprecated": true,
        "additionalProperties": false,
        "properties": {
            "host": {
                "type": "string",
                "examples": ["a", "b\"\n"],
                "pattern": "^[a-z]+$",
                "format": "hostname",
            },
            "limit": {
                "type": "integer",
                "default": 2000,
                "examples": [[1, 2]],
                "minimum": 1,
                "maximum": u32::MAX,
            },
            "weight": {"type": "number", "default": -0.5},
            "names": {
                "type": "array",
                "default": ["a", "b"],
                "items": {"type": "string"},
                "minItems": 1,
                "uniqueItems": true,
            },
            "map": {
                "type": "object",
                "additionalProperties": {"type": "boolean"},
                "properties": {},
                "minProperties": 1,
                "maxProperties": 2,
            },
            "old": {"type": "boolean", "deprecated": true},
            "older": {"type": "boolean", "deprecated": true},
            "new": {"type": "boolean", "default": true},
        },
        "required": ["host", "map"],
    }));
    agree::<Everything>(json!({"host": "a", "map": {"a": true}}), true);
    refused::<Everything>(
        &json!({"host": "A", "map": {}, "names": ["a", "a"], "limit": 0}),
        &[
            "\"host\" must match the pattern \"^[a-z]+$\"",
            "\"limit\" must be at least 1",
            "\"names\" must have no item twice, items 0 and 1 are the same",
            "\"map\" must have at least 1 property, got 0",
        ],
    );
}

#[derive(Debug, Serialize, Deserialize, Schema)]
struct Renamed {
    #[serde(alias = "file", alias = "file_name")]
    path: String,
    #[serde(default, alias = "n")]
    limit: u8,
}

#[test]
fn other_names_are_read_and_not_shown() {
    agree::<Renamed>(json!({"path": "a"}), true);
    agree::<Renamed>(json!({"file": "a", "n": 1}), true);
    agree::<Renamed>(json!({"file_name": "a", "limit": 1}), true);
    agree::<Renamed>(json!({"file": 1}), false);
    agree::<Renamed>(json!({"path": "a", "file": "b"}), false);
    agree::<Renamed>(json!({"n": 1}), false);
    let shown = Renamed::SCHEMA.to_json().to_string();
    assert!(!shown.contains("file"), "{shown}");
}

/// A share of a whole.
#[derive(Deserialize, Schema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Percent(#[schema(minimum = 0, maximum = 100)] u16);

#[derive(Deserialize, Schema)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Narrowed {
    /// At least half.
    #[schema(minimum = 50, maximum = 1000)]
    share: Percent,
}

#[test]
fn the_rules_of_the_type_and_of_the_field_both_hold() {
    shown::<Narrowed>(&json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "share": {
                "type": "integer", "description": "At least half.", "minimum": 50, "maximum": 100,
            },
        },
        "required": ["share"],
    }));
}

/// Settings of a plugin.
#[derive(Deserialize, Schema)]
#[schema(additional_properties)]
#[expect(dead_code, reason = "only its schema is looked at")]
struct Plugin {
    name: String,
}

#[test]
fn an_open_struct_accepts_other_keys() {
    agree::<Plugin>(json!({"name": "a", "colour": ["red"]}), true);
    agree::<Plugin>(json!({"colour": "red"}), false);
    assert_eq!(Plugin::SCHEMA.to_json()["additionalProperties"], true);
}
