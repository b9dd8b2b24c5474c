//! JSON that is kept as the text it was written as, until somebody reads it.

use std::sync::OnceLock;

use serde_json::Value;

use super::held::Held;
use super::read::read;

/// A JSON document, as text or as a value.
///
/// What a tool gives is written once; most of it goes out as it is, and no value is made of it.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    text: Option<String>,
    value: OnceLock<Held>,
}

impl Document {
    /// A document that was written as text here, and so is JSON.
    pub(crate) fn written(text: String) -> Self {
        Self { text: Some(text), value: OnceLock::new() }
    }

    /// The value; read when it is asked for first.
    pub(crate) fn value(&self) -> &Value {
        let read =
            || read(self.text.as_deref().unwrap_or("null")).expect("what was written is JSON");
        self.value.get_or_init(read).value()
    }
}

impl From<Value> for Document {
    fn from(value: Value) -> Self {
        Self { text: None, value: OnceLock::from(Held::from(value)) }
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.value() == other.value()
    }
}
