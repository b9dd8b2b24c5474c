//! Whether a default or an example fits its schema, in constant evaluation.
//!
//! The derive makes the text out of literals: scalars and arrays of them, without white space. What
//! constant evaluation cannot read (escapes, decimal numbers) counts as fitting, so that nothing is
//! refused that is right.

use super::message::same;
use super::value::{ArrayRules, Kind, Literal, Members, NumberRules, StringRules, ValueSchema};
use crate::json::Number;

/// Whether the JSON text of one value fits.
pub(super) const fn fits(text: &str, schema: &'static ValueSchema) -> bool {
    let first = match text.as_bytes() {
        [first, ..] => *first,
        [] => return false,
    };
    match &schema.kind {
        Kind::Json | Kind::Reference(_) => true,
        Kind::Null(_) => first == b'n',
        Kind::Boolean(_) => matches!(first, b't' | b'f'),
        Kind::String(members, rules) => first == b'"' && string_fits(text, members, rules),
        Kind::Integer(_, rules) => match integer(text) {
            Some(value) => number_fits(value, rules),
            None => false,
        },
        Kind::Number(_, rules) => match integer(text) {
            Some(value) => number_fits(value, rules),
            None => matches!(first, b'-' | b'0'..=b'9'),
        },
        Kind::Array(rules) => first == b'[' && array_fits(text, rules),
        // No literal is an object.
        Kind::Object(_) => false,
        Kind::OneOf(branches) | Kind::AnyOf(branches) => {
            let branches = branches.as_const();
            let mut index = 0;
            while index < branches.len() {
                if fits(text, &branches[index]) {
                    return true;
                }
                index += 1;
            }
            false
        }
    }
}

/// Whether every value of an array fits.
pub(super) const fn all_fit(array: &str, schema: &'static ValueSchema) -> bool {
    let mut rest = inside(array);
    while let (Some(item), behind) = next_item(rest) {
        if !fits(item, schema) {
            return false;
        }
        rest = behind;
    }
    true
}

const fn string_fits(text: &str, members: &'static Members, rules: &StringRules) -> bool {
    let bytes = text.as_bytes();
    let mut characters = 0;
    let mut index = 1;
    while index + 1 < bytes.len() {
        if bytes[index] == b'\\' {
            return true;
        }
        // Bytes that go on with a character are no further one.
        characters += (bytes[index] & 0b1100_0000 != 0b1000_0000) as u64;
        index += 1;
    }
    if matches!(rules.min_length, Some(least) if characters < least)
        || matches!(rules.max_length, Some(most) if characters > most)
    {
        return false;
    }
    let members = members.any_of.as_const();
    let mut index = 0;
    while index < members.len() {
        if let Literal::Text(member) = &members[index].value
            && same(member.as_const(), inside(text))
        {
            return true;
        }
        index += 1;
    }
    members.is_empty()
}

const fn number_fits(value: i128, rules: &NumberRules) -> bool {
    let value = Number::Integer(value);
    !(matches!(rules.minimum, Some(bound) if value.less_than(bound))
        || matches!(rules.maximum, Some(bound) if bound.less_than(value))
        || matches!(rules.exclusive_minimum, Some(bound) if !bound.less_than(value))
        || matches!(rules.exclusive_maximum, Some(bound) if !value.less_than(bound)))
}

const fn array_fits(text: &str, rules: &'static ArrayRules) -> bool {
    let prefix = rules.prefix.as_const();
    let mut count = 0;
    let mut rest = inside(text);
    while let (Some(item), behind) = next_item(rest) {
        let schema = match &rules.items {
            _ if count < prefix.len() => Some(&prefix[count]),
            Some(items) => Some(items.as_const()),
            None => None,
        };
        if let Some(schema) = schema
            && !fits(item, schema)
        {
            return false;
        }
        count += 1;
        rest = behind;
    }
    !(matches!(rules.min_items, Some(least) if (count as u64) < least)
        || matches!(rules.max_items, Some(most) if (count as u64) > most))
}

/// The integer that a text is, if it is one that is not too large.
const fn integer(text: &str) -> Option<i128> {
    match i128::from_str_radix(text, 10) {
        Ok(value) => Some(value),
        Err(_) => None,
    }
}

/// A text without its first and its last byte, which are quotes or brackets.
const fn inside(text: &str) -> &str {
    let (_, rest) = text.split_at(1);
    let (inside, _) = rest.split_at(rest.len() - 1);
    inside
}

/// The first item of a list, and what stands behind it.
const fn next_item(list: &str) -> (Option<&str>, &str) {
    let bytes = list.as_bytes();
    let (mut depth, mut in_string, mut index) = (0, false, 0);
    while index < bytes.len() {
        match bytes[index] {
            b'\\' => index += 1,
            b'"' => in_string = !in_string,
            b'[' if !in_string => depth += 1,
            b']' if !in_string => depth -= 1,
            b',' if !in_string && depth == 0 => {
                let (item, behind) = list.split_at(index);
                let (_, behind) = behind.split_at(1);
                return (Some(item), behind);
            }
            _ => {}
        }
        index += 1;
    }
    if list.is_empty() { (None, "") } else { (Some(list), "") }
}
