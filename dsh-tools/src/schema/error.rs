//! What keeps a schema from being used.

use std::fmt;

use crate::model::ErrorCode;

/// A schema with something that would not be enforced, or that is no schema: every finding.
///
/// ```
/// use dsh_tools::schema::ValueSchema;
/// use serde_json::json;
///
/// let error = ValueSchema::parse(&json!({"type": "string", "nullable": true})).unwrap_err();
/// assert_eq!(error.violations().len(), 1);
/// assert!(error.to_string().starts_with("unsupported JSON schema: schema.nullable is not"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SchemaError {
    violations: Vec<String>,
}

impl SchemaError {
    pub(super) fn new(violations: Vec<String>) -> Self {
        Self { violations }
    }

    /// Every finding, in walk order.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }

    /// The stable code, `UNSUPPORTED_SCHEMA`.
    pub fn code(&self) -> ErrorCode {
        ErrorCode::UnsupportedSchema
    }

    /// The kind of error, `JsonSchemaError`.
    pub fn name(&self) -> &'static str {
        "JsonSchemaError"
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unsupported JSON schema: {}", self.violations.join("; "))
    }
}
