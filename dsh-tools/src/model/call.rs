//! One request to run a tool.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::json::{Held, read};

/// One request to run a tool, as it came from a model or a program.
///
/// ```
/// use dsh_tools::ToolCall;
///
/// let call = ToolCall::new("call_1", "grep", r#"{"pattern": "fn main"}"#);
/// assert_eq!(call.arguments.value()["pattern"], "fn main");
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Identity of this call; results are matched to calls by it.
    pub id: String,
    /// The tool that is wanted.
    pub name: String,
    /// The arguments as they were sent. Default: none, which reads as `{}`.
    #[serde(default)]
    pub arguments: Arguments,
}

/// The arguments of a call: the text a model wrote and the value it stands for.
///
/// Empty text is `{}`. Text that is not JSON is kept as a string value, so that it reaches the
/// check of the arguments and never runs a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Arguments {
    text: Option<Arc<str>>,
    value: Arc<Held>,
    unreadable: Option<Arc<str>>,
}

impl ToolCall {
    /// A call with arguments as text or as a JSON value.
    pub fn new(
        id: impl Into<String>,
        name: impl Into<String>,
        arguments: impl Into<Arguments>,
    ) -> Self {
        Self { id: id.into(), name: name.into(), arguments: arguments.into() }
    }
}

impl Arguments {
    /// The value; for text that is not JSON, a string of that text.
    pub fn value(&self) -> &Value {
        self.value.value()
    }

    /// The text as it was sent, if the arguments came as text.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// Why the text is not JSON, with line and column, if it is not.
    pub fn unreadable(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Value::Object(serde_json::Map::new()).into()
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        let (value, unreadable) = match read(if text.is_empty() { "{}" } else { text }) {
            Ok(value) => (value, None),
            Err(error) => (Held::from(Value::from(text)), Some(error.to_string().into())),
        };
        Self { text: Some(text.into()), value: Arc::new(value), unreadable }
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        Self { text: None, value: Arc::new(Held::from(value)), unreadable: None }
    }
}

/// Text as text, a value as the value: `"arguments": "{…}"` and `"arguments": {…}` are both read.
impl<'de> Deserialize<'de> for Arguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(match Value::deserialize(deserializer)? {
            Value::String(text) => text.into(),
            value => value.into(),
        })
    }
}

impl Serialize for Arguments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.text {
            Some(text) => text.serialize(serializer),
            None => self.value().serialize(serializer),
        }
    }
}
