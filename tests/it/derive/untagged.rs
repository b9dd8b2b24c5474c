//! Enums whose variants, or some of them, have no tag.

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Point, agree};

#[derive(Serialize, Deserialize, Schema)]
#[serde(untagged)]
enum Untagged {
    /// Nothing.
    None,
    /// A number.
    Number(f64),
    Text(String),
    Pair(bool, bool),
    Named {
        name: String,
    },
    Place(Point),
}

#[test]
fn without_a_tag_any_variant_may_fit() {
    let shown = Untagged::SCHEMA.to_json();
    assert_eq!(shown["anyOf"][0], json!({"type": "null", "description": "Nothing."}));
    assert_eq!(shown["anyOf"][1], json!({"type": "number", "description": "A number."}));
    agree::<Untagged>(json!(null), true);
    agree::<Untagged>(json!(1), true);
    agree::<Untagged>(json!("x"), true);
    agree::<Untagged>(json!([true, false]), true);
    agree::<Untagged>(json!([true]), false);
    agree::<Untagged>(json!({"name": "a"}), true);
    agree::<Untagged>(json!({"x": 1, "y": 1}), true);
    agree::<Untagged>(json!({"x": 1}), false);
    agree::<Untagged>(json!(true), false);
}

#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "lowercase")]
enum Mixed {
    Auto,
    Fixed {
        width: u8,
    },
    #[serde(untagged)]
    Width(u8),
    #[serde(untagged)]
    Range(u8, u8),
}

#[test]
fn single_variants_may_go_without_a_tag() {
    agree::<Mixed>(json!("auto"), true);
    agree::<Mixed>(json!({"fixed": {"width": 1}}), true);
    agree::<Mixed>(json!(5), true);
    agree::<Mixed>(json!([1, 2]), true);
    agree::<Mixed>(json!([1]), false);
    agree::<Mixed>(json!("width"), false);
    agree::<Mixed>(json!({"width": 1}), false);
}
