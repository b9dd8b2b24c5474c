//! Decoding in one pass and explaining agree: what is valid decodes, what is not is explained.

use std::collections::HashMap;

use dsh_tools::{Arguments, Schema};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
#[serde(rename_all = "camelCase")]
struct Everything {
    small: u8,
    big: i64,
    float: f64,
    #[schema(minimum = 1, maximum = 5)]
    bounded: Option<u32>,
    #[schema(min_length = 2, max_length = 4)]
    text: String,
    letter: Option<char>,
    flag: bool,
    mode: Mode,
    #[serde(default)]
    list: Vec<Option<i16>>,
    pair: Option<[bool; 2]>,
    map: HashMap<String, Inner>,
    any: Option<Value>,
    inner: Box<Inner>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    FastLane,
    Slow,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, Schema)]
struct Inner {
    #[serde(rename = "type")]
    kind: String,
    unit: Option<()>,
}

fn valid() -> Value {
    json!({
        "small": 7, "big": -3, "float": 1.5, "bounded": 2, "text": "abc", "letter": "x",
        "flag": true, "mode": "fast_lane", "list": [1, null, -2], "pair": [true, false],
        "map": {"a": {"type": "t"}}, "any": {"x": [1]}, "inner": {"type": "i", "unit": null},
    })
}

/// A value put somewhere into a valid one, or something taken out of it.
fn mutated() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-3..300_i32).prop_map(Value::from),
        (-3.0..9.0_f64).prop_map(Value::from),
        Just(json!(3.0)),
        Just(json!(1e300)),
        "[a-z]{0,5}".prop_map(Value::from),
        Just(json!("slow")),
        Just(json!([])),
        Just(json!({})),
        Just(json!([true, true, true])),
        Just(json!({"type": "x", "unit": 1})),
    ];
    let keys: Vec<String> = valid().as_object().unwrap().keys().cloned().collect();
    let key = prop_oneof![
        9 => proptest::sample::select(keys),
        1 => Just("unknown".to_owned()),
        1 => Just("page_size".to_owned()),
    ];
    let change = (key, prop_oneof![4 => leaf.prop_map(Some), 1 => Just(None)]);
    proptest::collection::vec(change, 0..3).prop_map(|changes| {
        let mut value = valid();
        let members = value.as_object_mut().unwrap();
        for (key, change) in changes {
            match change {
                Some(new) => drop(members.insert(key, new)),
                None => drop(members.shift_remove(&key)),
            }
        }
        value
    })
}

proptest! {
    #![proptest_config(Config { cases: 1500, failure_persistence: None, ..Config::default() })]

    #[test]
    fn one_pass_and_the_explanation_agree(value in mutated()) {
        let violations = Everything::SCHEMA.validate(&value, "");
        prop_assert_eq!(Everything::SCHEMA.is_valid(&value), violations.is_empty());
        let text = value.to_string();
        let from_text = Arguments::from(text.as_str()).decode::<Everything>();
        let from_value = Arguments::from(value.clone()).decode::<Everything>();
        prop_assert_eq!(from_text.is_ok(), violations.is_empty(), "{}: {:?}", text, from_text);
        match (from_text, from_value) {
            (Ok(a), Ok(b)) => {
                // What was read, written again, says the same.
                prop_assert!(Everything::SCHEMA.is_valid(&serde_json::to_value(&a).unwrap()));
                prop_assert_eq!(a, b);
            }
            (Err(a), Err(b)) => {
                let texts: Vec<_> = a.violations().iter().map(|v| v.text.clone()).collect();
                let expected: Vec<_> = violations.iter().map(|v| v.text.clone()).collect();
                prop_assert_eq!(texts, expected);
                prop_assert_eq!(a, b);
            }
            (a, b) => prop_assert!(false, "text gives {:?}, value gives {:?}", a, b),
        }
    }
}

#[test]
fn what_stands_behind_the_value_is_seen() {
    assert!(Arguments::from("[1] 2").decode::<Vec<u8>>().is_err());
    assert!(Arguments::from("[1]  \n").decode::<Vec<u8>>().is_ok());
}

#[test]
fn a_key_given_twice_is_the_last_one() {
    #[derive(Debug, Deserialize, Schema)]
    struct One {
        a: u8,
    }
    assert_eq!(Arguments::from(r#"{"a": 1, "a": 2}"#).decode::<One>().unwrap().a, 2);
    assert!(Arguments::from(r#"{"a": 1, "a": "x"}"#).decode::<One>().is_err());
}
