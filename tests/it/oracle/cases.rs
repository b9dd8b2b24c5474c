//! What was found by comparing, and what differs on purpose.

use dsh_tools::schema::ValueSchema;
use serde_json::{Value, json};

use super::{agree, stays, theirs};

#[track_caller]
fn refused(schema: impl Into<Value>, violation: &str) {
    let error = ValueSchema::parse(&schema.into()).unwrap_err();
    assert_eq!(error.violations(), [violation]);
}

#[test]
fn null_is_accepted_of_a_nullable_type_only_where_its_literals_have_it() {
    let values = [json!(null), json!("a"), json!("b"), json!(1)];
    for schema in [
        json!({"type": ["string", "null"]}),
        json!({"type": ["string", "null"], "enum": ["a"]}),
        json!({"type": ["string", "null"], "enum": ["a", null]}),
        json!({"type": ["null", "string"], "enum": [null]}),
        json!({"type": ["string", "null"], "const": "a"}),
        json!({"type": ["string", "null"], "const": null}),
        json!({"type": ["string", "null"], "enum": ["a", null], "const": null}),
        json!({"type": ["string", "null"], "enum": ["a", null], "const": "a"}),
    ] {
        agree(&schema, &values);
        stays(&schema);
    }
}

#[test]
fn a_reference_says_under_which_keyword_its_definition_is() {
    let both = |name: &str| {
        json!({
            "$ref": format!("#/{name}"),
            "$defs": {"a": {"type": "string"}},
            "definitions": {"b": {"type": "integer"}},
        })
    };
    for name in ["$defs/a", "definitions/b", "%24defs/%61"] {
        agree(&both(name), &[json!("x"), json!(1)]);
        stays(&both(name));
    }
    let nowhere = "schema.$ref must be \"#\" or name a schema in $defs of this document";
    for name in ["$defs/b", "definitions/a", "$defs/%", "$defs/%ff", "$defs/a/b", "a"] {
        refused(both(name), nowhere);
    }
    refused(
        json!({"$defs": {"a": {}}, "definitions": {"a": {}}}),
        "schema.definitions names \"a\" which is in $defs, too",
    );
}

#[test]
fn the_name_of_a_definition_is_escaped_in_a_reference() {
    for (name, reference) in [
        ("a/b", "a~1b"),
        ("a~b", "a~0b"),
        ("~1", "~01"),
        ("Page<User>", "Page%3CUser%3E"),
        ("a b%20", "a%20b%2520"),
        ("\u{e9}", "%C3%A9"),
    ] {
        let reference = format!("#/$defs/{reference}");
        let schema = json!({"$ref": reference, "$defs": {name: {"type": "string"}}});
        agree(&schema, &[json!("x"), json!(1)]);
        stays(&schema);
        assert_eq!(ValueSchema::parse(&schema).unwrap().to_json(), schema);
    }
}

#[test]
fn an_identity_inside_the_document_would_move_its_references() {
    refused(
        json!({"type": "array", "items": {"$id": "https://example.com", "type": "string"}}),
        "schema.items.$id is only supported at the root",
    );
}

#[test]
fn a_document_that_is_only_itself_is_refused() {
    refused(json!({"$ref": "#"}), "schema leads to itself without anything in between");
}

#[test]
fn patterns_are_those_of_ecma_262() {
    let texts = [
        "", "a", "A", "5", "\u{663}", "\u{e9}", "_", "-", "a-b", "<", "[", "]", "&", "~", "a&b",
        "\n", "\r", "\u{2028}", "a b", "a\u{e9}", "+", ",", ".", "/", "b", "\u{8}", ":", "ab",
        "foo.bar",
    ];
    let texts: Vec<Value> = texts.iter().map(|text| json!(text)).collect();
    for pattern in [
        r"^\d$",
        r"^\D$",
        r"^\w+$",
        r"^\W$",
        r"^[\d-]$",
        r"^[^\w]$",
        r"^.$",
        r"^[&&]$",
        r"^[a&&b]$",
        r"^[~~a]$",
        r"^[+--]$",
        r"^[--/]$",
        r"^[a-]$",
        r"^[-a]+$",
        r"^[^-a]$",
        r"^[\]]$",
        r"^[\[:alpha:\]]+$",
        r"^\.$",
        r"^\/$",
        r"^\u0041$",
        r"^[.]$",
        r"a$",
        r"^[a-z.]+$",
        r"^\p{L}$",
    ] {
        agree(&json!({"type": "string", "pattern": pattern}), &texts);
    }
}

/// The other validator takes the boundary of words from Unicode and refuses empty classes.
#[test]
fn words_are_those_of_ascii_and_classes_may_be_empty() {
    let accepts = |pattern: &str, text: &str| {
        let schema = ValueSchema::parse(&json!({"type": "string", "pattern": pattern})).unwrap();
        schema.is_valid(&json!(text))
    };
    assert!(accepts(r"\ba\b", "a\u{e9}") && !accepts(r"\ba\b", "ab"));
    assert!(accepts(r"^[\b]$", "\u{8}"));
    assert!(accepts("^[^]$", "a") && !accepts("[]", "a]"));
    assert!(accepts(r"a\B", "ab") && !accepts(r"a\B", "a\u{e9}"));
}

/// JavaScript has no way to say it either: both `-0` and `-0.0` are read, and `0` is written.
#[test]
fn negative_zero_is_refused_on_purpose() {
    for schema in [json!({}), json!({"type": "number"}), json!({"enum": [0], "type": "number"})] {
        let zero: Value = serde_json::from_str("-0.0").unwrap();
        assert!(!ValueSchema::parse(&schema).unwrap().is_valid(&zero));
        assert!(theirs(&schema).is_valid(&zero));
    }
}
