//! Whether a value fits a schema, with no word about why it does not.
//!
//! This is what most checks ask, so it says yes quickly: it allocates nothing. `validate.rs` is
//! asked for the reasons when the answer is no.

use std::cell::Cell;

use serde_json::{Map, Value};

use super::object::{self, Additional, ObjectRules};
use super::validate::repeated;
use super::value::{
    ArrayRules, Kind, Literal, Member, Members, NumberRules, StringRules, ValueSchema,
};
use crate::json::{Number, SHALLOW, is_lossless, is_lossless_number, number};

/// Whether a value fits; none where telling it would take too much of the stack or of the time.
pub(super) fn fits(schema: &ValueSchema, value: &Value) -> Option<bool> {
    let branches = Cell::new(0);
    Fit { root: schema, branches: &branches, in_union: false }.check(schema, value, 0)
}

/// How many branches may be tried inside a branch; each may try as many again.
const MOST_BRANCHES: u32 = 4096;

#[derive(Clone, Copy)]
struct Fit<'a> {
    root: &'a ValueSchema,
    /// How many branches were tried inside the outermost union.
    branches: &'a Cell<u32>,
    in_union: bool,
}

impl Fit<'_> {
    /// Scalars are told where they stand, which most parts of a value are.
    #[expect(clippy::inline_always, reason = "a third of the time of a check is the call")]
    #[inline(always)]
    fn check(self, schema: &ValueSchema, value: &Value, depth: usize) -> Option<bool> {
        match (&schema.kind, value) {
            (Kind::String(members, rules), Value::String(text)) => {
                Some((members.is_free() && rules.is_free()) || is_accepted(members, rules, text))
            }
            (Kind::Integer(members, rules), Value::Number(written)) => {
                Some(match written.as_i128() {
                    Some(whole) if members.is_free() => rules.accept_whole(whole),
                    _ => is_accepted_number(&schema.kind, written),
                })
            }
            (Kind::Number(members, rules), Value::Number(written)) => {
                Some(if members.is_free() && rules.is_free() {
                    is_lossless_number(written)
                } else {
                    is_accepted_number(&schema.kind, written)
                })
            }
            (kind @ Kind::Boolean(_), Value::Bool(value)) => Some(kind.accepts_bool(*value)),
            _ => self.check_rest(schema, value, depth),
        }
    }

    #[inline(never)]
    fn check_rest(self, schema: &ValueSchema, value: &Value, depth: usize) -> Option<bool> {
        if depth > SHALLOW {
            return None;
        }
        let depth = depth + 1;
        match (&schema.kind, value) {
            (Kind::Array(rules), Value::Array(items)) => self.array(rules, items, depth),
            (Kind::Object(rules), Value::Object(members)) => self.object(rules, members, depth),
            (Kind::Json, _) => Some(is_lossless(value)),
            (kind @ Kind::Null(_), Value::Null) => Some(kind.accepts_null()),
            (Kind::OneOf(branches), _) => {
                let inside = self.in_union()?;
                let mut matching = 0;
                for branch in &**branches {
                    matching += usize::from(inside.check(branch, value, depth)?);
                }
                Some(matching == 1)
            }
            (Kind::AnyOf(branches), _) => {
                let inside = self.in_union()?;
                for branch in &**branches {
                    if inside.check(branch, value, depth)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
            (Kind::Reference(reference), _) => {
                self.check(reference.target(self.root), value, depth)
            }
            _ => Some(false),
        }
    }

    /// The same inside one more union.
    fn in_union(self) -> Option<Self> {
        let tried = if self.in_union { self.branches.get() + 1 } else { 0 };
        self.branches.set(tried);
        (tried < MOST_BRANCHES).then_some(Self { in_union: true, ..self })
    }

    fn array(self, rules: &ArrayRules, items: &[Value], depth: usize) -> Option<bool> {
        let count = items.len() as u64;
        if rules.min_items.is_some_and(|bound| count < bound)
            || rules.max_items.is_some_and(|bound| count > bound)
            || (rules.unique_items && repeated(items).is_some())
        {
            return Some(false);
        }
        let (first, others) = items.split_at(items.len().min(rules.prefix.len()));
        for (schema, item) in rules.prefix.iter().zip(first) {
            if !self.check(schema, item, depth)? {
                return Some(false);
            }
        }
        let Some(schema) = rules.items.as_deref() else {
            return Some(others.iter().all(is_lossless));
        };
        for item in others {
            if !self.check(schema, item, depth)? {
                return Some(false);
            }
        }
        Some(true)
    }

    fn object(
        self,
        rules: &ObjectRules,
        members: &Map<String, Value>,
        depth: usize,
    ) -> Option<bool> {
        // Rare forms, which the walk knows.
        if rules.listed.is_some() || rules.is_flattening() {
            return None;
        }
        let count = members.len() as u64;
        if rules.min_properties.is_some_and(|bound| count < bound)
            || rules.max_properties.is_some_and(|bound| count > bound)
        {
            return Some(false);
        }
        let own = rules.own();
        let mut missing = rules.required_count();
        let mut next = 0;
        for (key, value) in members {
            let fits = match object::find(own, key, next) {
                // Another name: whether both are given is for the walk to see.
                Some((_, property)) if !property.aliases.is_empty() && *property.name != **key => {
                    return None;
                }
                Some((index, property)) => {
                    next = index + 1;
                    missing -= usize::from(property.required);
                    (property.null_is_absent && value.is_null())
                        || self.check(&property.schema, value, depth)?
                }
                None => match &rules.additional {
                    Additional::Closed => false,
                    Additional::Open | Additional::Unstated => is_lossless(value),
                    Additional::Schema(schema) => self.check(schema, value, depth)?,
                },
            };
            if !fits {
                return Some(false);
            }
        }
        Some(missing == 0)
    }
}

impl Kind {
    /// Whether `null` fits a scalar.
    #[inline]
    pub(super) fn accepts_null(&self) -> bool {
        match self {
            Self::Null(members) => members.is_free() || members.accept(&Literal::Null),
            _ => false,
        }
    }

    /// Whether a boolean fits.
    #[inline]
    pub(super) fn accepts_bool(&self, value: bool) -> bool {
        match self {
            Self::Boolean(members) => members.is_free() || members.accept(&Literal::Boolean(value)),
            _ => false,
        }
    }

    /// Whether a number fits.
    #[inline]
    pub(super) fn accepts_number(&self, value: Number) -> bool {
        match self {
            Self::Integer(members, rules) => {
                value.is_integral()
                    && (members.is_free() || members.accept(&Literal::Number(value)))
                    && rules.accept(value)
            }
            Self::Number(members, rules) => {
                (members.is_free() || members.accept(&Literal::Number(value)))
                    && rules.accept(value)
            }
            _ => false,
        }
    }

    /// Whether a text fits.
    #[inline]
    pub(super) fn accepts_text(&self, text: &str) -> bool {
        match self {
            Self::String(members, rules) => {
                (members.is_free() && rules.is_free()) || is_accepted(members, rules, text)
            }
            _ => false,
        }
    }
}

/// Whether a number fits where that is not plain to see.
#[inline(never)]
fn is_accepted_number(kind: &Kind, written: &serde_json::Number) -> bool {
    number(written).is_some_and(|value| kind.accepts_number(value))
}

/// Whether a text fits where something is said about it; most texts are free, and told without
/// this call.
#[inline(never)]
fn is_accepted(members: &Members, rules: &StringRules, text: &str) -> bool {
    (members.is_free() || members.accept_text(text)) && (rules.is_free() || rules.accept(text))
}

impl Members {
    #[inline]
    fn is_free(&self) -> bool {
        self.any_of.is_empty() && self.exactly.is_none()
    }

    fn accept(&self, value: &Literal) -> bool {
        (self.any_of.is_empty() || self.any_of.iter().any(|member| member.value.is(value)))
            && self.exactly.as_ref().is_none_or(|exactly| exactly.is(value))
    }

    fn accept_text(&self, text: &str) -> bool {
        let is = |literal: &Literal| matches!(literal, Literal::Text(own) if **own == *text);
        (self.any_of.is_empty() || self.any_of.iter().any(|Member { value, .. }| is(value)))
            && self.exactly.as_ref().is_none_or(is)
    }
}

impl Literal {
    /// Whether both are the same value, numbers by value.
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(a), Self::Number(b)) => a.equals(*b),
            (a, b) => a == b,
        }
    }
}

impl NumberRules {
    #[inline]
    fn is_free(&self) -> bool {
        let Self { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of } = self;
        minimum.is_none()
            && maximum.is_none()
            && exclusive_minimum.is_none()
            && exclusive_maximum.is_none()
            && multiple_of.is_none()
    }

    /// Whether a whole number fits; the bounds of Rust's types are whole, too.
    #[inline]
    fn accept_whole(&self, value: i128) -> bool {
        match self {
            Self {
                minimum: Some(Number::Integer(least)),
                maximum: Some(Number::Integer(most)),
                exclusive_minimum: None,
                exclusive_maximum: None,
                multiple_of: None,
            } => (*least..=*most).contains(&value),
            rules => rules.accept(Number::Integer(value)),
        }
    }

    fn accept(&self, value: Number) -> bool {
        let Self { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of } = self;
        minimum.as_ref().is_none_or(|bound| !value.less_than(*bound))
            && maximum.as_ref().is_none_or(|bound| !bound.less_than(value))
            && exclusive_minimum.as_ref().is_none_or(|bound| bound.less_than(value))
            && exclusive_maximum.as_ref().is_none_or(|bound| value.less_than(*bound))
            && multiple_of.as_ref().is_none_or(|step| value.is_multiple_of(*step))
    }
}

impl StringRules {
    #[inline]
    fn is_free(&self) -> bool {
        let Self { min_length, max_length, pattern, format } = self;
        min_length.is_none() && max_length.is_none() && pattern.is_none() && format.is_none()
    }

    fn accept(&self, text: &str) -> bool {
        if self.min_length.is_some() || self.max_length.is_some() {
            let length = text.chars().count() as u64;
            if self.min_length.is_some_and(|bound| length < bound)
                || self.max_length.is_some_and(|bound| length > bound)
            {
                return false;
            }
        }
        self.matches_pattern(text) && self.is_in_format(text)
    }
}
