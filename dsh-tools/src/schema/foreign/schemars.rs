//! A bridge from `schemars`, for types that only have a schema of that crate.

use schemars::generate::SchemaSettings;
use schemars::transform::{
    RecursiveTransform, ReplaceBoolSchemas, ReplaceUnevaluatedProperties, RestrictFormats,
};
use schemars::{JsonSchema, Schema as Generated};
use serde_json::{Value, json};

use crate::schema::{SchemaError, ValueSchema};

impl ValueSchema {
    /// Makes the schema of a type that only has one of `schemars`.
    ///
    /// A bridge, for types whose crate derives `schemars::JsonSchema` and not
    /// [`Schema`](crate::Schema); everything else here goes without that crate. The schema is made
    /// at run time and goes to [`ToolDefinition`](crate::ToolDefinition), not to `#[tool]`. The
    /// widths of integers, which `schemars` tells as a format, become bounds. Objects are as open
    /// as `schemars` says, which is closed only with `#[serde(deny_unknown_fields)]`.
    ///
    /// # Errors
    /// Everything in the schema that would not be enforced, as [`parse`](Self::parse) says it.
    ///
    /// # Examples
    /// ```
    /// use dsh_tools::schema::ValueSchema;
    /// use serde_json::json;
    ///
    /// # fn main() -> Result<(), dsh_tools::schema::SchemaError> {
    /// let schema = ValueSchema::from_schemars::<Vec<u16>>()?;
    /// assert!(schema.is_valid(&json!([1, 65535])));
    /// assert!(!schema.is_valid(&json!([65536])));
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_schemars<T: JsonSchema + ?Sized>() -> Result<Self, SchemaError> {
        let mut generator = SchemaSettings::draft2020_12()
            // What `schemars` says beside a reference would not be enforced.
            .with(|settings| settings.inline_subschemas = true)
            .with_transform(RecursiveTransform(bound as fn(&mut Generated)))
            .with_transform(RestrictFormats::default())
            .with_transform(ReplaceUnevaluatedProperties::default())
            .with_transform(bools())
            .into_generator();
        Self::parse(generator.root_schema_for::<T>().as_value())
    }
}

/// `true` as a schema becomes `{}`.
fn bools() -> ReplaceBoolSchemas {
    let mut bools = ReplaceBoolSchemas::default();
    bools.skip_additional_properties = true;
    bools
}

/// Bounds for what is told in a format that JSON Schema does not know.
fn bound(schema: &mut Generated) {
    let (minimum, maximum) = match schema.get("format").and_then(Value::as_str) {
        Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
        Some("int64") => (json!(i64::MIN), json!(i64::MAX)),
        Some("int") => (json!(isize::MIN), json!(isize::MAX)),
        Some("uint32") => (json!(0), json!(u32::MAX)),
        Some("uint64") => (json!(0), json!(u64::MAX)),
        Some("uint") => (json!(0), json!(usize::MAX)),
        _ => return,
    };
    let schema = schema.ensure_object();
    schema.entry("minimum").or_insert(minimum);
    schema.entry("maximum").or_insert(maximum);
}
