//! Properties that stand among others.

use std::collections::BTreeMap;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{agree, refused, shown};

#[derive(Serialize, Deserialize, Schema)]
struct Paging {
    /// How many.
    #[serde(alias = "n")]
    limit: u8,
    after: Option<String>,
}

#[derive(Serialize, Deserialize, Schema)]
struct Sorting {
    #[serde(flatten)]
    paging: Paging,
    by: String,
}

#[derive(Serialize, Deserialize, Schema)]
struct Search {
    pattern: String,
    /// Not shown, as it has no property.
    #[serde(flatten)]
    sorting: Box<Sorting>,
    last: bool,
}

#[test]
fn a_flattened_struct_gives_its_properties() {
    shown::<Search>(&json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "pattern": {"type": "string"},
            "limit": {"type": "integer", "description": "How many.", "minimum": 0, "maximum": 255},
            "after": {"type": "string"},
            "by": {"type": "string"},
            "last": {"type": "boolean"},
        },
        "required": ["pattern", "limit", "by", "last"],
    }));
    agree::<Search>(json!({"pattern": "a", "limit": 1, "by": "b", "last": true}), true);
    agree::<Search>(json!({"pattern": "a", "n": 1, "by": "b", "last": true, "after": null}), true);
    agree::<Search>(json!({"pattern": "a", "by": "b", "last": true}), false);
    agree::<Search>(json!({"pattern": "a", "limit": 256, "by": "b", "last": true}), false);
    refused::<Search>(
        &json!({"pattern": "a", "limit": 1, "by": "b", "last": true, "aftre": "x"}),
        &["\"aftre\" is not a declared property (additionalProperties: false), \
           did you mean \"after\"?"],
    );
}

#[derive(Serialize, Deserialize, Schema)]
struct Labels {
    name: String,
    #[serde(flatten)]
    paging: Paging,
    #[serde(flatten, skip_serializing_if = "BTreeMap::is_empty")]
    others: BTreeMap<String, bool>,
}

#[derive(Serialize, Deserialize, Schema)]
struct Anything {
    name: String,
    #[serde(flatten)]
    others: Map<String, Value>,
}

#[test]
fn a_flattened_map_opens_the_object() {
    agree::<Labels>(json!({"name": "a", "limit": 1}), true);
    agree::<Labels>(json!({"name": "a", "limit": 1, "x": true, "y": false}), true);
    agree::<Labels>(json!({"name": "a", "limit": 1, "x": 1}), false);
    agree::<Labels>(json!({"limit": 1, "x": true}), false);
    agree::<Anything>(json!({"name": "a", "limit": [null]}), true);
    agree::<Anything>(json!({"limit": [null]}), false);
    assert_eq!(Labels::SCHEMA.to_json()["additionalProperties"], json!({"type": "boolean"}));
    assert_eq!(Anything::SCHEMA.to_json()["additionalProperties"], true);
}
