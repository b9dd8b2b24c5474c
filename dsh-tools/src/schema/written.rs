//! `schema!`: a constant schema written as the author's form of the specification has it.

#![expect(missing_docs, reason = "named by generated code only, through `__private`")]

use super::object::{Additional, ObjectRules, Properties, Property};
use super::parts::{Child, Many, Text};
use super::refine::{Refinement, refined};
use super::value::{ArrayRules, Kind, ValueSchema};
use crate::json::Number;

/// What a schema says, with what is written beside it.
pub const fn refine(base: &'static ValueSchema, refinement: Refinement) -> ValueSchema {
    refined(base, refinement)
}

pub const fn array_of(items: Option<&'static ValueSchema>) -> ValueSchema {
    let items = match items {
        Some(items) => Some(Child::Static(items)),
        None => None,
    };
    ValueSchema::new(Kind::Array(ArrayRules {
        prefix: Many::Static(&[]),
        items,
        min_items: None,
        max_items: None,
        unique_items: false,
    }))
}

/// An object that says whether it is open, or none for a property map, which does not.
pub const fn object_of(open: Option<bool>, properties: Option<&'static [Property]>) -> ValueSchema {
    ValueSchema::new(Kind::Object(ObjectRules {
        properties: match properties {
            Some(properties) => Some(Properties::constant(properties)),
            None => None,
        },
        additional: match open {
            None => Additional::Unstated,
            Some(true) => Additional::Open,
            Some(false) => Additional::Closed,
        },
        listed: None,
        min_properties: None,
        max_properties: None,
    }))
}

/// A number as it is written: an integer is kept exactly.
pub const fn written_number(text: &str, float: f64, integer: i128) -> Number {
    let bytes = text.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        if matches!(bytes[index], b'.' | b'e' | b'E') {
            return Number::Float(float);
        }
        index += 1;
    }
    Number::Integer(integer)
}

pub const fn written_property(name: &'static str, required: bool, schema: ValueSchema) -> Property {
    Property {
        name: Text::Static(name),
        schema,
        required,
        null_is_absent: false,
        aliases: &[],
        flattened: false,
    }
}

/// Writes a constant schema as data.
///
/// It is the author's form of the specification: `required: true` stands on the property, `json`
/// accepts everything, an object says whether it is open. What it gives is a constant, so all its
/// parts have to be. `type` (or `oneOf`) comes first, then `required`, `additionalProperties`,
/// `properties` or `items`, `enum`; the rest is in any order.
///
/// ```
/// use dsh_tools::schema;
/// use dsh_tools::schema::ValueSchema;
/// use serde_json::json;
///
/// const SEARCH: ValueSchema = schema!({
///     type: object,
///     additionalProperties: false,
///     properties: {
///         pattern: { type: string, required: true, description: "What to look for.", minLength: 1 },
///         mode: { type: string, enum: ["words", "regex"], default: "words" },
///         places: { type: array, items: { type: string }, maxItems: 10 },
///         limit: { oneOf: [{ type: integer, minimum: 1 }, { type: null }] },
///         extra: { type: json },
///     }
/// });
///
/// assert!(SEARCH.is_valid(&json!({"pattern": "x", "mode": "regex", "limit": null, "extra": [1]})));
/// assert!(!SEARCH.is_valid(&json!({"pattern": "", "mode": "glob"})));
/// assert_eq!(SEARCH.to_json()["required"], json!(["pattern"]));
/// ```
///
/// A property map by itself is an open object, as the parameters of a tool are in the
/// specification:
///
/// ```
/// # use dsh_tools::{schema, schema::ValueSchema};
/// const READ: ValueSchema = schema!(parameters { path: { type: string, required: true } });
/// assert!(READ.is_valid(&serde_json::json!({"path": "a", "other": 1})));
/// ```
#[macro_export]
macro_rules! schema {
    (parameters { $($name:tt: $spec:tt),* $(,)? }) => {
        $crate::__private::object_of(
            ::core::option::Option::None,
            ::core::option::Option::Some(const { &[$($crate::schema!(@property $name $spec)),*] }),
        )
    };
    ({ oneOf: [$($branch:tt),+ $(,)?] $(, $key:ident: $value:expr)* $(,)? }) => {
        $crate::__private::one_of(
            $crate::schema!(@refinement $($key: $value,)*).notes,
            const { &[$($crate::schema!($branch)),+] },
        )
    };
    ({ type: string, enum: [$($member:expr),+ $(,)?] $(, $key:ident: $value:expr)* $(,)? }) => {
        $crate::__private::string_enum(
            $crate::schema!(@refinement $($key: $value,)*).notes,
            const { &[$($crate::__private::member($member, ::core::option::Option::None)),+] },
        )
    };
    ({ type: array, items: $items:tt $(, $key:ident: $value:expr)* $(,)? }) => {
        $crate::__private::refine(
            const {
                &$crate::__private::array_of(
                    ::core::option::Option::Some(const { &$crate::schema!($items) }),
                )
            },
            $crate::schema!(@refinement $($key: $value,)*),
        )
    };
    ({
        type: object, additionalProperties: $open:tt,
        properties: { $($name:tt: $spec:tt),* $(,)? } $(, $key:ident: $value:expr)* $(,)?
    }) => {
        $crate::__private::refine(
            const {
                &$crate::__private::object_of(
                    ::core::option::Option::Some($open),
                    ::core::option::Option::Some(
                        const { &[$($crate::schema!(@property $name $spec)),*] },
                    ),
                )
            },
            $crate::schema!(@refinement $($key: $value,)*),
        )
    };
    ({ type: object, additionalProperties: $open:tt $(, $key:ident: $value:expr)* $(,)? }) => {
        $crate::__private::refine(
            const {
                &$crate::__private::object_of(
                    ::core::option::Option::Some($open),
                    ::core::option::Option::None,
                )
            },
            $crate::schema!(@refinement $($key: $value,)*),
        )
    };
    ({ type: object $($rest:tt)* }) => {
        ::core::compile_error!(
            "an object says whether it is open: write `additionalProperties: true` or `false` \
             after `type: object`, then `properties`"
        )
    };
    ({ type: $kind:tt $(, $key:ident: $value:expr)* $(,)? }) => {
        $crate::__private::refine(
            const { &$crate::schema!(@kind $kind) },
            $crate::schema!(@refinement $($key: $value,)*),
        )
    };

    (@kind string) => { $crate::schema::ValueSchema::string() };
    (@kind number) => { $crate::schema::ValueSchema::number() };
    (@kind integer) => { $crate::schema::ValueSchema::integer() };
    (@kind boolean) => { $crate::schema::ValueSchema::boolean() };
    (@kind null) => { $crate::schema::ValueSchema::null() };
    (@kind json) => { $crate::schema::ValueSchema::json() };
    (@kind array) => { $crate::__private::array_of(::core::option::Option::None) };
    (@kind $other:tt) => {
        ::core::compile_error!(::core::concat!(
            "`", ::core::stringify!($other), "` is no kind of value: write string, number, integer, \
             boolean, null, array, object or json, or use `oneOf`"
        ))
    };

    (@property $name:tt { type: $kind:tt, required: true $($rest:tt)* }) => {
        $crate::__private::written_property(
            $crate::schema!(@name $name), true, $crate::schema!({ type: $kind $($rest)* }),
        )
    };
    (@property $name:tt { oneOf: $branches:tt, required: true $($rest:tt)* }) => {
        $crate::__private::written_property(
            $crate::schema!(@name $name), true, $crate::schema!({ oneOf: $branches $($rest)* }),
        )
    };
    (@property $name:tt $spec:tt) => {
        $crate::__private::written_property(
            $crate::schema!(@name $name), false, $crate::schema!($spec),
        )
    };
    (@name $name:literal) => { $name };
    (@name $name:tt) => { ::core::stringify!($name) };

    (@refinement) => { $crate::__private::Refinement::NONE };
    (@refinement $key:ident: $value:expr, $($rest:tt)*) => {{
        const REST: $crate::__private::Refinement = $crate::schema!(@refinement $($rest)*);
        $crate::schema!(@with REST $key $value)
    }};
    (@with $rest:ident description $value:expr) => {
        $crate::schema!(@note $rest description: ::core::option::Option::Some($value))
    };
    (@with $rest:ident title $value:expr) => {
        $crate::schema!(@note $rest title: ::core::option::Option::Some($value))
    };
    (@with $rest:ident default $value:expr) => {
        $crate::schema!(@note $rest default: ::core::option::Option::Some(::core::stringify!($value)))
    };
    (@with $rest:ident examples $value:expr) => {
        $crate::schema!(@note $rest examples: ::core::option::Option::Some(::core::stringify!($value)))
    };
    (@with $rest:ident minimum $value:expr) => { $crate::schema!(@number $rest minimum $value) };
    (@with $rest:ident maximum $value:expr) => { $crate::schema!(@number $rest maximum $value) };
    (@with $rest:ident exclusiveMinimum $value:expr) => {
        $crate::schema!(@number $rest exclusive_minimum $value)
    };
    (@with $rest:ident exclusiveMaximum $value:expr) => {
        $crate::schema!(@number $rest exclusive_maximum $value)
    };
    (@with $rest:ident multipleOf $value:expr) => {
        $crate::schema!(@number $rest multiple_of $value)
    };
    (@with $rest:ident minLength $value:expr) => { $crate::schema!(@rule $rest min_length $value) };
    (@with $rest:ident maxLength $value:expr) => { $crate::schema!(@rule $rest max_length $value) };
    (@with $rest:ident minItems $value:expr) => { $crate::schema!(@rule $rest min_items $value) };
    (@with $rest:ident maxItems $value:expr) => { $crate::schema!(@rule $rest max_items $value) };
    (@with $rest:ident pattern $value:expr) => { $crate::schema!(@rule $rest pattern $value) };
    (@with $rest:ident format $value:expr) => { $crate::schema!(@rule $rest format $value) };
    (@with $rest:ident $other:ident $value:expr) => {
        ::core::compile_error!(::core::concat!(
            "`", ::core::stringify!($other), "` is not supported here; `type` or `oneOf` comes first, \
             then `required`, `additionalProperties`, `properties` or `items`, `enum`"
        ))
    };
    (@note $rest:ident $key:ident: $value:expr) => {
        $crate::__private::Refinement {
            notes: $crate::__private::Notes { $key: $value, ..$rest.notes },
            ..$rest
        }
    };
    (@rule $rest:ident $key:ident $value:expr) => {
        $crate::__private::Refinement { $key: ::core::option::Option::Some($value), ..$rest }
    };
    (@number $rest:ident $key:ident $value:expr) => {
        $crate::__private::Refinement {
            $key: ::core::option::Option::Some($crate::__private::written_number(
                ::core::stringify!($value), $value as f64, $value as i128,
            )),
            ..$rest
        }
    };
}
