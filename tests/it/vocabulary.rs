//! Every keyword beyond the strict subset: read, shown, enforced, and refused in strict mode.

use dsh_tools::schema::{ValueSchema, Vocabulary};
use serde_json::{Value, json};

/// A schema with the keyword, what it accepts, what it refuses and with which words.
#[track_caller]
fn check(schema: impl Into<Value>, accepted: &[Value], refused: &[(Value, &str)]) {
    let schema = schema.into();
    let read = ValueSchema::parse(&schema).unwrap();
    assert_eq!(read.to_json().to_string(), schema.to_string());
    assert_eq!(ValueSchema::parse(&read.to_json()).unwrap(), read);
    for value in accepted {
        assert_eq!(read.validate(value, "value"), [], "{value}");
    }
    for (value, text) in refused {
        let found: Vec<_> = read.validate(value, "value").into_iter().map(|v| v.text).collect();
        assert_eq!(found, [*text], "{value}");
        assert!(!read.is_valid(value));
    }
    let strict = ValueSchema::parse_as(&schema, Vocabulary::Strict).unwrap_err();
    assert!(!strict.violations().is_empty());
}

#[test]
fn bounds_of_numbers() {
    check(
        json!({"type": "integer", "minimum": 1, "maximum": 9}),
        &[json!(1), json!(9), json!(9.0)],
        &[(json!(0), "\"value\" must be at least 1"), (json!(10), "\"value\" must be at most 9")],
    );
    check(
        json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1.5}),
        &[json!(0.1), json!(1)],
        &[(json!(0), "\"value\" must be above 0"), (json!(1.5), "\"value\" must be below 1.5")],
    );
    check(
        json!({"type": "number", "multipleOf": 0.01}),
        &[json!(0), json!(19.99), json!(7)],
        &[(json!(0.015), "\"value\" must be a multiple of 0.01")],
    );
}

#[test]
fn lengths_patterns_and_formats_of_strings() {
    check(
        json!({"type": "string", "minLength": 2, "maxLength": 3}),
        &[json!("ab"), json!("äöü")],
        &[
            (json!("a"), "\"value\" must have at least 2 characters"),
            (json!("abcd"), "\"value\" must have at most 3 characters"),
        ],
    );
    check(
        json!({"type": "string", "pattern": "^[a-z]+$"}),
        &[json!("abc")],
        &[(json!("a1"), "\"value\" must match the pattern \"^[a-z]+$\"")],
    );
    check(
        json!({"type": "string", "format": "ipv4"}),
        &[json!("127.0.0.1")],
        &[(json!("127.0.0.256"), "\"value\" must be in the format ipv4")],
    );
    check(json!({"type": "string", "format": "made-up"}), &[json!("anything")], &[]);
}

#[test]
fn look_around_is_refused_with_the_reason() {
    let schema = json!({"type": "string", "pattern": "a(?=b)"});
    let error = ValueSchema::parse(&schema).unwrap_err();
    assert_eq!(
        error.violations(),
        [
            "schema.pattern cannot be used: look-around, including look-ahead and look-behind, is not \
          supported"
        ]
    );
}

#[test]
fn counts_and_kinds_of_items() {
    check(
        json!({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2}),
        &[json!([1]), json!([1, 2])],
        &[
            (json!([]), "\"value\" must have at least 1 item"),
            (json!([1, 2, 3]), "\"value\" must have at most 2 items"),
        ],
    );
    check(
        json!({"type": "array", "uniqueItems": true}),
        &[json!([1, "1", true, [1], {"a": 1}]), json!([])],
        &[
            (json!([1, 2, 1.0]), "\"value\" must have no item twice"),
            (json!([{"a": 1, "b": 2}, {"b": 2, "a": 1}]), "\"value\" must have no item twice"),
        ],
    );
    check(
        json!({"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "items": {"type": "boolean"}}),
        &[json!([]), json!(["a"]), json!(["a", null, true, false])],
        &[
            (json!([1]), "\"value[0]\" must be a string"),
            (json!(["a", null, 1]), "\"value[2]\" must be a boolean"),
        ],
    );
}

#[test]
fn counts_and_values_of_members() {
    check(
        json!({"type": "object", "minProperties": 1, "maxProperties": 2}),
        &[json!({"a": 1}), json!({"a": 1, "b": 2})],
        &[
            (json!({}), "\"value\" must have at least 1 property"),
            (json!({"a": 1, "b": 2, "c": 3}), "\"value\" must have at most 2 properties"),
        ],
    );
    check(
        json!({"type": "object", "additionalProperties": {"type": "integer"}, "properties": {"s": {"type": "string"}}}),
        &[json!({"s": "x", "n": 1}), json!({})],
        &[(json!({"n": "x"}), "\"value.n\" must be an integer")],
    );
}

#[test]
fn at_least_one_branch() {
    check(
        json!({"anyOf": [{"type": "number"}, {"type": "integer"}]}),
        &[json!(1), json!(1.5)],
        &[(json!("x"), "\"value\" must match at least one anyOf branch")],
    );
}

#[test]
fn references_lead_to_definitions_and_back() {
    check(
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "value": {"$ref": "#/$defs/leaf"},
                "next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]},
            },
            "required": ["value"],
            "$defs": {"leaf": {"type": "integer", "minimum": 0}, "a/b~c": {"$ref": "#/$defs/leaf"}},
        }),
        &[json!({"value": 1, "next": {"value": 2, "next": null}})],
        &[
            (json!({"value": -1}), "\"value.value\" must be at least 0"),
            (
                json!({"value": 1, "next": {}}),
                "\"value.next\" must match at least one anyOf branch",
            ),
        ],
    );
}

#[test]
fn what_is_shown_may_differ_from_what_was_read_where_it_says_the_same() {
    let read = ValueSchema::parse(&json!({"type": ["string", "null"], "minLength": 1})).unwrap();
    assert_eq!(
        read.to_json(),
        json!({"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]})
    );
    let read = ValueSchema::parse(&json!({
        "$ref": "#/definitions/a",
        "description": "here",
        "definitions": {"a": {"type": "string"}},
        "$schema": "https://json-schema.org/draft/2020-12/schema",
    }))
    .unwrap();
    assert_eq!(
        read.to_json(),
        json!({
            "anyOf": [{"$ref": "#/$defs/a"}],
            "description": "here",
            "$defs": {"a": {"type": "string"}},
        })
    );
    let read = ValueSchema::parse(&json!({"allOf": [
        {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
        {"type": "object", "properties": {"b": {"type": "null"}}},
    ]}))
    .unwrap();
    assert_eq!(
        read.to_json(),
        json!({
            "type": "object",
            "properties": {"a": {"type": "string"}, "b": {"type": "null"}},
            "required": ["a"],
        })
    );
}

#[track_caller]
fn refuse(schema: impl Into<Value>, expected: &[&str]) {
    let schema = schema.into();
    assert_eq!(ValueSchema::parse(&schema).unwrap_err().violations(), expected);
}

#[test]
fn malformed_and_misplaced_keywords_are_named_with_their_paths() {
    refuse(
        json!({"type": "object", "properties": {
            "a": {"type": "string", "minimum": 1, "minLength": -1},
            "b": {"type": "integer", "minimum": "1", "multipleOf": 0},
            "c": {"type": "array", "uniqueItems": 1, "prefixItems": []},
            "d": {"minimum": 1},
            "e": {"type": "string", "pattern": "("},
            "f": {"$ref": "#/$defs/nowhere", "type": "string"},
            "g": {"type": ["string", "integer"]},
            "h": {"if": {}},
            "i": {"type": "object", "additionalProperties": 1, "$defs": {}},
        }}),
        &[
            "schema.properties.a.minimum is not supported on type \"string\"",
            "schema.properties.a.minLength must be a whole number, zero or more",
            "schema.properties.b.minimum must be a number",
            "schema.properties.b.multipleOf must be a number above zero",
            "schema.properties.c.uniqueItems must be a boolean",
            "schema.properties.c.prefixItems must be a non-empty array of schemas",
            "schema.properties.d.minimum requires type or oneOf",
            "schema.properties.e.pattern cannot be used: unclosed group",
            "schema.properties.f cannot declare both $ref and type",
            "schema.properties.f.$ref must be \"#\" or name a schema in $defs of this document",
            "schema.properties.g.type must be a single type string (type arrays are not supported)",
            "schema.properties.h.if is not a supported keyword (subset: type/oneOf/properties/\
             required/additionalProperties/items/enum/const + annotations)",
            "schema.properties.i.$defs is only supported at the root",
            "schema.properties.i.additionalProperties must be a boolean or a schema",
        ],
    );
}

#[test]
fn a_reference_that_leads_nowhere_is_refused() {
    refuse(
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/b"}, {"type": "null"}]}, "b": {"$ref": "#/$defs/a"}}}),
        &["schema.$defs.a leads to itself without anything in between"],
    );
    refuse(
        json!({"$ref": "https://example.com/x"}),
        &["schema.$ref must be \"#\" or name a schema in $defs of this document"],
    );
}

#[test]
fn a_deep_schema_costs_no_stack() {
    const DEPTH: usize = 20_000;
    let small = std::thread::Builder::new().stack_size(256 * 1024);
    let deep = small.spawn(|| {
        let mut text = json!({"type": "string"});
        let mut value = json!("x");
        for _ in 0..DEPTH {
            // `json!` would write what it is given by the stack.
            let outer = [("type".to_owned(), json!("array")), ("items".to_owned(), text)];
            text = Value::Object(outer.into_iter().collect());
            value = Value::Array(vec![value]);
        }
        let schema = ValueSchema::parse(&text).unwrap();
        assert!(schema.is_valid(&value));
        let mut shown = schema.to_json();
        drop(schema);
        // `Value` drops recursively; taking it apart from the outside does not.
        for value in [&mut shown, &mut text] {
            while let Some(inner) = value.get_mut("items") {
                *value = inner.take();
            }
        }
        while let Value::Array(mut items) = value {
            value = items.pop().unwrap_or(Value::Null);
        }
    });
    deep.unwrap().join().unwrap();
}

/// Two branches that both look at the same part, and so again at every level below it.
#[test]
fn branches_that_lead_to_the_same_part_look_at_it_once() {
    let branch = |name: &str| {
        json!({
            "type": "object",
            "properties": {"child": {"$ref": "#/$defs/Node"}, (name): {"type": "integer"}},
            "required": [name],
        })
    };
    let schema = |keyword: &str| {
        ValueSchema::parse(&json!({
            "$ref": "#/$defs/Node",
            "$defs": {"Node": {(keyword): [branch("a"), branch("b"), {"type": "null"}]}},
        }))
        .unwrap()
    };
    let nested = |innermost: Value| {
        (0..100).fold(innermost, |child, _| json!({"child": child, "a": 1, "b": 1}))
    };
    let (any_of, one_of) = (schema("anyOf"), schema("oneOf"));
    assert!(any_of.is_valid(&nested(json!({"b": 1}))));
    assert!(!any_of.is_valid(&nested(json!({"c": 1}))));
    assert!(!one_of.is_valid(&nested(json!({"b": 1}))));
    let violations = any_of.validate(&nested(json!({"c": 1})), "value");
    assert_eq!(violations.len(), 1);
    assert_eq!(violations[0].text, "\"value\" must match at least one anyOf branch");
}
