//! The author's function, erased: what it is handed, and how arguments become its types.

use std::borrow::Cow;
use std::pin::Pin;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::context::ToolContext;
use crate::definition::ToolDefinition;
use crate::json;
use crate::model::{Arguments, ToolError, ToolResult};
use crate::schema::{self, Property, Schema, Streamed, ValueSchema, Violation};

/// A body under way.
pub type BodyFuture = Pin<Box<dyn Future<Output = ToolResult<Output>> + Send>>;

/// What a body gave.
#[derive(Debug)]
pub enum Output {
    /// A value that nobody looked at yet.
    Value(Value),
    /// Compact text, checked against the schema of the output while it was written.
    Written(String),
}

impl Output {
    /// What the body of a tool gave; as text, where nobody looks at the value and its check is done in
    /// passing.
    ///
    /// # Errors
    /// JSON would not give the value back as it is.
    pub(crate) fn of<T: Serialize>(tool: &ToolDefinition, value: &T) -> ToolResult<Self> {
        let text = if tool.is_plain() { schema::encode(tool.output(), value) } else { None };
        match text {
            Some(text) => Ok(Self::Written(text)),
            None => to_value(value).map(Self::Value),
        }
    }
}

impl From<Value> for Output {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// What a body is handed: the call from the inside.
#[derive(Debug)]
pub struct BodyCall {
    pub(crate) cx: ToolContext,
    /// The tool whose body this is.
    pub(crate) tool: ToolDefinition,
}

/// The author's function behind one signature; functions and closures implement it.
pub(crate) trait Body: Send + Sync {
    fn start(&self, call: BodyCall) -> BodyFuture;
}

impl<F: Fn(BodyCall) -> BodyFuture + Send + Sync> Body for F {
    fn start(&self, call: BodyCall) -> BodyFuture {
        self(call)
    }
}

impl BodyCall {
    /// The arguments as they came.
    pub(crate) fn arguments(&self) -> &Arguments {
        self.cx.execution.raw_arguments()
    }

    /// The arguments as a Rust value.
    pub(crate) fn decode<T: Schema + DeserializeOwned>(&self) -> ToolResult<T> {
        self.arguments().decode()
    }

    /// The arguments after the check against a schema, in the words of the specification.
    pub(crate) fn checked(&self, schema: &ValueSchema) -> ToolResult<Value> {
        self.arguments().checked(schema, false).map(|value| json::copy(&value))
    }
}

impl Arguments {
    /// The arguments as a Rust value, checked against the schema of its type.
    ///
    /// Valid arguments are read and checked in one pass. Where that finds something wrong, or
    /// cannot tell, the check against the schema lists every violation; what serde says is only
    /// told where the schema could not.
    ///
    /// # Errors
    /// `INVALID_ARGS` with every violation.
    ///
    /// # Examples
    /// ```
    /// use dsh_tools::Arguments;
    ///
    /// assert_eq!(Arguments::from("[1, 2]").decode::<Vec<u8>>().unwrap(), [1, 2]);
    /// let error = Arguments::from("[1, 256, -1]").decode::<Vec<u8>>().unwrap_err();
    /// assert_eq!(error.violations().len(), 2);
    /// ```
    pub fn decode<T: Schema + DeserializeOwned>(&self) -> ToolResult<T> {
        match self.stream::<T>() {
            Streamed::Valid(value) => return Ok(value),
            Streamed::Unsure(value) => {
                self.checked(T::SCHEMA, true)?;
                return Ok(value);
            }
            Streamed::Invalid => {}
        }
        let value = self.checked(T::SCHEMA, true)?;
        if !json::is_shallow(&value) {
            return Err(invalid("\"arguments\" must not be deeper than 128 levels".to_owned()));
        }
        decode(&value).map_err(|error| invalid(format!("\"arguments\" cannot be read: {error}")))
    }

    fn stream<T: Schema + DeserializeOwned>(&self) -> Streamed<T> {
        match self.unread_text() {
            None if json::is_shallow(self.value()) => schema::decode(T::SCHEMA, self.value()),
            None => Streamed::Invalid,
            Some("") => schema::decode(T::SCHEMA, &mut serde_json::Deserializer::from_str("{}")),
            Some(text) => {
                let mut deserializer = serde_json::Deserializer::from_str(text);
                let streamed = schema::decode(T::SCHEMA, &mut deserializer);
                if deserializer.end().is_ok() { streamed } else { Streamed::Invalid }
            }
        }
    }

    /// The arguments after the check against a schema, with hints for a model or without.
    fn checked(&self, schema: &ValueSchema, hints: bool) -> ToolResult<Cow<'_, Value>> {
        let value = self.value();
        if hints
            && value.is_null()
            && schema.is_object()
            && !schema.properties().any(Property::is_required)
        {
            return Ok(Cow::Owned(Value::Object(serde_json::Map::new())));
        }
        let mut violations = schema.validate(value, "");
        if violations.is_empty() {
            return Ok(Cow::Borrowed(value));
        }
        if !hints {
            violations.iter_mut().for_each(Violation::drop_hint);
        } else if let (Some(why), [violation]) = (self.unreadable(), &mut *violations) {
            violation.hint = Some(format!("the text sent is not JSON: {why}"));
        }
        Err(ToolError::invalid_arguments(violations))
    }
}

/// What a body gave as JSON; a value that JSON would not give back is no valid output.
pub(crate) fn to_value<T: Serialize>(value: &T) -> ToolResult<Value> {
    json::write(value).map_err(|lossy| {
        tracing::warn!("the value of a tool is not lossless JSON: {lossy}");
        ToolError::lossy_output()
    })
}

fn invalid(text: String) -> ToolError {
    ToolError::invalid_arguments(vec![Violation { text, hint: None }])
}

/// A JSON value as a Rust value.
///
/// JSON has one kind of number: `3.0` is the integer 3, which serde only sees when it is told so.
pub(crate) fn decode<T: DeserializeOwned>(value: &Value) -> serde_json::Result<T> {
    T::deserialize(value).or_else(|error| {
        let mut integral = value.clone();
        if make_integral(&mut integral) { T::deserialize(integral) } else { Err(error) }
    })
}

/// Writes floats without a fraction as integers where that is exact; tells if there was one.
#[expect(clippy::cast_possible_truncation, reason = "checked to be within range and integral")]
fn make_integral(value: &mut Value) -> bool {
    let mut changed = false;
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Number(number) if number.is_f64() => {
                // 2^63 is the first float beyond i64; all floats below it that are whole fit.
                let whole = number.as_f64().filter(|float| {
                    float.fract() == 0.0
                        && (-9.223_372_036_854_776e18..9.223_372_036_854_776e18).contains(float)
                });
                if let Some(whole) = whole {
                    *value = Value::from(whole as i64);
                    changed = true;
                }
            }
            Value::Array(items) => todo.extend(items),
            Value::Object(members) => todo.extend(members.values_mut()),
            _ => {}
        }
    }
    changed
}
