//! Schema shapes that clients and providers refuse.

use dsh_tools::prelude::*;
use dsh_tools::schema::ValueSchema;
use dsh_tools::{Arguments, CallOptions, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// How to go.
#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
enum Speed {
    /// With care.
    VerySlow,
    Fast,
}

#[derive(Serialize, Deserialize, Schema)]
struct Inner {
    deep: Vec<Option<Value>>,
}

/// All that others stumble over.
#[derive(Serialize, Deserialize, Schema)]
#[serde(rename_all = "camelCase")]
struct Everything {
    any: Value,
    maybe_any: Option<Value>,
    many: Vec<Value>,
    unsigned: u64,
    size: usize,
    small: u8,
    float: f64,
    wide: i128,
    text: Option<String>,
    /// How fast it is to go.
    speed: Speed,
    maybe_speed: Option<Speed>,
    /// The inside.
    inner: Inner,
    page_size: Option<u16>,
}

/// Visits every schema inside a schema.
fn nodes(schema: &Value, visit: &mut impl FnMut(&Value)) {
    visit(schema);
    for key in ["items", "additionalProperties"] {
        if let Some(child) = schema.get(key).filter(|child| child.is_object()) {
            nodes(child, visit);
        }
    }
    for key in ["properties", "$defs"] {
        for child in
            schema.get(key).and_then(Value::as_object).into_iter().flat_map(|map| map.values())
        {
            nodes(child, visit);
        }
    }
    for key in ["anyOf", "oneOf", "allOf"] {
        for child in schema.get(key).and_then(Value::as_array).into_iter().flatten() {
            nodes(child, visit);
        }
    }
}

#[test]
fn case_1_no_schema_is_a_boolean() {
    let schema = Everything::SCHEMA.to_json();
    let mut count = 0;
    nodes(&schema, &mut |node| {
        count += 1;
        assert!(node.is_object(), "{node}");
    });
    assert!(count > 15);
    assert_eq!(schema["properties"]["any"], json!({}));
    assert_eq!(schema["properties"]["many"], json!({"type": "array", "items": {}}));
}

#[test]
fn case_2_and_4_no_number_has_a_format_and_nothing_is_nullable() {
    nodes(&Everything::SCHEMA.to_json(), &mut |node| {
        assert_eq!((node.get("format"), node.get("nullable")), (None, None));
    });
    let schema = Everything::SCHEMA.to_json();
    assert_eq!(schema["properties"]["unsigned"]["minimum"], 0);
    assert_eq!(schema["properties"]["small"]["maximum"], 255);
}

#[test]
fn case_3_an_option_is_a_plain_property_that_may_be_missing_or_null() {
    #[derive(Deserialize, Schema)]
    struct One {
        d: Option<String>,
    }

    let schema = Everything::SCHEMA.to_json();
    assert_eq!(schema["properties"]["text"], json!({"type": "string"}));
    assert!(!schema["required"].as_array().unwrap().contains(&json!("text")));
    nodes(&schema, &mut |node| assert!(!node["type"].is_array()));

    for value in [json!({}), json!({"d": null})] {
        assert!(One::SCHEMA.is_valid(&value));
        assert_eq!(One::deserialize(value).unwrap().d, None);
    }
}

#[test]
fn case_5_and_7_nested_types_stand_inline_with_the_text_of_the_field() {
    let schema = Everything::SCHEMA.to_json();
    nodes(&schema, &mut |node| assert_eq!(node.get("$ref"), None));
    assert_eq!(schema["properties"]["inner"]["description"], "The inside.");
    assert_eq!(schema["properties"]["inner"]["type"], "object");
}

#[test]
fn case_6_a_unit_enum_is_a_list_of_texts_with_what_they_mean() {
    let schema = Everything::SCHEMA.to_json();
    assert_eq!(
        schema["properties"]["speed"],
        json!({
            "type": "string",
            "description": "How fast it is to go.\n- `very_slow`: With care.",
            "enum": ["very_slow", "fast"],
        })
    );
    assert_eq!(schema["properties"]["maybeSpeed"]["enum"], json!(["very_slow", "fast"]));
}

#[test]
fn case_15_the_root_has_no_dialect_and_is_an_object() {
    let schema = Everything::SCHEMA.to_json();
    assert_eq!(schema.get("$schema"), None);
    assert_eq!(schema["type"], "object");
}

#[test]
fn case_13_every_property_says_what_it_is_but_one_that_takes_anything() {
    let schema = Everything::SCHEMA.to_json();
    let properties = schema["properties"].as_object().unwrap();
    let untyped: Vec<_> = properties.iter().filter(|(_, p)| p.get("type").is_none()).collect();
    assert_eq!(untyped.iter().map(|(name, _)| &***name).collect::<Vec<_>>(), ["any", "maybeAny"]);
    for (_, property) in properties.iter().filter(|(_, p)| p["type"] == "array") {
        assert!(property.get("items").is_some(), "{property}");
    }
}

#[test]
fn case_14_a_format_is_kept_by_us_whoever_drops_it() {
    #[derive(Debug, Deserialize, Schema)]
    struct Fetch {
        url: url::Url,
    }

    // A provider may be shown the text without the format, as it is our check that counts.
    assert_eq!(
        Fetch::SCHEMA.to_json()["properties"]["url"],
        json!({"type": "string", "format": "uri"})
    );
    let decode = |url: &str| Arguments::from(json!({ "url": url })).decode::<Fetch>();
    assert_eq!(decode("https://example.com/a").unwrap().url.path(), "/a");
    let error = decode("no url").unwrap_err();
    assert_eq!(error.to_string(), "invalid arguments: \"url\" must be in the format uri");
}

#[test]
fn case_16_what_a_strict_provider_sends_is_accepted() {
    #[derive(Deserialize, Schema)]
    struct Strict {
        inner: Closed,
        limit: Option<u8>,
    }
    #[derive(Deserialize, Schema)]
    struct Closed {
        name: Option<String>,
    }

    // Closed at every level, and an optional key may be there as null.
    nodes(&Strict::SCHEMA.to_json(), &mut |node| {
        if node["type"] == "object" {
            assert_eq!(node["additionalProperties"], false, "{node}");
        }
    });
    let sent = json!({"inner": {"name": null}, "limit": null});
    let strict = Arguments::from(sent).decode::<Strict>().unwrap();
    assert_eq!((strict.inner.name, strict.limit), (None, None));
}

#[tokio::test]
async fn case_18_a_result_that_is_no_object_keeps_its_own_schema_and_value() {
    /// Counts.
    #[tool(register = false)]
    fn count() -> Vec<i32> {
        vec![1, 2]
    }

    // Whoever speaks an older protocol wraps both; nothing here has wrapped them before.
    let definition = ToolDefinition::of(count).unwrap();
    assert_eq!(definition.output().to_json()["type"], "array");
    let registry = ToolRegistry::builder().function(count).build().unwrap();
    let call = ToolCall::new("c1", "count", "{}");
    let completed = registry.execute(call, CallOptions::new()).await;
    let value = completed.result().value().unwrap();
    assert_eq!(value, &json!([1, 2]));
    assert!(definition.output().is_valid(value));
}

#[test]
fn case_21_tagged_enums_in_tagged_enums_grow_with_what_they_say() {
    #[derive(Serialize, Deserialize, Schema)]
    #[serde(tag = "kind")]
    enum Shape {
        Circle(Circle),
        Line(Line),
    }
    #[derive(Serialize, Deserialize, Schema)]
    #[serde(tag = "on")]
    enum Step {
        Draw { shape: Shape },
        Erase { shape: Shape },
        Wait,
    }
    #[derive(Serialize, Deserialize, Schema)]
    struct Circle {
        radius: f64,
    }
    #[derive(Serialize, Deserialize, Schema)]
    struct Line {
        length: f64,
    }

    let size = |schema: &ValueSchema| schema.to_json().to_string().len();
    let (inner, outer) = (size(Shape::SCHEMA), size(Step::SCHEMA));
    // Each variant is written once for each place it may stand in, and adds its tag.
    assert!(inner <= size(Circle::SCHEMA) + size(Line::SCHEMA) + 150, "{inner}");
    assert!(outer <= 2 * inner + 450, "{outer} of {inner}");
}

#[test]
fn case_20_names_are_those_that_serde_reads() {
    let schema = Everything::SCHEMA.to_json();
    assert!(schema["properties"].get("pageSize").is_some());
    assert!(schema["properties"].get("page_size").is_none());
    assert!(serde_json::from_value::<Speed>(json!("very_slow")).is_ok());
    assert!(Speed::SCHEMA.is_valid(&json!("very_slow")));
    assert!(!Speed::SCHEMA.is_valid(&json!("VerySlow")));
}
