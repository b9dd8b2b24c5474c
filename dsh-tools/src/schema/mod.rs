//! Schemas of JSON values: what they are, how values are checked, what a model is shown.
//!
//! This module knows nothing of tools. [`Schema`] ties a Rust type to a constant [`ValueSchema`];
//! the derive keeps that constant in step with what serde reads and writes.

#[cfg(feature = "policy")]
mod alias;
mod builder;
mod constant;
mod default;
mod dialect;
mod dsl;
mod error;
mod fits;
mod flat;
mod foreign;
mod format;
mod hint;
mod impls;
mod message;
mod object;
mod parse;
mod parts;
mod path;
mod pattern;
mod pointer;
mod project;
mod refine;
mod rules;
mod stream;
mod validate;
mod value;
mod walk;
mod written;

#[cfg(feature = "policy")]
pub(crate) use self::alias::Places;
pub use self::error::SchemaError;
#[cfg(any(feature = "cli", feature = "policy"))]
pub(crate) use self::hint::nearest;
pub use self::impls::MapKey;
pub use self::object::Property;
pub use self::parse::Vocabulary;
pub use self::validate::Violation;
pub use self::value::{Member, ValueSchema};
pub use crate::json::Number;

#[doc(hidden)]
pub use self::constant::{
    Field, Late, Notes, Refinement, any_of, beside_tag, checked, checked_newtype, description,
    element, exact_property, flattened, late, late_element, late_inner, late_property, member,
    named, null, object, one_of, open_object, property, string_enum, tuple,
};
pub(crate) use self::pattern::reason as pattern_reason;
pub(crate) use self::rules::faults;
pub(crate) use self::stream::{Streamed, decode, encode};
pub(crate) use self::walk::{check_constant, not_arguments, refuse};
#[doc(hidden)]
pub use self::written::{array_of, object_of, refine, written_number, written_property};

/// A type whose JSON form is described by a constant schema.
///
/// Derive it. The schema is exactly what serde accepts for the type: serde's attributes are
/// honoured, `Option` is a property that may be missing, integers carry the bounds of their type,
/// and an object accepts no key that the type does not have.
///
/// ```
/// use dsh_tools::Schema;
/// use serde_json::json;
///
/// /// A place in a file.
/// #[derive(Schema)]
/// struct Place {
///     /// The file.
///     path: String,
///     line: Option<u16>,
/// }
///
/// assert_eq!(
///     Place::SCHEMA.to_json(),
///     json!({
///         "type": "object",
///         "description": "A place in a file.",
///         "additionalProperties": false,
///         "properties": {
///             "path": {"type": "string", "description": "The file."},
///             "line": {"type": "integer", "minimum": 0, "maximum": 65535},
///         },
///         "required": ["path"],
///     })
/// );
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema, so a model cannot be told what it looks like",
    label = "needs a schema",
    note = "for your own type add `#[derive(dsh_tools::Schema)]` beside serde's derives",
    note = "for a type of another crate use a type with a schema here and convert it in the body"
)]
pub trait Schema {
    /// The schema of this type.
    const SCHEMA: &'static ValueSchema;

    /// Whether serde reads a missing property of this type, as it does for `Option`.
    ///
    /// Default: false.
    const OPTIONAL: bool = false;
}
