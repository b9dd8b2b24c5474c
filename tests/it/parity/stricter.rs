//! Where the schema refuses what serde accepts, on purpose.

use dsh_tools::Schema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[derive(Deserialize, Schema)]
#[expect(dead_code, reason = "only read")]
struct Plain {
    a: u8,
    b: Option<u8>,
}

#[derive(Deserialize, Schema)]
enum External {
    Unit,
}

#[derive(Deserialize, Schema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
}

#[derive(Deserialize, Schema)]
#[serde(tag = "t")]
#[expect(dead_code, reason = "only read")]
enum Internal {
    Plain(Plain),
    Void { nothing: () },
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only read")]
enum Untagged {
    Internal(Internal),
}

#[track_caller]
fn stricter<T: Schema + DeserializeOwned>(value: &Value) {
    assert!(T::deserialize(value).is_ok(), "serde refuses {value}");
    assert!(!T::SCHEMA.is_valid(value), "the schema accepts {value}");
}

#[test]
fn a_key_that_nobody_declared_is_a_mistake() {
    stricter::<Plain>(&json!({"a": 1, "B": 2}));
    stricter::<Adjacent>(&json!({"t": "Unit", "c": null}));
}

#[test]
fn a_struct_has_names_and_no_order() {
    stricter::<Plain>(&json!([1, 2]));
    stricter::<Internal>(&json!(["Plain", 1, 2]));
}

#[test]
fn a_variant_without_data_is_a_string() {
    stricter::<External>(&json!({"Unit": null}));
}

#[test]
fn a_variant_has_a_name_and_no_number() {
    stricter::<Untagged>(&json!({"t": 0, "a": 1}));
}

#[test]
fn a_unit_is_null_and_no_container() {
    stricter::<Internal>(&json!({"t": "Void", "nothing": {}}));
}
