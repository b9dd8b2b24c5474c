//! What JSON would not give back is refused, on the way in and on the way out.

use std::collections::BTreeMap;

use dsh_tools::{CallOptions, CallResult, Schema, ToolCall, ToolDefinition, ToolRegistry};
use fixtures::{Note, code, read};
use serde::Serialize;
use serde_json::{Value, json};

async fn gives<T: Schema + Serialize + Clone + Send + Sync + 'static>(value: T) -> CallResult {
    let tool = ToolDefinition::typed("give", "Gives.", move |_: Note, _| {
        let value = value.clone();
        async move { Ok(value) }
    });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = ToolCall::new("c1", "give", json!({"text": ""}));
    registry.execute(call, CallOptions::new()).await.into_result()
}

#[tokio::test]
async fn a_float_that_json_cannot_hold_is_an_invalid_output_and_not_null() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
        let result = gives(vec![Some(1.5), Some(value)]).await;
        assert_eq!(code(&result), Some("INVALID_TOOL_OUTPUT"));
        assert_eq!(
            read(&result),
            "Error: tool \"give\" returned invalid output: value is not lossless JSON"
        );
        assert_eq!(result.error().unwrap().info().unwrap().name, "ToolOutputError");
    }
    assert_eq!(code(&gives(f32::NAN).await), Some("INVALID_TOOL_OUTPUT"));
    assert_eq!(gives(0.1_f32).await.value(), Some(&json!(0.1)));
}

#[tokio::test]
async fn an_integer_beyond_64_bits_is_an_invalid_output() {
    assert_eq!(gives(u64::MAX).await.value(), Some(&json!(u64::MAX)));
    assert_eq!(gives(i64::MIN).await.value(), Some(&json!(i64::MIN)));
    assert_eq!(gives(i128::from(u64::MAX)).await.value(), Some(&json!(u64::MAX)));
    assert_eq!(code(&gives(u128::MAX).await), Some("INVALID_TOOL_OUTPUT"));
}

/// A map with keys that are no text, behind a schema that does not say so.
#[derive(Clone, Serialize)]
struct ByNumber(BTreeMap<u8, bool>);

impl Schema for ByNumber {
    const SCHEMA: &'static dsh_tools::schema::ValueSchema = Value::SCHEMA;
}

#[tokio::test]
async fn keys_have_to_be_text() {
    let result = gives(ByNumber(BTreeMap::from([(1, true)]))).await;
    assert_eq!(code(&result), Some("INVALID_TOOL_OUTPUT"));
}

async fn echo(arguments: &str) -> CallResult {
    let tool =
        ToolDefinition::from_fn("echo", "Echoes.", json!({}), |value, _| async { Ok(value) });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let call = ToolCall::new("c1", "echo", arguments);
    registry.execute(call, CallOptions::new()).await.into_result()
}

/// One row for each row of the table of lossless JSON (R-SCH-60 to R-SCH-67).
#[tokio::test]
async fn argument_text_is_read_without_loss() {
    let refused = "Error: tool execution arguments must be losslessly JSON-serializable";
    for text in ["-0", "-0.0", "{\"x\": [-0]}", "-0e5"] {
        assert_eq!(read(&echo(text).await), refused, "{text}");
    }
    // Integers stay exact up to 64 bits.
    for text in ["9007199254740993", "18446744073709551615", "-9223372036854775808"] {
        assert_eq!(read(&echo(text).await), text);
    }
    // A whole float is the integer; what no double holds is no JSON, and so a text.
    assert_eq!(echo("[3.0, 1e3]").await.value(), Some(&json!([3.0, 1000.0])));
    assert_eq!(echo("1e400").await.value(), Some(&json!("1e400")));
    assert_eq!(echo("\"\\ud800\"").await.value(), Some(&json!("\"\\ud800\"")));
    // The last of equal keys wins, at the place of the first; order is kept.
    assert_eq!(read(&echo(r#"{"b":1,"a":2,"b":3,"1":4}"#).await), r#"{"b":3,"a":2,"1":4}"#);
    assert_eq!(read(&echo(r#"{"__proto__":1}"#).await), r#"{"__proto__":1}"#);
    // Floats come back to the last digit.
    for text in ["0.1", "1.7976931348623157e308", "5e-324", "0.30000000000000004"] {
        let value: f64 = text.parse().unwrap();
        assert_eq!(echo(text).await.value(), Some(&json!(value)));
    }
}

#[test]
fn depth_costs_no_stack() {
    const DEPTH: usize = 100_000;
    let small = std::thread::Builder::new().stack_size(1024 * 1024);
    let deep = small.spawn(|| {
        let text = format!("{}1{}", "[{\"a\":".repeat(DEPTH / 2), "}]".repeat(DEPTH / 2));
        let call = ToolCall::new("c1", "nope", text);
        assert!(call.arguments.value().is_array());
        assert_eq!(call.arguments.unreadable(), None);
        // What breaks at the bottom is found, too, and what was read until then is dropped.
        for broken in [
            "[".repeat(DEPTH),
            format!("{}}}", "[[".repeat(DEPTH)),
            format!("{}1{} x", "[".repeat(DEPTH), "]".repeat(DEPTH)),
        ] {
            let call = ToolCall::new("c1", "nope", broken);
            assert!(call.arguments.unreadable().unwrap().contains("expected JSON at line 1"));
        }
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let registry = ToolRegistry::builder().build().unwrap();
        let completed = runtime.block_on(registry.execute(call, CallOptions::new()));
        assert_eq!(code(completed.result()), Some("UNKNOWN_TOOL"));
    });
    deep.unwrap().join().unwrap();
}

#[test]
fn deep_arguments_reach_a_body_that_takes_json_and_no_other() {
    const DEPTH: usize = 20_000;
    let small = std::thread::Builder::new().stack_size(1024 * 1024);
    let deep = small.spawn(|| {
        let text = format!("{{\"text\":{}1{}}}", "[".repeat(DEPTH), "]".repeat(DEPTH));
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let typed =
            ToolDefinition::typed("typed", "Takes a value.", |note: AnyNote, _| async move {
                Ok(note.text.is_array())
            });
        // The body owns the value, so it is its part to take it apart without the stack.
        let raw =
            ToolDefinition::from_fn("raw", "Takes JSON.", json!({}), |mut value, _| async move {
                let mut depth = 0;
                let mut inner = value["text"].take();
                while let Value::Array(mut items) = inner {
                    depth += 1;
                    inner = items.pop().unwrap_or(Value::Null);
                }
                Ok(json!(depth))
            });
        let registry = ToolRegistry::builder().tool(typed).tool(raw).build().unwrap();
        let run = |name: &str| {
            let call = ToolCall::new("c1", name, text.as_str());
            runtime.block_on(registry.execute(call, CallOptions::new())).into_result()
        };
        assert_eq!(run("raw").value(), Some(&json!(DEPTH)));
        assert_eq!(
            read(&run("typed")),
            "Error: invalid arguments: \"arguments\" must not be deeper than 128 levels"
        );
    });
    deep.unwrap().join().unwrap();
}

/// What `typed` takes.
#[derive(serde::Deserialize, Schema)]
struct AnyNote {
    text: Value,
}
