//! `#[schema(…)]` as written; darling reads it.

use darling::FromMeta;

use crate::support::attribute::{Given, Keys};
use crate::support::crate_path::CratePath;
use crate::support::value::{Count, Json, Number, Switch, Text, TypeName};

/// `#[schema(…)]` on a struct or an enum.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct ContainerAttribute {
    #[darling(rename = "crate")]
    pub(crate) krate: Given<CratePath>,
    pub(crate) title: Given<Text>,
    pub(crate) description: Given<Text>,
    pub(crate) deprecated: Given<Switch>,
    pub(crate) additional_properties: Given<Switch>,
}

/// `#[schema(…)]` on a field, or on an inline argument of a tool.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct FieldAttribute {
    pub(crate) title: Given<Text>,
    pub(crate) description: Given<Text>,
    pub(crate) default: Given<Json>,
    #[darling(multiple)]
    pub(crate) example: Vec<Given<Json>>,
    pub(crate) deprecated: Given<Switch>,
    pub(crate) minimum: Given<Number>,
    pub(crate) maximum: Given<Number>,
    pub(crate) exclusive_minimum: Given<Number>,
    pub(crate) exclusive_maximum: Given<Number>,
    pub(crate) multiple_of: Given<Number>,
    pub(crate) min_length: Given<Count>,
    pub(crate) max_length: Given<Count>,
    pub(crate) pattern: Given<Text>,
    pub(crate) format: Given<Text>,
    pub(crate) min_items: Given<Count>,
    pub(crate) max_items: Given<Count>,
    pub(crate) unique_items: Given<Switch>,
    pub(crate) min_properties: Given<Count>,
    pub(crate) max_properties: Given<Count>,
    #[darling(rename = "with")]
    pub(crate) type_instead: Given<TypeName>,
    pub(crate) recursive: Given<Switch>,
}

/// `#[schema(…)]` on a variant.
#[derive(Debug, Default, FromMeta)]
pub(crate) struct VariantAttribute {
    pub(crate) description: Given<Text>,
    pub(crate) deprecated: Given<Switch>,
}

/// Keys that other libraries have in their schema attributes, and that serde has here.
const SERDE_KEYS: &[&str] = &[
    "rename",
    "rename_all",
    "alias",
    "skip",
    "skip_serializing_if",
    "flatten",
    "tag",
    "content",
    "untagged",
    "transparent",
    "deny_unknown_fields",
];

pub(crate) const CONTAINER_KEYS: Keys = Keys {
    attribute: "schema",
    accepted: &["title", "description", "deprecated", "additional_properties", "crate"],
    repeated: &[],
    elsewhere: &[("#[serde(…)]", SERDE_KEYS), ("#[serde(…)]", &["default"])],
};

pub(crate) const FIELD_KEYS: Keys = Keys {
    attribute: "schema",
    accepted: &[
        "title",
        "description",
        "default",
        "example",
        "deprecated",
        "minimum",
        "maximum",
        "exclusive_minimum",
        "exclusive_maximum",
        "multiple_of",
        "min_length",
        "max_length",
        "pattern",
        "format",
        "min_items",
        "max_items",
        "unique_items",
        "min_properties",
        "max_properties",
        "with",
        "recursive",
    ],
    repeated: &["example"],
    elsewhere: &[("#[serde(…)]", SERDE_KEYS)],
};

pub(crate) const VARIANT_KEYS: Keys = Keys {
    attribute: "schema",
    accepted: &["description", "deprecated"],
    repeated: &[],
    elsewhere: &[("#[serde(…)]", SERDE_KEYS)],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::support::report::Report;

    /// A key that the table lists and darling does not know would be refused in darling's words.
    #[test]
    fn keys_are_those_of_the_structs() {
        for (keys, reads) in [
            (&CONTAINER_KEYS, reads::<ContainerAttribute> as fn(&Keys) -> bool),
            (&FIELD_KEYS, reads::<FieldAttribute>),
            (&VARIANT_KEYS, reads::<VariantAttribute>),
        ] {
            assert!(reads(keys));
        }
    }

    fn reads<T: FromMeta + Default>(keys: &Keys) -> bool {
        let mut report = Report::new(String::new());
        let list = keys.accepted.join(", ").parse().unwrap();
        keys.read_list::<T>(list, &mut report);
        report.finish(()).is_ok()
    }
}
