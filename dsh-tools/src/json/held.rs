//! A value that may be deep, dropped without using the stack.

use serde_json::Value;

use super::deep::{copy, is_shallow};

/// A value that is dropped from the outside in, however deep it is.
#[derive(Debug, PartialEq)]
pub(crate) struct Held(Value);

impl Held {
    pub(crate) fn value(&self) -> &Value {
        &self.0
    }
}

impl Clone for Held {
    fn clone(&self) -> Self {
        Self(copy(&self.0))
    }
}

impl From<Value> for Held {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if is_shallow(&self.0) {
            return;
        }
        let mut todo = vec![self.0.take()];
        while let Some(value) = todo.pop() {
            match value {
                Value::Array(items) => todo.extend(items),
                Value::Object(members) => todo.extend(members.into_iter().map(|(_, value)| value)),
                _ => {}
            }
        }
    }
}
