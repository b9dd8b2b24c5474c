//! Conditions on arguments: paths and matchers.

use std::mem::discriminant;

use regex::Regex;
use toml::de::{DeTable, DeValue};

use super::fields::{Fields, Spot, as_number, boolean, expect, list, number, table, text, unknown};
use super::findings::Findings;
use crate::policy::argument::ArgumentPath;
use crate::policy::glob::path_expression;
use crate::policy::matcher::{Literal, Matcher, Pattern};
use crate::policy::rule::Condition;
use crate::policy::truth::Side;
use crate::schema::pattern_reason;

const MATCHERS: [&str; 9] =
    ["equals", "one_of", "glob", "regex", "prefix", "exists", "above", "below", "not"];

/// How much of a value an expression has to match.
#[derive(Clone, Copy)]
enum Extent {
    Whole,
    Part,
}

/// The conditions of `when`.
pub(super) fn read(value: Spot<'_>, side: Side, findings: &mut Findings<'_>) -> Vec<Condition> {
    let mut conditions = Vec::new();
    for (key, value) in table("when", value, findings).into_iter().flatten() {
        let written: &str = key.get_ref();
        let path = ArgumentPath::parse(written);
        if path.is_none() {
            findings.add(key.span(), not_a_path(written));
        }
        let table = table(written, value, findings);
        let matchers = table.map(|table| matchers(written, table, side, findings));
        if let (Some(path), Some(matchers)) = (path, matchers) {
            conditions.push(Condition { path, matchers });
        }
    }
    conditions
}

fn not_a_path(written: &str) -> String {
    format!(
        "\"{written}\" is not a path of arguments: keys with \".\" between them, \"[]\" behind one \
         for every element, a backslash before \".\", \"[\" or \"]\" that belongs to a key"
    )
}

fn matchers(
    path: &str,
    table: &DeTable<'_>,
    side: Side,
    findings: &mut Findings<'_>,
) -> Vec<Matcher> {
    for (key, value) in table.iter().filter(|(key, _)| !MATCHERS.contains(&&**key.get_ref())) {
        let message = unknown("matcher", key.get_ref(), &MATCHERS);
        findings.add(
            key.span(),
            match value.get_ref() {
                DeValue::Table(_) => {
                    format!("{message}; a path inside is one key, \"{path}.{key}\"")
                }
                _ => message,
            },
        );
    }
    let fields = Fields::of(table);
    let mut matchers = plain_matchers(&fields, Extent::of(side), findings);
    if let Some(not) = fields.get("not").and_then(|value| self::table("not", value, findings)) {
        let [plain @ .., _] = &MATCHERS;
        let fields = Fields::read("matcher in \"not\"", not, plain, findings);
        let extent = Extent::of(side).opposite();
        matchers.push(Matcher::Not(plain_matchers(&fields, extent, findings)));
    }
    matchers
}

/// All matchers but `not`.
fn plain_matchers(
    fields: &Fields<'_>,
    extent: Extent,
    findings: &mut Findings<'_>,
) -> Vec<Matcher> {
    let mut matchers = Vec::new();
    let mut read = |key: &str, matcher: &dyn Fn(Spot<'_>, &mut Findings<'_>) -> Option<Matcher>| {
        matchers.extend(fields.get(key).and_then(|value| matcher(value, findings)));
    };
    read("equals", &|value, findings| {
        let literal = expect("equals", value, SCALAR, literal(value.get_ref()), findings);
        literal.map(|literal| Matcher::OneOf(vec![literal]))
    });
    read("one_of", &one_of);
    read("glob", &glob);
    read("regex", &|value, findings| regex(value, extent, findings));
    read("prefix", &|value, findings| {
        text("prefix", value, findings).map(|prefix| Matcher::Prefix(prefix.into()))
    });
    read("exists", &|value, findings| boolean("exists", value, findings).map(Matcher::Exists));
    read("above", &|value, findings| number("above", value, findings).map(Matcher::Above));
    read("below", &|value, findings| number("below", value, findings).map(Matcher::Below));
    matchers
}

const SCALAR: &str = "a string, a finite number or a boolean";

fn literal(value: &DeValue<'_>) -> Option<Literal> {
    match value {
        DeValue::String(text) => Some(Literal::Text((**text).into())),
        DeValue::Boolean(value) => Some(Literal::Boolean(*value)),
        other => as_number(other).map(Literal::Number),
    }
}

/// Values of one kind: what is of another kind would count as wrong for each of them.
fn one_of(value: Spot<'_>, findings: &mut Findings<'_>) -> Option<Matcher> {
    let mut literals: Vec<Literal> = Vec::new();
    for item in list("one_of", value, findings)? {
        let Some(literal) = expect("one_of[]", item, SCALAR, literal(item.get_ref()), findings)
        else {
            continue;
        };
        if literals.first().is_some_and(|first| discriminant(first) != discriminant(&literal)) {
            findings.add(item.span(), "\"one_of\" must hold values of one type");
        }
        literals.push(literal);
    }
    Some(Matcher::OneOf(literals))
}

fn glob(value: Spot<'_>, findings: &mut Findings<'_>) -> Option<Matcher> {
    let written = text("glob", value, findings)?;
    match path_expression(written) {
        Ok(expression) => Some(Matcher::Glob(Pattern { written: written.into(), expression })),
        Err(reason) => {
            findings.add(value.span(), format!("\"{written}\" is not a glob of paths: {reason}"));
            None
        }
    }
}

/// An expression, which first has to stand by itself: brackets around it must not complete it.
fn regex(value: Spot<'_>, extent: Extent, findings: &mut Findings<'_>) -> Option<Matcher> {
    let written = text("regex", value, findings)?;
    let expression = Regex::new(written).and_then(|part| match extent {
        Extent::Whole => Regex::new(&format!(r"\A(?:{written})\z")),
        Extent::Part => Ok(part),
    });
    match expression {
        Ok(expression) => Some(Matcher::Regex(Pattern { written: written.into(), expression })),
        Err(error) => {
            let reason = pattern_reason(&error);
            let message = format!("\"{written}\" is not a regular expression: {reason}");
            findings.add(value.span(), message);
            None
        }
    }
}

impl Extent {
    /// What lets calls through has to know all of a value; to stop them a part is enough.
    const fn of(side: Side) -> Self {
        match side {
            Side::Admits => Self::Whole,
            Side::Stops => Self::Part,
        }
    }

    const fn opposite(self) -> Self {
        match self {
            Self::Whole => Self::Part,
            Self::Part => Self::Whole,
        }
    }
}
