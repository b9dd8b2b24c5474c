//! Enums, in serde's four ways of telling variants apart.

use std::collections::BTreeMap;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Point, agree, refused, shown};

/// A shape.
#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum External {
    /// None at all.
    Nothing,
    #[serde(alias = "void")]
    Empty,
    /// Round.
    #[serde(alias = "disc")]
    Circle(
        /// In metres.
        #[schema(minimum = 0)]
        f64,
    ),
    Line(Point, Point),
    Polygon {
        corner_points: Vec<Point>,
        #[serde(default)]
        is_closed: bool,
    },
    Maybe(Option<u8>),
    #[serde(skip)]
    #[expect(dead_code, reason = "never read")]
    Hidden,
}

#[test]
fn external_tags_are_keys() {
    let point = json!({
        "type": "object",
        "description": "A point.",
        "additionalProperties": false,
        "properties": {
            "x": {"type": "integer", "minimum": -128, "maximum": 127},
            "y": {"type": "integer", "minimum": -128, "maximum": 127},
        },
        "required": ["x", "y"],
    });
    shown::<External>(&json!({
        "description": "A shape.",
        "oneOf": [
            {
                "type": "string",
                "description": "- `nothing`: None at all.\n- `void`: the same as `empty`",
                "enum": ["nothing", "empty", "void"],
            },
            {
                "type": "object",
                "description": "Round.",
                "additionalProperties": false,
                "properties": {
                    "circle": {"type": "number", "description": "In metres.", "minimum": 0},
                },
                "required": ["circle"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "line": {
                        "type": "array",
                        "prefixItems": [point, point],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                },
                "required": ["line"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "polygon": {
                        "type": "object",
                        "additionalProperties": false,
                        "properties": {
                            "cornerPoints": {"type": "array", "items": point},
                            "isClosed": {"type": "boolean"},
                        },
                        "required": ["cornerPoints"],
                    },
                },
                "required": ["polygon"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "maybe": {
                        "anyOf": [
                            {"type": "integer", "minimum": 0, "maximum": 255},
                            {"type": "null"},
                        ],
                    },
                },
                "required": ["maybe"],
            },
        ],
    }));
    agree::<External>(json!("nothing"), true);
    agree::<External>(json!("void"), true);
    agree::<External>(json!("hidden"), false);
    agree::<External>(json!("circle"), false);
    agree::<External>(json!({"circle": 1}), true);
    agree::<External>(json!({"disc": 1.5}), true);
    agree::<External>(json!({"circle": "1"}), false);
    agree::<External>(json!({"circle": 1, "line": []}), false);
    agree::<External>(json!({"line": [{"x": 1, "y": 2}, {"x": 1, "y": 2}]}), true);
    agree::<External>(json!({"line": [{"x": 1, "y": 2}]}), false);
    agree::<External>(json!({"polygon": {"cornerPoints": []}}), true);
    agree::<External>(json!({"polygon": {"corner_points": []}}), false);
    agree::<External>(json!({"maybe": null}), true);
    agree::<External>(json!({"maybe": 1}), true);
    agree::<External>(json!({}), false);
}

/// An event.
#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "type", rename_all = "kebab-case")]
enum Internal {
    /// It began.
    Started,
    #[serde(rename_all = "camelCase")]
    Moved {
        from_place: String,
        to_place: Option<String>,
    },
    /// It was seen.
    Seen(Point),
    At(Box<Point>),
    #[serde(alias = "tagged")]
    Labelled(BTreeMap<String, u8>),
}

#[test]
fn internal_tags_stand_beside_the_content() {
    let shown = Internal::SCHEMA.to_json();
    assert_eq!(
        shown["oneOf"][1],
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "type": {"type": "string", "enum": ["moved"]},
                "fromPlace": {"type": "string"},
                "toPlace": {"type": "string"},
            },
            "required": ["type", "fromPlace"],
        })
    );
    assert_eq!(shown["oneOf"][2]["description"], "It was seen.");
    // What the type says of itself is what is said where the variant is silent.
    assert_eq!(shown["oneOf"][3]["description"], "A point.");
    agree::<Internal>(json!({"type": "started"}), true);
    agree::<Internal>(json!({"type": "moved", "fromPlace": "a"}), true);
    agree::<Internal>(json!({"type": "moved", "toPlace": "a"}), false);
    agree::<Internal>(json!({"type": "seen", "x": 1, "y": 2}), true);
    agree::<Internal>(json!({"type": "at", "x": 1}), false);
    agree::<Internal>(json!({"x": 1, "y": 2}), false);
    agree::<Internal>(json!({"type": "flown"}), false);
    agree::<Internal>(json!({"type": "labelled", "a": 1, "b": 2}), true);
    agree::<Internal>(json!({"b": 2, "type": "tagged"}), true);
    agree::<Internal>(json!({"type": "labelled", "a": "x"}), false);
    agree::<Internal>(json!("started"), false);
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    #[serde(alias = "Number")]
    Count(u8),
    Maybe(Option<u8>),
    Pair(u8, bool),
    Struct {
        a: u8,
    },
}

#[test]
fn adjacent_tags_announce_the_content() {
    shown::<Adjacent>(&json!({
        "oneOf": [
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {"t": {"type": "string", "enum": ["Unit"]}},
                "required": ["t"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "t": {"type": "string", "enum": ["Count", "Number"]},
                    "c": {"type": "integer", "minimum": 0, "maximum": 255},
                },
                "required": ["t", "c"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "t": {"type": "string", "enum": ["Maybe"]},
                    "c": {"type": "integer", "minimum": 0, "maximum": 255},
                },
                "required": ["t"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "t": {"type": "string", "enum": ["Pair"]},
                    "c": {
                        "type": "array",
                        "prefixItems": [
                            {"type": "integer", "minimum": 0, "maximum": 255},
                            {"type": "boolean"},
                        ],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                },
                "required": ["t", "c"],
            },
            {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "t": {"type": "string", "enum": ["Struct"]},
                    "c": {
                        "type": "object",
                        "additionalProperties": false,
                        "properties": {"a": {"type": "integer", "minimum": 0, "maximum": 255}},
                        "required": ["a"],
                    },
                },
                "required": ["t", "c"],
            },
        ],
    }));
    agree::<Adjacent>(json!({"t": "Unit"}), true);
    agree::<Adjacent>(json!({"t": "Count", "c": 1}), true);
    agree::<Adjacent>(json!({"c": 1, "t": "Number"}), true);
    agree::<Adjacent>(json!({"t": "Count"}), false);
    agree::<Adjacent>(json!({"t": "Count", "c": null}), false);
    agree::<Adjacent>(json!({"t": "Maybe"}), true);
    agree::<Adjacent>(json!({"t": "Maybe", "c": null}), true);
    agree::<Adjacent>(json!({"t": "Pair", "c": [1, true]}), true);
    agree::<Adjacent>(json!({"t": "Pair", "c": [1]}), false);
    agree::<Adjacent>(json!({"t": "Struct", "c": {"a": 1}}), true);
    agree::<Adjacent>(json!({"t": "Struct", "a": 1}), false);
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "t")]
enum OneTag {
    Only { a: u8 },
}

#[derive(Serialize, Deserialize, Schema)]
struct Holder {
    external: Option<External>,
    #[serde(default)]
    one: Vec<OneTag>,
}

#[test]
fn enums_stand_in_structs() {
    agree::<Holder>(json!({}), true);
    agree::<Holder>(json!({"external": "nothing", "one": [{"t": "Only", "a": 1}]}), true);
    agree::<Holder>(json!({"external": null}), true);
    agree::<Holder>(json!({"external": {"nothing": 1}}), false);
    refused::<Holder>(
        &json!({"one": [{"t": "Only", "a": 256}]}),
        &["\"one[0]\" must match exactly one oneOf branch (matched 0)"],
    );
}

#[derive(Serialize, Deserialize, Schema)]
enum Skipped {
    Value(#[serde(skip)] u8),
    Pair(u8, #[serde(skip)] u8),
}

#[test]
fn a_newtype_variant_without_its_field_is_a_unit() {
    agree::<Skipped>(json!("Value"), true);
    agree::<Skipped>(json!({"Value": 1}), false);
    agree::<Skipped>(json!({"Pair": [1]}), true);
    agree::<Skipped>(json!({"Pair": [1, 2]}), false);
    agree::<Skipped>(json!({"Pair": []}), false);
}
