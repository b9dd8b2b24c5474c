//! `schema!`: the author's form as a constant, the same as what the form compiles to as data.

use dsh_tools::schema;
use dsh_tools::schema::ValueSchema;
use serde_json::{Value, json};

const EVERYTHING: ValueSchema = schema!(parameters {
    text: { type: string, required: true, description: "A text.", title: "Text" },
    mode: { type: string, enum: ["a", "b"], default: "a" },
    number: { type: number, examples: [1, 2.5] },
    count: { type: integer, required: true },
    flag: { type: boolean, default: false },
    nothing: { type: null },
    any: { type: json, description: "Anything." },
    list: { type: array, items: { type: array } },
    "odd-name": { type: object, additionalProperties: true },
    inner: {
        type: object,
        required: true,
        additionalProperties: false,
        properties: {
            either: { oneOf: [{ type: string }, { type: integer }], required: true, title: "E" },
            deep: { type: object, additionalProperties: false, properties: {} },
        },
        description: "Inside.",
    },
});

fn as_data() -> Value {
    json!({
        "text": {"type": "string", "required": true, "description": "A text.", "title": "Text"},
        "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
        "number": {"type": "number", "examples": [1, 2.5]},
        "count": {"type": "integer", "required": true},
        "flag": {"type": "boolean", "default": false},
        "nothing": {"type": "null"},
        "any": {"type": "json", "description": "Anything."},
        "list": {"type": "array", "items": {"type": "array"}},
        "odd-name": {"type": "object", "additionalProperties": true},
        "inner": {
            "type": "object",
            "required": true,
            "additionalProperties": false,
            "properties": {
                "either": {
                    "oneOf": [{"type": "string"}, {"type": "integer"}], "required": true, "title": "E",
                },
                "deep": {"type": "object", "additionalProperties": false, "properties": {}},
            },
            "description": "Inside.",
        },
    })
}

#[test]
fn the_constant_is_what_the_data_compiles_to() {
    let compiled = ValueSchema::compile_parameters(&as_data()).unwrap();
    assert_eq!(EVERYTHING.to_json().to_string(), compiled.to_json().to_string());
    assert_eq!(EVERYTHING, compiled);
}

#[test]
fn rules_beyond_the_strict_subset_can_be_written() {
    const RULES: ValueSchema = schema!({
        type: object,
        additionalProperties: false,
        properties: {
            n: { type: integer, minimum: -1, maximum: 10 },
            f: { type: number, exclusiveMinimum: 0.5, multipleOf: 0.25 },
            s: { type: string, minLength: 1, maxLength: 3, pattern: "^x", format: "ipv4" },
            a: { type: array, items: { type: boolean }, minItems: 1, maxItems: 2 },
        },
    });
    let shown = RULES.to_json();
    assert_eq!(shown["properties"]["n"], json!({"type": "integer", "minimum": -1, "maximum": 10}));
    assert_eq!(
        shown["properties"]["f"],
        json!({"type": "number", "exclusiveMinimum": 0.5, "multipleOf": 0.25})
    );
    assert_eq!(ValueSchema::parse(&shown).unwrap(), RULES);
    assert!(!RULES.is_valid(&json!({"n": -2})) && RULES.is_valid(&json!({"n": -1, "a": [true]})));
}
