//! One request to run a tool.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::json::{Held, is_lossless, read, to_text};

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
#[derive(Clone)]
pub struct Arguments(Arc<Parts>);

struct Parts {
    text: Option<Box<str>>,
    /// Text is read when the value is asked for first; a body that takes typed arguments does not.
    read: OnceLock<Read>,
}

struct Read {
    value: Held,
    unreadable: Option<String>,
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
        self.read().value.value()
    }

    /// The text as it was sent, if the arguments came as text.
    pub fn text(&self) -> Option<&str> {
        self.0.text.as_deref()
    }

    /// The text as it was sent; of arguments that came as a value, its JSON.
    pub(crate) fn to_text(&self) -> Cow<'_, str> {
        match self.text() {
            Some(text) => text.into(),
            None => to_text(self.value()).into(),
        }
    }

    /// Why the text is not JSON, with line and column, if it is not.
    pub fn unreadable(&self) -> Option<&str> {
        self.read().unreadable.as_deref()
    }

    /// Whether writing the value and reading it back gives the value.
    ///
    /// In text only a negative zero would not come back, and most text has none.
    pub(crate) fn is_lossless(&self) -> bool {
        match self.text() {
            Some(text) if !text.contains("-0") => true,
            _ => is_lossless(self.value()),
        }
    }

    /// The text, if nobody asked for the value yet.
    pub(crate) fn unread_text(&self) -> Option<&str> {
        self.0.read.get().is_none().then(|| self.text()).flatten()
    }

    fn read(&self) -> &Read {
        self.0.read.get_or_init(|| {
            let text = self.text().unwrap_or_default();
            match read(if text.is_empty() { "{}" } else { text }) {
                Ok(value) => Read { value, unreadable: None },
                Err(error) => Read {
                    value: Held::from(Value::from(text)),
                    unreadable: Some(error.to_string()),
                },
            }
        })
    }
}

impl Default for Arguments {
    fn default() -> Self {
        Value::Object(serde_json::Map::new()).into()
    }
}

impl PartialEq for Arguments {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() && self.value() == other.value()
    }
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => text.fmt(f),
            None => self.value().fmt(f),
        }
    }
}

impl From<&str> for Arguments {
    fn from(text: &str) -> Self {
        Self(Arc::new(Parts { text: Some(text.into()), read: OnceLock::new() }))
    }
}

impl From<String> for Arguments {
    fn from(text: String) -> Self {
        Self(Arc::new(Parts { text: Some(text.into()), read: OnceLock::new() }))
    }
}

impl From<Value> for Arguments {
    fn from(value: Value) -> Self {
        let read = Read { value: Held::from(value), unreadable: None };
        Self(Arc::new(Parts { text: None, read: OnceLock::from(read) }))
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
        match self.text() {
            Some(text) => text.serialize(serializer),
            None => self.value().serialize(serializer),
        }
    }
}
