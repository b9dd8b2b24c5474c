//! Reads JSON Schema and refuses what would not be enforced.
//!
//! First everything that is wrong is collected (`assert.rs`, with `extended.rs` for what goes
//! beyond the strict subset), then a schema in which nothing is wrong is built (`build.rs`). Both
//! walks keep their own stacks.

mod assert;
mod build;
mod cycle;
mod extended;

use serde_json::Value;

use super::error::SchemaError;
use super::value::ValueSchema;

/// How much of JSON Schema is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vocabulary {
    /// `type`, `oneOf`, `properties`, `required`, `additionalProperties` (a boolean), `items`,
    /// `enum`, `const`, and the annotations `description`, `title`, `default`, `examples`.
    Strict,
    /// The strict subset and every keyword of JSON Schema 2020-12 that is enforced here: bounds,
    /// lengths, `pattern`, `format`, counts, `uniqueItems`, schemas for other keys, `prefixItems`,
    /// `anyOf`, `allOf` where it can be merged, nullable types, and references within the schema.
    #[default]
    Extended,
}

impl ValueSchema {
    /// Reads JSON Schema, with everything that is enforced here.
    ///
    /// # Errors
    /// Every violation, in walk order: keywords that would not be enforced, and malformed ones.
    ///
    /// # Examples
    /// ```
    /// use dsh_tools::schema::ValueSchema;
    /// use serde_json::json;
    ///
    /// # fn main() -> Result<(), dsh_tools::schema::SchemaError> {
    /// let text = json!({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}});
    /// let schema = ValueSchema::parse(&text)?;
    /// assert!(schema.is_valid(&json!({"n": 1})) && !schema.is_valid(&json!({"n": 0})));
    /// assert_eq!(schema.to_json(), text);
    /// # Ok(())
    /// # }
    /// ```
    pub fn parse(schema: &Value) -> Result<Self, SchemaError> {
        Self::parse_as(schema, Vocabulary::Extended)
    }

    /// Reads JSON Schema within a vocabulary.
    ///
    /// # Errors
    /// Every violation, in walk order.
    pub fn parse_as(schema: &Value, vocabulary: Vocabulary) -> Result<Self, SchemaError> {
        let violations = assert::violations(schema, vocabulary);
        if !violations.is_empty() {
            return Err(SchemaError::new(violations));
        }
        let built = build::build(schema);
        match cycle::endless(&built) {
            None => Ok(built),
            Some(path) => Err(SchemaError::new(vec![format!(
                "{path} leads to itself without anything in between"
            )])),
        }
    }

    /// Demands an object, as structured outputs and parameters do.
    ///
    /// # Errors
    /// The schema describes something else.
    pub fn into_object_root(self) -> Result<Self, SchemaError> {
        if self.is_object() {
            return Ok(self);
        }
        let text = "schema.type must be \"object\" (structured output is object-rooted)";
        Err(SchemaError::new(vec![text.to_owned()]))
    }
}
