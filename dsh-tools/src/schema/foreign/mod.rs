//! [`Schema`] for types that are neither ours nor as common as those of `impls.rs`.
//!
//! Each crate stands behind a feature of its name. A schema accepts what its serde writes; where
//! serde reads other forms as well, it accepts the one that is written and no other, since a model
//! needs one.

macro_rules! schemas {
    ($($type:ty => $schema:expr;)*) => {$(
        impl Schema for $type {
            const SCHEMA: &'static ValueSchema = &$schema;
        }
    )*};
}

#[cfg(feature = "bytes")]
mod bytes;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "either")]
mod either;
#[cfg(feature = "indexmap")]
mod indexmap;
#[cfg(feature = "schemars")]
mod schemars;
mod standard;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

use super::constant::{Field, Notes, exact_property, object};
use super::object::Property;
use super::parts::Text;
use super::value::{Kind, Members, StringRules, ValueSchema};

/// A string in a format.
const fn formatted(format: &'static str) -> ValueSchema {
    string(StringRules { format: Some(Text::Static(format)), ..StringRules::ANY })
}

/// A string that a regular expression matches.
const fn patterned(pattern: &'static str) -> ValueSchema {
    string(StringRules { pattern: Some(Text::Static(pattern)), ..StringRules::ANY })
}

const fn string(rules: StringRules) -> ValueSchema {
    ValueSchema::new(Kind::String(Members::ANY, rules))
}

/// A key that has to be there, also where its type is an `Option`.
const fn key(name: &'static str, schema: &'static ValueSchema) -> Property {
    exact_property(Field::new(name), schema.copied(Notes::NONE))
}

/// A closed object.
const fn closed(keys: &'static [Property]) -> ValueSchema {
    object(Notes::NONE, keys)
}
