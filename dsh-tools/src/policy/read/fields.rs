//! Values of the types that are expected, or a finding.

use std::fmt::Write as _;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::findings::Findings;
use crate::json::Number;
use crate::schema::nearest;

/// A value with its place in the text.
pub(super) type Spot<'d> = &'d Spanned<DeValue<'d>>;

/// A table of which the keys are known.
pub(super) struct Fields<'d>(&'d DeTable<'d>);

impl<'d> Fields<'d> {
    /// Looks at a table; every key that is not accepted is a finding.
    pub(super) fn read(
        what: &str,
        table: &'d DeTable<'d>,
        accepted: &[&str],
        findings: &mut Findings<'_>,
    ) -> Self {
        for key in table.keys().filter(|key| !accepted.contains(&&**key.get_ref())) {
            findings.add(key.span(), unknown(what, key.get_ref(), accepted));
        }
        Self(table)
    }

    /// A table whose keys were looked at already.
    pub(super) const fn of(table: &'d DeTable<'d>) -> Self {
        Self(table)
    }

    pub(super) fn get(&self, key: &str) -> Option<Spot<'d>> {
        self.0.get(key)
    }
}

/// What to write instead of something that is not known.
pub(super) fn unknown(what: &str, written: &str, accepted: &[&str]) -> String {
    let mut message = format!("unknown {what} \"{written}\", ");
    // Writing to a string cannot fail.
    _ = match nearest(written, accepted.iter().copied()) {
        Some(near) => write!(message, "did you mean \"{near}\"? accepted are "),
        None => write!(message, "accepted are "),
    };
    let quoted: Vec<_> = accepted.iter().map(|name| format!("\"{name}\"")).collect();
    message + &quoted.join(", ")
}

pub(super) fn text<'d>(key: &str, value: Spot<'d>, findings: &mut Findings<'_>) -> Option<&'d str> {
    expect(key, value, "a string", value.get_ref().as_str(), findings)
}

pub(super) fn boolean(key: &str, value: Spot<'_>, findings: &mut Findings<'_>) -> Option<bool> {
    expect(key, value, "a boolean", value.get_ref().as_bool(), findings)
}

pub(super) fn number(key: &str, value: Spot<'_>, findings: &mut Findings<'_>) -> Option<Number> {
    expect(key, value, "a finite number", as_number(value.get_ref()), findings)
}

pub(super) fn table<'d>(
    key: &str,
    value: Spot<'d>,
    findings: &mut Findings<'_>,
) -> Option<&'d DeTable<'d>> {
    let table = expect(key, value, "a table", value.get_ref().as_table(), findings)?;
    if table.is_empty() {
        findings.add(value.span(), format!("\"{key}\" is empty, which selects nothing"));
    }
    (!table.is_empty()).then_some(table)
}

pub(super) fn list<'d>(
    key: &str,
    value: Spot<'d>,
    findings: &mut Findings<'_>,
) -> Option<&'d [Spanned<DeValue<'d>>]> {
    let list: &[_] = expect(key, value, "an array", value.get_ref().as_array(), findings)?;
    if list.is_empty() {
        findings.add(value.span(), format!("\"{key}\" is empty, which selects nothing"));
    }
    (!list.is_empty()).then_some(list)
}

/// The number that is written, if it is one of JSON.
pub(super) fn as_number(value: &DeValue<'_>) -> Option<Number> {
    match value {
        DeValue::Integer(integer) => {
            i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(Number::Integer)
        }
        DeValue::Float(float) => {
            float.as_str().parse().ok().filter(|float: &f64| float.is_finite()).map(Number::Float)
        }
        _ => None,
    }
}

/// What was taken from a value, or a finding that says what was expected.
pub(super) fn expect<T>(
    key: &str,
    value: Spot<'_>,
    expected: &str,
    taken: Option<T>,
    findings: &mut Findings<'_>,
) -> Option<T> {
    if taken.is_none() {
        let given = kind(value.get_ref());
        findings.add(value.span(), format!("\"{key}\" must be {expected}, got {given}"));
    }
    taken
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
