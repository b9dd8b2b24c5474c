//! The bridge from schemars.

use std::collections::BTreeMap;

use dsh_tools::schema::{SchemaError, ValueSchema};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// An order.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only read")]
struct Order {
    /// How many.
    count: u32,
    offset: i64,
    small: u8,
    note: Option<String>,
    lane: Option<Lane>,
    at: Option<Place>,
    places: Vec<Place>,
    #[serde(default)]
    tags: BTreeMap<String, f64>,
    pair: (bool, String),
    any: Value,
    inner: Option<Box<Order>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Lane {
    VeryFast,
    /// Slow.
    Slow,
}

#[derive(Deserialize, JsonSchema)]
#[serde(tag = "kind")]
#[expect(dead_code, reason = "only read")]
enum Place {
    File { path: String },
    Line(Line),
}

#[derive(Deserialize, JsonSchema)]
#[expect(dead_code, reason = "only read")]
struct Line {
    number: i32,
}

#[track_caller]
fn agree<T: JsonSchema + for<'de> Deserialize<'de>>(value: impl Into<Value>, accepted: bool) {
    let value = value.into();
    let schema = ValueSchema::from_schemars::<T>().unwrap();
    let violations = schema.validate(&value, "value");
    assert_eq!(violations.is_empty(), accepted, "{value}: {violations:?}");
    assert_eq!(T::deserialize(&value).is_ok(), accepted, "serde differs on {value}");
}

fn order(name: &str, value: impl Into<Value>) -> Value {
    let mut order = json!({
        "count": 1, "offset": -1, "small": 255, "places": [], "pair": [true, "x"], "any": null,
    });
    order[name] = value.into();
    order
}

#[test]
fn a_type_with_a_schema_of_schemars_has_one_here() {
    agree::<Order>(order("count", u32::MAX), true);
    agree::<Order>(order("count", u64::from(u32::MAX) + 1), false);
    agree::<Order>(order("offset", i64::MIN), true);
    agree::<Order>(order("offset", u64::MAX), false);
    agree::<Order>(order("small", 256), false);
    agree::<Order>(order("note", json!(null)), true);
    agree::<Order>(order("note", 1), false);
    agree::<Order>(order("lane", "very_fast"), true);
    agree::<Order>(order("lane", "fast"), false);
    agree::<Order>(order("at", json!({"kind": "File", "path": "x"})), true);
    agree::<Order>(order("at", json!({"kind": "Line", "number": 1})), true);
    agree::<Order>(order("at", json!({"kind": "Line", "path": "x"})), false);
    agree::<Order>(order("places", json!([{"kind": "File", "path": "x"}])), true);
    agree::<Order>(order("tags", json!({"a": 1.5})), true);
    agree::<Order>(order("tags", json!({"a": "x"})), false);
    agree::<Order>(order("pair", json!([true])), false);
    agree::<Order>(order("any", json!([1])), true);
    agree::<Order>(order("inner", order("small", 1)), true);
    agree::<Order>(order("inner", order("small", 256)), false);
    agree::<Order>(order("other", 1), false);
}

#[track_caller]
fn refused<T: JsonSchema>() -> SchemaError {
    ValueSchema::from_schemars::<T>().unwrap_err()
}

/// A key that is no text is a pattern of properties in schemars.
#[test]
fn what_would_not_be_enforced_is_refused() {
    let error = refused::<BTreeMap<u8, bool>>();
    assert!(error.violations()[0].contains("patternProperties"), "{error}");
}
