//! Schemas of std types and of hand-built values: what is shown and what is accepted.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZeroU16;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;

use dsh_tools::Schema;
use dsh_tools::schema::{Property, ValueSchema};
use serde_json::{Map, Value, json};

#[track_caller]
fn shown<T: Schema + ?Sized>(expected: impl Into<Value>) {
    let expected = expected.into();
    let shown = T::SCHEMA.to_json();
    assert_eq!(shown.to_string(), expected.to_string());
}

#[test]
fn scalars_are_shown_with_the_bounds_of_their_type() {
    shown::<bool>(json!({"type": "boolean"}));
    shown::<()>(json!({"type": "null"}));
    shown::<String>(json!({"type": "string"}));
    shown::<str>(json!({"type": "string"}));
    shown::<PathBuf>(json!({"type": "string"}));
    shown::<char>(json!({"type": "string", "minLength": 1, "maxLength": 1}));
    shown::<f32>(json!({"type": "number"}));
    shown::<f64>(json!({"type": "number"}));
    shown::<u8>(json!({"type": "integer", "minimum": 0, "maximum": 255}));
    shown::<i16>(json!({"type": "integer", "minimum": -32768, "maximum": 32767}));
    shown::<u64>(json!({"type": "integer", "minimum": 0, "maximum": u64::MAX}));
    shown::<i64>(json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX}));
    shown::<usize>(json!({"type": "integer", "minimum": 0, "maximum": usize::MAX}));
    shown::<u128>(json!({"type": "integer", "minimum": 0}));
    shown::<i128>(json!({"type": "integer"}));
    shown::<NonZeroU16>(json!({"type": "integer", "minimum": 1, "maximum": 65535}));
}

#[test]
fn containers_are_shown_by_what_they_hold() {
    let strings = json!({"type": "array", "items": {"type": "string"}});
    shown::<Vec<String>>(strings.clone());
    shown::<VecDeque<String>>(strings.clone());
    shown::<HashSet<String>>(strings.clone());
    shown::<BTreeSet<String>>(strings.clone());
    shown::<[String]>(strings);
    shown::<[bool; 2]>(
        json!({"type": "array", "items": {"type": "boolean"}, "minItems": 2, "maxItems": 2}),
    );
    let map = json!({
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "properties": {},
    });
    shown::<HashMap<String, bool>>(map.clone());
    shown::<BTreeMap<Arc<str>, bool>>(map);
    shown::<Map<String, Value>>(
        json!({"type": "object", "additionalProperties": true, "properties": {}}),
    );
    shown::<Value>(json!({}));
}

#[test]
fn pointers_are_shown_as_what_they_point_to() {
    shown::<Box<str>>(json!({"type": "string"}));
    shown::<Arc<bool>>(json!({"type": "boolean"}));
    shown::<Rc<bool>>(json!({"type": "boolean"}));
    shown::<&bool>(json!({"type": "boolean"}));
    shown::<Cow<'_, str>>(json!({"type": "string"}));
}

#[test]
fn an_option_inside_a_container_is_a_union_with_null() {
    let schema = <Vec<Option<bool>>>::SCHEMA;
    assert_eq!(
        schema.to_json(),
        json!({"type": "array", "items": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}})
    );
    assert!(schema.is_valid(&json!([true, null])));
    assert!(!schema.is_valid(&json!(["x"])));
}

#[track_caller]
fn violations(schema: &ValueSchema, value: impl Into<Value>, expected: &[&str]) {
    let value = value.into();
    let found: Vec<_> = schema.validate(&value, "value").into_iter().map(|v| v.text).collect();
    assert_eq!(found, expected);
}

#[test]
fn every_violation_is_listed_in_walk_order() {
    let schema = ValueSchema::object([
        Property::required("a", ValueSchema::string()),
        Property::required("b", ValueSchema::array(ValueSchema::integer())),
        Property::optional("c", ValueSchema::object([])),
    ]);
    violations(
        &schema,
        json!({"z": 1, "b": [1, "x", 2.5, 3.0], "c": {"y": null}}),
        &[
            "missing required property \"value.a\"",
            "\"value.b[1]\" must be an integer",
            "\"value.b[2]\" must be an integer",
            "\"value.c.y\" is not a declared property (additionalProperties: false)",
            "\"value.z\" is not a declared property (additionalProperties: false)",
        ],
    );
    violations(&schema, json!([]), &["\"value\" must be an object"]);
}

#[test]
fn negative_zero_and_fractions_are_not_integers() {
    let integer = ValueSchema::integer();
    for accepted in ["3", "3.0", "1e3", "-7", "1e300", "18446744073709551615"] {
        assert!(integer.is_valid(&serde_json::from_str::<Value>(accepted).unwrap()), "{accepted}");
    }
    for refused in ["0.5", "-0", "-0.0", "\"1\"", "null", "true"] {
        assert!(!integer.is_valid(&serde_json::from_str::<Value>(refused).unwrap()), "{refused}");
    }
    violations(
        &ValueSchema::number(),
        serde_json::from_str::<Value>("-0").unwrap(),
        &["\"value\" must be a finite JSON number"],
    );
    violations(
        &ValueSchema::json(),
        serde_json::from_str::<Value>("[1, {\"x\": -0.0}]").unwrap(),
        &["\"value\" must be a lossless JSON value"],
    );
    violations(
        &ValueSchema::object([]).open(),
        serde_json::from_str::<Value>("{\"x\": -0.0}").unwrap(),
        &["\"value\" must be a lossless JSON object"],
    );
}

#[test]
fn bounds_are_exact_at_the_ends_of_the_type() {
    violations(u64::SCHEMA, json!(u64::MAX), &[]);
    violations(i64::SCHEMA, json!(i64::MIN), &[]);
    violations(
        u64::SCHEMA,
        serde_json::from_str::<Value>("18446744073709551616").unwrap(),
        &["\"value\" must be at most 18446744073709551615"],
    );
    violations(u8::SCHEMA, json!(256), &["\"value\" must be at most 255"]);
    violations(u8::SCHEMA, json!(-1), &["\"value\" must be at least 0"]);
    violations(char::SCHEMA, json!("ab"), &["\"value\" must have at most 1 character"]);
    violations(char::SCHEMA, json!("\u{1f600}"), &[]);
    violations(<[u8; 2]>::SCHEMA, json!([1]), &["\"value\" must have at least 2 items"]);
}

#[test]
fn exactly_one_branch_of_a_union_has_to_match() {
    let union = ValueSchema::one_of([ValueSchema::number(), ValueSchema::integer()]);
    violations(&union, json!(1), &["\"value\" must match exactly one oneOf branch (matched 2)"]);
    violations(&union, json!(1.5), &[]);
    violations(&union, json!("x"), &["\"value\" must match exactly one oneOf branch (matched 0)"]);
    let nested = ValueSchema::one_of([
        ValueSchema::one_of([ValueSchema::string(), ValueSchema::boolean()]),
        ValueSchema::array(union.clone()),
    ]);
    violations(&nested, json!("x"), &[]);
    violations(&nested, json!([1.5, 2.5]), &[]);
    violations(&nested, json!([1]), &["\"value\" must match exactly one oneOf branch (matched 0)"]);
}

#[test]
fn values_of_a_map_are_checked() {
    let schema = <HashMap<String, u8>>::SCHEMA;
    violations(schema, json!({"a": 1, "b": "x"}), &["\"value.b\" must be an integer"]);
}

#[test]
fn a_deep_value_does_not_overflow_the_stack() {
    let mut value = json!(1);
    for _ in 0..100_000 {
        value = Value::Array(vec![value]);
    }
    assert!(ValueSchema::json().is_valid(&value));
    // `Value` drops recursively; taking it apart from the outside does not.
    while let Value::Array(mut items) = value {
        value = items.pop().unwrap_or(Value::Null);
    }
}
