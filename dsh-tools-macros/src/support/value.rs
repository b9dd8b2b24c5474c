//! The kinds of values that keys take. Each says what to write when something else was written.

use quote::ToTokens;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, Meta, UnOp};

use super::report::{Mistake, Result};
use crate::diag;

/// A kind of value, read from `key`, `key = value` or `key(values)`.
pub(crate) trait Value: Sized {
    /// What the key takes, as in "`timeout` takes a duration".
    const TAKES: &'static str;
    /// What to write after the key.
    const EXAMPLE: &'static str;

    fn read(meta: &Meta) -> Result<Self>;
}

/// The mistake of a value that is not of kind `T`.
pub(crate) fn wrong<T: Value>(meta: &Meta) -> Mistake {
    let at = match meta {
        Meta::NameValue(pair) => pair.value.to_token_stream(),
        other => other.to_token_stream(),
    };
    diag::wrong_value(at, meta.path(), T::TAKES, T::EXAMPLE)
}

/// The expression of `key = expression`, without the invisible groups that `macro_rules!` leaves.
pub(crate) fn expression(meta: &Meta) -> Option<&Expr> {
    let mut expression = &meta.require_name_value().ok()?.value;
    while let Expr::Group(group) = expression {
        expression = &group.expr;
    }
    Some(expression)
}

fn literal(meta: &Meta) -> Option<&Lit> {
    match expression(meta)? {
        Expr::Lit(ExprLit { lit, .. }) => Some(lit),
        _ => None,
    }
}

/// A string, kept as a literal so that it keeps its place.
#[derive(Debug, Clone)]
pub(crate) struct Text(pub(crate) LitStr);

impl Value for Text {
    const TAKES: &'static str = "a string";
    const EXAMPLE: &'static str = " = \"…\"";

    fn read(meta: &Meta) -> Result<Self> {
        match literal(meta) {
            Some(Lit::Str(text)) => Ok(Self(text.clone())),
            _ => Err(wrong::<Self>(meta)),
        }
    }
}

/// Something that is on when named, or `= true` or `= false`.
#[derive(Debug, Clone)]
pub(crate) struct Switch {
    pub(crate) on: bool,
    pub(crate) written: Meta,
}

impl Value for Switch {
    const TAKES: &'static str = "no value, or true or false";
    const EXAMPLE: &'static str = "";

    fn read(meta: &Meta) -> Result<Self> {
        let on = match (meta, literal(meta)) {
            (Meta::Path(_), _) => true,
            (_, Some(Lit::Bool(on))) => on.value,
            _ => return Err(wrong::<Self>(meta)),
        };
        let written = meta.clone();
        Ok(Self { on, written })
    }
}

/// A number, for bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

impl Value for Number {
    const TAKES: &'static str = "a number";
    const EXAMPLE: &'static str = " = 1";

    fn read(meta: &Meta) -> Result<Self> {
        let number = match expression(meta) {
            Some(Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. })) => number(expr, "-"),
            Some(expression) => number(expression, ""),
            None => None,
        };
        number.ok_or_else(|| wrong::<Self>(meta))
    }
}

/// Reads a literal together with its sign, since `-i128::MAX - 1` has no positive counterpart.
fn number(expression: &Expr, sign: &str) -> Option<Number> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Int(digits), .. }) => {
            format!("{sign}{}", digits.base10_digits()).parse().ok().map(Number::Integer)
        }
        Expr::Lit(ExprLit { lit: Lit::Float(digits), .. }) => {
            let float: f64 = format!("{sign}{}", digits.base10_digits()).parse().ok()?;
            float.is_finite().then_some(Number::Float(float))
        }
        Expr::Group(group) => number(&group.expr, sign),
        _ => None,
    }
}

/// A length or a number of items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count(pub(crate) u64);

impl Value for Count {
    const TAKES: &'static str = "a whole number from 0";
    const EXAMPLE: &'static str = " = 1";

    fn read(meta: &Meta) -> Result<Self> {
        let count = match literal(meta) {
            Some(Lit::Int(digits)) => digits.base10_parse().ok(),
            _ => None,
        };
        count.map(Self).ok_or_else(|| wrong::<Self>(meta))
    }
}
