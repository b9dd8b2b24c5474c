//! What is checked of `format`, with the feature `formats`.

mod names;
mod time;

use dsh_tools::schema::ValueSchema;
use serde_json::json;

#[track_caller]
fn check(format: &str, accepted: &[&str], refused: &[&str]) {
    let schema = ValueSchema::parse(&json!({"type": "string", "format": format})).unwrap();
    for text in accepted {
        assert!(schema.is_valid(&json!(text)), "{format} has to accept {text:?}");
    }
    for text in refused {
        assert!(!schema.is_valid(&json!(text)), "{format} has to refuse {text:?}");
    }
}

#[test]
fn a_text_that_is_not_in_the_format_is_told_so() {
    let schema = ValueSchema::parse(&json!({"type": "string", "format": "date"})).unwrap();
    let violations = schema.validate(&json!("today"), "value");
    assert_eq!(violations[0].to_string(), "\"value\" must be in the format date");
}

#[test]
fn a_format_that_is_not_known_accepts_every_text() {
    check("regex", &["", "("], &[]);
    check("colour", &["", "reddish"], &[]);
}
