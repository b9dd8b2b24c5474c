//! Objects whose properties stand in those of another, in constant evaluation.

use super::message::same;
use super::object::{Additional, ObjectRules, Property};
use super::value::Kind;

/// Whether serde gives a flattened map keys that the schema gives to another field.
///
/// A map is given every key that no struct has taken before it. A struct that flattens takes none,
/// since it is read like a map.
pub(super) const fn comes_behind_map(
    properties: &'static [Property],
    index: usize,
    rules: &'static ObjectRules,
) -> bool {
    let mut before = 0;
    while before < index {
        if let Some(earlier) = flat(&properties[before])
            && (takes_all(earlier) || (takes_all(rules) && flattens(earlier)))
        {
            return true;
        }
        before += 1;
    }
    false
}

/// Whether there is a place for keys that are not declared.
const fn takes_all(rules: &'static ObjectRules) -> bool {
    if let Additional::Schema(_) = rules.additional {
        return true;
    }
    let properties = own(rules);
    let mut index = 0;
    while index < properties.len() {
        if let Some(flat) = flat(&properties[index])
            && takes_all(flat)
        {
            return true;
        }
        index += 1;
    }
    // An open map has no properties of its own; an open struct ignores what it does not know.
    matches!(rules.additional, Additional::Open) && properties.is_empty()
}

const fn flattens(rules: &'static ObjectRules) -> bool {
    let properties = own(rules);
    let mut index = 0;
    while index < properties.len() {
        if properties[index].flattened {
            return true;
        }
        index += 1;
    }
    false
}

/// The first key of `rules` by which `root` has two properties; other names of a field count.
pub(super) const fn repeated_key(
    root: &'static ObjectRules,
    rules: &'static ObjectRules,
) -> Option<&'static str> {
    let properties = own(rules);
    let mut index = 0;
    while index < properties.len() {
        let property = &properties[index];
        let repeated = match flat(property) {
            Some(flat) => repeated_key(root, flat),
            None if property.flattened => None,
            None => repeated_name(root, property),
        };
        if repeated.is_some() {
            return repeated;
        }
        index += 1;
    }
    None
}

const fn repeated_name(
    root: &'static ObjectRules,
    property: &'static Property,
) -> Option<&'static str> {
    let name = property.name.as_const();
    if called(root, name) > 1 {
        return Some(name);
    }
    let mut index = 0;
    while index < property.aliases.len() {
        if called(root, property.aliases[index]) > 1 {
            return Some(property.aliases[index]);
        }
        index += 1;
    }
    None
}

/// How many properties a key could be read as.
const fn called(rules: &'static ObjectRules, key: &str) -> usize {
    let properties = own(rules);
    let mut count = 0;
    let mut index = 0;
    while index < properties.len() {
        let property = &properties[index];
        count += match flat(property) {
            Some(flat) => called(flat, key),
            None => !property.flattened as usize * is_called(property, key) as usize,
        };
        index += 1;
    }
    count
}

const fn is_called(property: &'static Property, key: &str) -> bool {
    let mut is_called = same(property.name.as_const(), key);
    let mut index = 0;
    while index < property.aliases.len() {
        is_called = is_called || same(property.aliases[index], key);
        index += 1;
    }
    is_called
}

pub(super) const fn own(rules: &'static ObjectRules) -> &'static [Property] {
    match &rules.properties {
        Some(properties) => properties.as_const(),
        None => &[],
    }
}

/// The rules of the object whose properties this one stands for.
pub(super) const fn flat(property: &'static Property) -> Option<&'static ObjectRules> {
    match &property.schema.kind {
        Kind::Object(rules) if property.flattened => Some(rules),
        _ => None,
    }
}

impl ObjectRules {
    /// Whether a key has to be there.
    pub(super) const fn demands(&'static self) -> bool {
        let properties = own(self);
        let mut index = 0;
        while index < properties.len() {
            let property = &properties[index];
            if property.required {
                return true;
            }
            if let Some(flat) = flat(property)
                && flat.demands()
            {
                return true;
            }
            index += 1;
        }
        false
    }
}
