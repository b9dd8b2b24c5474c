//! The schema accepts a value if and only if serde does.
//!
//! A family of types, every shape with every kind of field in it, is tried with values that are
//! valid and with what becomes of these when one place of them is changed. What the schema accepts
//! has to decode; what serde accepts has to fit, but where the schema is stricter on purpose: it
//! refuses keys that nobody declared, and forms that no model writes (`stricter.rs`).

mod change;
mod kinds;
mod shapes;
mod stricter;

use dsh_tools::{
    Arguments, CallOptions, Schema, ToolCall, ToolDefinition, ToolError, ToolRegistry,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::change::{Change, changes};

/// A type of a tool.
trait Owned: Schema + Serialize + DeserializeOwned + Send + 'static {}

impl<T: Schema + Serialize + DeserializeOwned + Send + 'static> Owned for T {}

/// No arguments.
#[derive(Deserialize, Schema)]
struct Nothing {}

/// A kind of field.
trait Kind {
    /// JSON of values, two or more.
    const VALID: &'static [&'static str];

    fn sample() -> Self;
}

/// How many changes of one valid value are tried, taken at even distances; trying all of them finds
/// no more and takes twice as long.
const CHANGES: usize = 32;

/// Tries a type. In the texts of its valid values, `"$0"` and `"$1"` stand for values of the kind.
#[track_caller]
fn check<T: Owned, K: Kind>(name: &str, valid: &[&str]) {
    for (round, text) in valid.iter().cycle().take(valid.len().max(2)).enumerate() {
        let of = |place: usize| K::VALID[(place + round) % K::VALID.len()];
        let text = text.replace("\"$0\"", of(0)).replace("\"$1\"", of(1));
        let value: Value = serde_json::from_str(&text).unwrap();
        check_valid::<T>(name, &value);
        let changes = changes(&value);
        let step = changes.len().div_ceil(CHANGES).max(1);
        for Change { value, is_exact } in changes.into_iter().skip(round % step).step_by(step) {
            check_changed::<T>(name, &value, is_exact);
        }
    }
}

/// A valid value fits and decodes, and so does what becomes of it when it is written.
#[track_caller]
fn check_valid<T: Owned>(name: &str, value: &Value) {
    assert_eq!(T::SCHEMA.validate(value, ""), [], "{name} refuses {value}");
    match T::deserialize(value) {
        Ok(read) => {
            let written = serde_json::to_value(&read).unwrap();
            assert_eq!(T::SCHEMA.validate(&written, ""), [], "{name} writes {written}");
        }
        Err(error) => panic!("{name}: serde refuses {value}: {error}"),
    }
    if let Err(error) = Arguments::from(value.clone()).decode::<T>() {
        panic!("{name} does not read {value}: {error:?}");
    }
    check_result::<T>(name, value);
}

/// What a tool gives is what serde writes of it, as a value and as the text that a model reads.
#[track_caller]
fn check_result<T: Owned>(name: &str, value: &Value) {
    let given = value.clone();
    let tool = ToolDefinition::typed("t", "T.", move |_: Nothing, _| {
        let given = T::deserialize(&given);
        async move { given.map_err(ToolError::from) }
    });
    let registry = ToolRegistry::builder().tool(tool).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let call = ToolCall::new("1", "t", "{}");
    let completed = runtime.block_on(registry.execute(call, CallOptions::new()));
    let result = completed.result();

    let text = serde_json::to_string(&T::deserialize(value).unwrap()).unwrap();
    let written: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result.value(), Some(&written), "{name} gives {value}: {result:?}");
    // Keys that are written twice are only in the text of serde.
    let read = match &written {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    assert_eq!(result.content().to_string(), read, "{name} shows {value}");
}

/// Compares what the schema and serde say of a value.
#[track_caller]
fn check_changed<T: Schema + DeserializeOwned>(name: &str, value: &Value, is_exact: bool) {
    let violations = T::SCHEMA.validate(value, "");
    let fits = violations.is_empty();
    assert_eq!(T::SCHEMA.is_valid(value), fits, "{name}: is_valid of {value}");
    // No arguments at all are those of a tool that needs none.
    if value.is_null() {
        return;
    }
    match Arguments::from(value.to_string()).decode::<T>() {
        Ok(_) => assert!(fits, "{name} decodes {value}, which does not fit: {violations:?}"),
        Err(error) => assert!(!fits, "{name} accepts {value}, which cannot be read: {error:?}"),
    }
    if is_exact && !fits {
        assert!(
            T::deserialize(value).is_err(),
            "{name} refuses {value}, which serde accepts: {violations:?}"
        );
    }
}
