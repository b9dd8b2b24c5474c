//! Structs of every shape.

use std::marker::PhantomData;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Point, agree, refused, shown};

#[derive(Serialize, Deserialize, Schema)]
struct Nothing;

/// A pair.
#[derive(Serialize, Deserialize, Schema)]
struct Pair(
    /// The first.
    #[schema(maximum = 9)]
    u8,
    Option<bool>,
);

#[derive(Serialize, Deserialize, Schema)]
struct Lenient(u8, #[serde(skip)] (), #[serde(default)] u8, #[serde(default)] u8);

#[derive(Default, Serialize, Deserialize, Schema)]
#[serde(default)]
struct Defaulted(u8, u8);

#[derive(Serialize, Deserialize, Schema)]
struct Empty();

/// A name.
#[derive(Serialize, Deserialize, Schema)]
struct Name(
    /// Not shown, since the type says it.
    #[schema(min_length = 1)]
    String,
);

#[derive(Serialize, Deserialize, Schema)]
struct Maybe(Option<u8>);

#[derive(Serialize, Deserialize, Schema)]
struct Wrapped(Point);

#[derive(Serialize, Deserialize, Schema)]
struct Holder {
    name: Name,
    maybe: Maybe,
    wrapped: Option<Wrapped>,
}

#[test]
fn tuples_are_arrays() {
    shown::<Pair>(&json!({
        "type": "array",
        "description": "A pair.",
        "prefixItems": [
            {"type": "integer", "description": "The first.", "minimum": 0, "maximum": 9},
            {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
        ],
        "minItems": 2,
        "maxItems": 2,
    }));
    agree::<Pair>(json!([1, null]), true);
    agree::<Pair>(json!([1]), false);
    agree::<Pair>(json!([1, null, 2]), false);
    agree::<Pair>(json!([true, null]), false);
    agree::<Lenient>(json!([1]), true);
    agree::<Lenient>(json!([1, 2, 3]), true);
    agree::<Lenient>(json!([1, 2, 3, 4]), false);
    agree::<Lenient>(json!([]), false);
    agree::<Defaulted>(json!([]), true);
    agree::<Defaulted>(json!([1, 2]), true);
    agree::<Empty>(json!([]), true);
    agree::<Empty>(json!([1]), false);
    agree::<Empty>(json!(null), false);
    agree::<(u8, String)>(json!([1, "a"]), true);
    agree::<(u8, String)>(json!(["a", 1]), false);
    agree::<(u8,)>(json!([1]), true);
    agree::<Vec<(String, Option<u8>)>>(json!([["a", null], ["b", 1]]), true);
}

#[test]
fn a_unit_struct_is_null() {
    shown::<Nothing>(&json!({"type": "null"}));
    agree::<Nothing>(json!(null), true);
    agree::<Nothing>(json!({}), false);
    agree::<PhantomData<u8>>(json!(null), true);
}

#[test]
fn a_newtype_is_what_it_holds() {
    shown::<Name>(&json!({"type": "string", "description": "A name.", "minLength": 1}));
    agree::<Wrapped>(json!({"x": 1, "y": 2}), true);
    agree::<Wrapped>(json!([{"x": 1, "y": 2}]), false);
    agree::<Holder>(json!({"name": "a", "maybe": null}), true);
    agree::<Holder>(json!({"name": "a", "maybe": 1, "wrapped": null}), true);
    // Serde reads a missing `Option`, and no missing newtype of one.
    agree::<Holder>(json!({"name": "a"}), false);
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(transparent)]
#[expect(dead_code, reason = "it is there for its schema")]
struct Count {
    #[schema(maximum = 7)]
    value: u8,
    #[serde(skip)]
    skipped: (),
    marker: PhantomData<String>,
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(transparent)]
struct Clear(Option<u8>);

#[derive(Serialize, Deserialize, Schema)]
struct Counted {
    clear: Clear,
}

#[test]
fn a_transparent_struct_stands_for_its_field() {
    shown::<Counted>(&json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {"clear": {"type": "integer", "minimum": 0, "maximum": 255}},
    }));
    agree::<Counted>(json!({}), true);
    agree::<Counted>(json!({"clear": null}), true);
    agree::<Counted>(json!({"clear": 3}), true);
    agree::<Counted>(json!({"clear": {}}), false);
    shown::<Count>(&json!({"type": "integer", "minimum": 0, "maximum": 7}));
    agree::<Count>(json!(7), true);
    agree::<Count>(json!({"value": 7}), false);
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "kind", rename = "place")]
struct Tagged {
    x: u8,
}

#[test]
fn a_struct_with_a_tag_accepts_what_it_writes() {
    let written = serde_json::to_value(Tagged { x: 1 }).unwrap();
    assert_eq!(written, json!({"kind": "place", "x": 1}));
    agree::<Tagged>(written, true);
    agree::<Tagged>(json!({"x": 1}), true);
    refused::<Tagged>(
        &json!({"kind": "plaice", "x": 1}),
        &["\"kind\" must be one of [\"place\"], did you mean \"place\"?"],
    );
}
