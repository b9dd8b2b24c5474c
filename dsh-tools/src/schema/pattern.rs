//! Regular expressions of `pattern`, compiled once for each text.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use regex::Regex;

use super::dialect::from_ecma;

/// A regular expression that a schema asks for.
#[derive(Clone)]
pub(crate) struct Pattern(Arc<Regex>);

/// Compiled patterns by their text. A constant cannot hold a compiled one.
static COMPILED: LazyLock<RwLock<HashMap<String, Pattern>>> = LazyLock::new(RwLock::default);

/// Patterns come from schemas of remote servers, too, so they are not kept without end.
const MOST: usize = 1024;

impl Pattern {
    /// The expression, compiled now or before.
    ///
    /// # Errors
    /// Why it cannot be used; look-around and references back are what `regex` leaves out, for
    /// matching in linear time.
    pub(crate) fn new(text: &str) -> Result<Self, String> {
        if let Some(pattern) = COMPILED.read().unwrap_or_else(PoisonError::into_inner).get(text) {
            return Ok(pattern.clone());
        }
        let regex = Regex::new(&from_ecma(text)).map_err(|error| reason(&error))?;
        let pattern = Self(Arc::new(regex));
        let mut compiled = COMPILED.write().unwrap_or_else(PoisonError::into_inner);
        if compiled.len() >= MOST {
            compiled.clear();
        }
        compiled.insert(text.to_owned(), pattern.clone());
        Ok(pattern)
    }

    /// Whether it matches somewhere in the text (JSON Schema 2020-12, Validation, 6.3.3).
    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// The last line of the error, which says what is wrong; those before draw the expression.
pub(crate) fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default().trim();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
