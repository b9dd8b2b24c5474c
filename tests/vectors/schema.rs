//! The vectors of schemas: compiling the DSL, reading JSON Schema, checking values and arguments.

use dsh_tools::schema::{SchemaError, ValueSchema, Vocabulary};
use dsh_tools::{CallOptions, ToolCall, ToolDefinition, ToolRegistry};
use serde_json::{Value, json};

use super::tree::Tree;
use super::{Verdict, compare};

pub(crate) fn compile(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let Some(spec) = Tree::read(input, "spec") else { return unreadable(expect) };
    let compiled = match input["kind"].as_str() {
        Some("parameters") => ValueSchema::compile_parameters(spec.value()),
        _ => ValueSchema::compile(spec.value()),
    };
    match compiled {
        Ok(schema) => match Tree::read(expect, "schema") {
            Some(expected) => compare(&schema.to_json().into(), &expected),
            None => Verdict::Differs("it compiles".to_owned()),
        },
        Err(error) => compare_error(&error, expect),
    }
}

pub(crate) fn support(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let Some(schema) = Tree::read(input, "schema") else { return unreadable(expect) };
    let parsed = ValueSchema::parse_as(schema.value(), Vocabulary::Strict);
    let parsed = match input["root"].as_str() {
        Some("object") => parsed.and_then(ValueSchema::into_object_root),
        _ => parsed,
    };
    match parsed {
        Ok(read) if expect["ok"] == true => compare(&read.to_json().into(), &schema),
        Ok(_) => Verdict::Differs("it is accepted".to_owned()),
        Err(error) => compare_error(&error, expect),
    }
}

pub(crate) fn validate(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let (Some(schema), Some(value)) = (Tree::read(input, "schema"), Tree::read(input, "value"))
    else {
        return unreadable(expect);
    };
    let schema = match ValueSchema::parse_as(schema.value(), Vocabulary::Strict) {
        Ok(schema) => schema,
        Err(error) => return Verdict::Differs(error.to_string()),
    };
    let root = input.get("path").and_then(Value::as_str).unwrap_or("value");
    let found: Vec<_> =
        schema.validate(value.value(), root).into_iter().map(|violation| violation.text).collect();
    compare(&json!(found).into(), &Tree::expand(&expect["violations"]))
}

pub(crate) fn validate_args(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let (Some(parameters), Some(arguments)) =
        (Tree::read(input, "parameters"), Tree::read(input, "arguments"))
    else {
        return unreadable(expect);
    };
    let schema = match ValueSchema::compile_parameters(parameters.value()) {
        Ok(schema) => schema,
        Err(error) => return Verdict::Differs(error.to_string()),
    };
    let tool =
        ToolDefinition::from_fn("probe", "Probes.", schema, |_, _| async { Ok(json!(null)) });
    let registry = ToolRegistry::builder().tool(tool).build().expect("the tool is right");
    let call = ToolCall::new("c1", "probe", arguments.value().clone());
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let completed = runtime.block_on(registry.execute(call, CallOptions::new()));
    let found = match completed.result().error() {
        None => json!({"ok": true}),
        Some(error) => {
            let violations: Vec<_> = error.violations().iter().map(|v| v.text.clone()).collect();
            let info = error.info();
            json!({
                "ok": false,
                "violations": violations,
                "error": {
                    "name": info.map(|info| info.name.clone()),
                    "code": error.code().map(ToString::to_string),
                    "message": error.message(),
                },
                "content": completed.result().content(),
            })
        }
    };
    compare(&found.into(), &Tree::expand(expect))
}

/// Text that is no JSON for us: the vectors that have such are about readers that take it.
fn unreadable(expect: &Value) -> Verdict {
    Verdict::Differs(format!("the text is not JSON here, expected {expect}"))
}

fn compare_error(error: &SchemaError, expect: &Value) -> Verdict {
    let mut found = json!({
        "name": error.name(),
        "code": error.code().to_string(),
        "message": error.to_string(),
        "violations": error.violations(),
    });
    // A vector leaves out what would be too long to write.
    if expect["error"].get("message").is_none()
        && let Some(found) = found.as_object_mut()
    {
        found.shift_remove("message");
    }
    compare(&found.into(), &Tree::expand(&expect["error"]))
}
