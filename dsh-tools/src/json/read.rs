//! Reads JSON text of any depth.

use serde_json::{Map, Value};

use super::held::Held;

/// The value of a JSON text, however deep it is.
///
/// `serde_json` reads it where it can. Its reader uses the stack and therefore stops at a depth of
/// 128; what is deeper is read here, with a stack of its own, a scalar at a time.
///
/// # Errors
/// The text is not JSON; the error says at which line and column.
pub(crate) fn read(text: &str) -> serde_json::Result<Held> {
    match serde_json::from_str::<Value>(text) {
        Err(error) if is_too_deep(&error) => Reader { text, at: 0 }.read(),
        read => read.map(Held::from),
    }
}

/// `serde_json` has no kind for it, so its text is all there is to know it by.
fn is_too_deep(error: &serde_json::Error) -> bool {
    error.is_syntax() && error.to_string().starts_with("recursion limit exceeded")
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

/// An array or object that is not closed yet.
enum Open {
    Array(Vec<Value>),
    Object(Map<String, Value>, String),
}

impl Reader<'_> {
    fn read(mut self) -> serde_json::Result<Held> {
        let mut open = Vec::new();
        let value = self.value(&mut open);
        // After an error, what was read so far may be deep, too.
        for unfinished in open {
            drop(Held::from(match unfinished {
                Open::Array(items) => Value::Array(items),
                Open::Object(members, _) => Value::Object(members),
            }));
        }
        let value = Held::from(value?);
        if self.peek().is_none() { Ok(value) } else { Err(self.error()) }
    }

    fn value(&mut self, open: &mut Vec<Open>) -> serde_json::Result<Value> {
        loop {
            let Some(mut value) = self.start(open)? else { continue };
            // A value is whole: give it to what it stands in, and close what ends behind it.
            loop {
                let closed = match open.last_mut() {
                    None => return Ok(value),
                    Some(Open::Array(items)) => {
                        items.push(value);
                        self.closes(b']')?
                    }
                    Some(Open::Object(members, key)) => {
                        members.insert(std::mem::take(key), value);
                        let closed = self.closes(b'}')?;
                        if !closed {
                            *key = self.key()?;
                        }
                        closed
                    }
                };
                if !closed {
                    break;
                }
                value = match open.pop() {
                    Some(Open::Array(items)) => items.into(),
                    Some(Open::Object(members, _)) => members.into(),
                    None => unreachable!("a container was closed"),
                };
            }
        }
    }

    /// A scalar or an empty container, or none after a container was opened.
    fn start(&mut self, open: &mut Vec<Open>) -> serde_json::Result<Option<Value>> {
        match self.peek() {
            Some(b'[') => {
                self.at += 1;
                if self.peek() == Some(b']') {
                    self.at += 1;
                    return Ok(Some(Value::Array(Vec::new())));
                }
                open.push(Open::Array(Vec::new()));
                Ok(None)
            }
            Some(b'{') => {
                self.at += 1;
                if self.peek() == Some(b'}') {
                    self.at += 1;
                    return Ok(Some(Value::Object(Map::new())));
                }
                let key = self.key()?;
                open.push(Open::Object(Map::new(), key));
                Ok(None)
            }
            _ => self.scalar().map(Some),
        }
    }

    /// A key with its colon.
    fn key(&mut self) -> serde_json::Result<String> {
        if self.peek() != Some(b'"') {
            return Err(self.error());
        }
        let Value::String(key) = self.scalar()? else { return Err(self.error()) };
        if self.peek() != Some(b':') {
            return Err(self.error());
        }
        self.at += 1;
        Ok(key)
    }

    /// Whether the container ends here; else a comma has to come.
    fn closes(&mut self, bracket: u8) -> serde_json::Result<bool> {
        match self.peek() {
            Some(byte) if byte == bracket => {
                self.at += 1;
                Ok(true)
            }
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.error()),
        }
    }

    fn scalar(&mut self) -> serde_json::Result<Value> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        match values.next() {
            Some(Ok(value)) if !value.is_array() && !value.is_object() => {
                self.at += values.byte_offset();
                Ok(value)
            }
            _ => Err(self.error()),
        }
    }

    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at +=
            rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.text.as_bytes().get(self.at).copied()
    }

    /// That the text is no JSON from here on.
    fn error(&self) -> serde_json::Error {
        let before = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
        serde::de::Error::custom(format!("expected JSON at line {line} column {column}"))
    }
}
