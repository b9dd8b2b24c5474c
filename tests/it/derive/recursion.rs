//! Types that contain themselves.

use std::collections::BTreeMap;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{agree, refused, shown};

/// A node.
#[derive(Serialize, Deserialize, Schema)]
#[expect(unused_qualifications, reason = "the spelling is what is tested")]
struct Tree {
    name: String,
    /// What is below.
    #[schema(max_items = 2)]
    children: Vec<Tree>,
    /// The first of all.
    parent: Option<Box<Self>>,
    #[serde(default)]
    named: BTreeMap<String, self::Tree>,
}

#[test]
fn a_struct_may_contain_itself() {
    shown::<Tree>(&json!({
        "type": "object",
        "description": "A node.",
        "additionalProperties": false,
        "properties": {
            "name": {"type": "string"},
            "children": {
                "type": "array",
                "description": "What is below.",
                "items": {"$ref": "#/$defs/Tree"},
                "maxItems": 2,
            },
            "parent": {
                "anyOf": [{"$ref": "#/$defs/Tree"}],
                "description": "The first of all.",
            },
            "named": {
                "type": "object",
                "additionalProperties": {"$ref": "#/$defs/Tree"},
                "properties": {},
            },
        },
        "required": ["name", "children"],
        "$defs": {
            "Tree": {
                "type": "object",
                "description": "A node.",
                "additionalProperties": false,
                "properties": {
                    "name": {"type": "string"},
                    "children": {
                        "type": "array",
                        "description": "What is below.",
                        "items": {"$ref": "#/$defs/Tree"},
                        "maxItems": 2,
                    },
                    "parent": {
                        "anyOf": [{"$ref": "#/$defs/Tree"}],
                        "description": "The first of all.",
                    },
                    "named": {
                        "type": "object",
                        "additionalProperties": {"$ref": "#/$defs/Tree"},
                        "properties": {},
                    },
                },
                "required": ["name", "children"],
            },
        },
    }));
    let leaf = json!({"name": "leaf", "children": []});
    agree::<Tree>(leaf.clone(), true);
    agree::<Tree>(
        json!({"name": "a", "children": [leaf], "parent": leaf, "named": {"x": leaf}}),
        true,
    );
    agree::<Tree>(json!({"name": "a", "children": [{"name": "leaf"}]}), false);
    agree::<Tree>(json!({"name": "a", "children": [], "parent": {"name": 1}}), false);
    refused::<Tree>(
        &json!({"name": "a", "children": [{"name": "b", "children": [leaf, leaf, leaf]}]}),
        &["\"children[0].children\" must have at most 2 items, got 3"],
    );
}

/// A sum.
#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "lowercase")]
enum Sum {
    Number(f64),
    Negate(Box<Sum>),
    Add(Box<Sum>, Box<Sum>),
    All { terms: Vec<Sum> },
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(untagged)]
enum Json {
    Null,
    Text(String),
    List(Vec<Json>),
    Map(BTreeMap<String, Json>),
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Leaf,
    Node(Option<Box<Adjacent>>),
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(tag = "t")]
enum Internal {
    Leaf,
    Node { left: Box<Internal>, right: Option<Box<Internal>> },
}

#[test]
fn an_enum_may_contain_itself() {
    agree::<Sum>(json!({"add": [{"number": 1}, {"negate": {"number": 2}}]}), true);
    agree::<Sum>(json!({"add": [{"number": 1}, {"negate": 2}]}), false);
    agree::<Sum>(json!({"all": {"terms": [{"number": 1}]}}), true);
    agree::<Json>(json!([null, {"a": ["b"]}]), true);
    agree::<Json>(json!([null, {"a": [1]}]), false);
    agree::<Adjacent>(json!({"t": "Node", "c": {"t": "Leaf"}}), true);
    agree::<Adjacent>(json!({"t": "Node"}), true);
    agree::<Adjacent>(json!({"t": "Node", "c": 1}), false);
    agree::<Internal>(json!({"t": "Node", "left": {"t": "Leaf"}}), true);
    agree::<Internal>(json!({"t": "Node", "left": {"t": "Node"}}), false);
    for shown in [Sum::SCHEMA, Json::SCHEMA, Adjacent::SCHEMA, Internal::SCHEMA] {
        let shown = shown.to_json();
        assert_eq!(shown["$defs"].as_object().map(serde_json::Map::len), Some(1), "{shown}");
    }
}

#[derive(Serialize, Deserialize, Schema)]
struct List(Vec<List>);

#[derive(Serialize, Deserialize, Schema)]
#[serde(transparent)]
struct Chain {
    next: BTreeMap<String, Chain>,
}

#[test]
fn a_newtype_may_contain_itself() {
    shown::<List>(&json!({
        "type": "array",
        "items": {"$ref": "#/$defs/List"},
        "$defs": {"List": {"type": "array", "items": {"$ref": "#/$defs/List"}}},
    }));
    agree::<List>(json!([[], [[]]]), true);
    agree::<List>(json!([[], [1]]), false);
    agree::<Chain>(json!({"a": {"b": {}}}), true);
    agree::<Chain>(json!({"a": {"b": null}}), false);
}

#[derive(Serialize, Deserialize, Schema)]
struct Folder {
    files: Vec<File>,
}

#[derive(Serialize, Deserialize, Schema)]
struct File {
    name: String,
    /// Where it is.
    #[schema(recursive)]
    folder: Option<Box<Folder>>,
}

#[test]
fn two_types_may_contain_each_other() {
    agree::<Folder>(json!({"files": [{"name": "a", "folder": {"files": []}}]}), true);
    agree::<Folder>(json!({"files": [{"name": "a", "folder": {"files": [1]}}]}), false);
    agree::<File>(json!({"name": "a", "folder": {"files": []}}), true);
    let described = File::SCHEMA.to_json()["properties"]["folder"]["description"].clone();
    assert_eq!(described, "Where it is.");
}

#[derive(Serialize, Deserialize, Schema)]
struct Rose<T> {
    value: T,
    petals: Vec<Rose<T>>,
}

#[test]
fn a_generic_type_may_contain_itself() {
    agree::<Rose<u8>>(json!({"value": 1, "petals": [{"value": 2, "petals": []}]}), true);
    agree::<Rose<u8>>(json!({"value": 1, "petals": [{"value": "x", "petals": []}]}), false);
    let value = json!({"value": {"value": 1, "petals": []}, "petals": []});
    agree::<Rose<Rose<u8>>>(value, true);
    let shown = Rose::<Rose<u8>>::SCHEMA.to_json();
    assert_eq!(shown["$defs"].as_object().map(serde_json::Map::len), Some(2), "{shown}");
}

/// A value that has the name of the type, from another crate.
mod namesake {
    use super::{Deserialize, Schema};

    #[derive(Deserialize, Schema)]
    #[expect(dead_code, reason = "only its schema is looked at")]
    pub(super) struct Value {
        #[schema(max_items = 3)]
        pub(super) list: Vec<serde_json::Value>,
    }
}

#[test]
fn a_path_to_another_type_of_the_same_name_is_no_recursion() {
    let value: Value = json!({"list": [1, "a"]});
    agree::<namesake::Value>(value, true);
}

#[derive(Debug, Serialize, Deserialize, Schema)]
#[serde(untagged)]
enum Endless {
    Itself(Box<Endless>),
    Number(u8),
}

#[test]
fn a_variant_that_is_the_enum_itself_ends() {
    // Serde would never come back from a text; the schema does.
    assert!(Endless::SCHEMA.is_valid(&json!(1)));
    assert!(!Endless::SCHEMA.is_valid(&json!("x")));
    assert_eq!(Endless::SCHEMA.validate(&json!("x"), "value").len(), 1);
}
