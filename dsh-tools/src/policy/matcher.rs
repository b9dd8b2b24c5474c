//! What is asked about one value.

use regex::Regex;
use serde_json::Value;

use super::argument::Found;
use super::glob::plain_path;
use super::truth::{Doubt, Side, Truth};
use crate::json::{Number, number};

/// One thing that is asked about a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Matcher {
    /// `equals` and `one_of`; all of one kind, and at least one.
    OneOf(Vec<Literal>),
    Glob(Pattern),
    Regex(Pattern),
    Prefix(Box<str>),
    Exists(bool),
    Above(Number),
    Below(Number),
    /// Not all of these.
    Not(Vec<Self>),
}

/// A scalar to compare with.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Literal {
    Text(Box<str>),
    Number(Number),
    Boolean(bool),
}

/// A compiled expression under the text it was written as.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) written: Box<str>,
    pub(super) expression: Regex,
}

/// Whether all of them hold for what was found.
pub(super) fn check_all(matchers: &[Matcher], found: Found<'_>, side: Side) -> Truth {
    matchers.iter().map(|matcher| matcher.check(found, side)).fold(Truth::Yes, Truth::and)
}

impl Matcher {
    fn check(&self, found: Found<'_>, side: Side) -> Truth {
        if let Self::Not(matchers) = self {
            return check_all(matchers, found, side).not();
        }
        match (self, found) {
            (_, Found::Blocked(doubt)) => Truth::Unknown(doubt),
            (Self::Exists(wanted), found) => {
                Truth::from(*wanted == matches!(found, Found::Value(_)))
            }
            (_, Found::Absent) => side.absent(),
            (_, Found::Value(value)) => self.check_value(value),
        }
    }

    fn check_value(&self, value: &Value) -> Truth {
        match self {
            Self::OneOf(literals) => one_of(literals, value),
            Self::Glob(pattern) => on_text(value, |text| match plain_path(text) {
                Some(path) => pattern.expression.is_match(&path).into(),
                None => Truth::Unknown(Doubt::GoesUp),
            }),
            Self::Regex(pattern) => on_text(value, |text| pattern.expression.is_match(text).into()),
            Self::Prefix(prefix) => on_text(value, |text| text.starts_with(&**prefix).into()),
            Self::Above(bound) => on_number(value, |number| bound.less_than(number)),
            Self::Below(bound) => on_number(value, |number| number.less_than(*bound)),
            Self::Exists(_) | Self::Not(_) => unreachable!("these do not need the value"),
        }
    }
}

fn one_of(literals: &[Literal], value: &Value) -> Truth {
    let is = |literal: &Literal| match (literal, value) {
        (Literal::Text(wanted), _) => on_text(value, |text| (*text == **wanted).into()),
        (Literal::Number(wanted), _) => on_number(value, |number| number.equals(*wanted)),
        (Literal::Boolean(wanted), Value::Bool(given)) => (given == wanted).into(),
        (Literal::Boolean(_), _) => Truth::Unknown(Doubt::Kind("a boolean")),
    };
    literals.iter().map(is).fold(Truth::No, Truth::or)
}

fn on_text(value: &Value, check: impl FnOnce(&str) -> Truth) -> Truth {
    value.as_str().map_or(Truth::Unknown(Doubt::Kind("a string")), check)
}

fn on_number(value: &Value, check: impl FnOnce(Number) -> bool) -> Truth {
    let number = value.as_number().and_then(number);
    number.map_or(Truth::Unknown(Doubt::Kind("a number")), |number| check(number).into())
}

/// Equal when they are written the same.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}
