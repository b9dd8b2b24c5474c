//! The kinds of values that keys take. Each says what to write when something else was written.

use std::fmt::Write as _;

use quote::ToTokens;
use syn::{Expr, ExprLit, ExprUnary, Lit, LitStr, Meta, Type, UnOp};

use super::report::{Mistake, Result};
use super::tokens::TYPE_MACRO;
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

/// A type, also in quotes, as serde's attributes have it.
#[derive(Debug, Clone)]
pub(crate) struct TypeName(pub(crate) Type);

impl Value for TypeName {
    const TAKES: &'static str = "a type";
    const EXAMPLE: &'static str = " = String";

    fn read(meta: &Meta) -> Result<Self> {
        let ty = match expression(meta) {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => text.parse().ok(),
            Some(Expr::Macro(call)) if call.mac.path.is_ident(TYPE_MACRO) => {
                syn::parse2(call.mac.tokens.clone()).ok()
            }
            _ => None,
        };
        ty.map(Self).ok_or_else(|| wrong::<Self>(meta))
    }
}

/// A value that is told as it is written, as JSON text.
#[derive(Debug, Clone)]
pub(crate) struct Json(pub(crate) String);

impl Value for Json {
    const TAKES: &'static str = "a string, a number, true, false, or an array of them";
    const EXAMPLE: &'static str = " = 1";

    fn read(meta: &Meta) -> Result<Self> {
        let json = expression(meta).and_then(json);
        json.map(Self).ok_or_else(|| wrong::<Self>(meta))
    }
}

fn json(expression: &Expr) -> Option<String> {
    match expression {
        Expr::Group(group) => json(&group.expr),
        Expr::Array(array) => {
            let items: Option<Vec<String>> = array.elems.iter().map(json).collect();
            Some(format!("[{}]", items?.join(",")))
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(quoted(&text.value())),
        Expr::Lit(ExprLit { lit: Lit::Bool(on), .. }) => Some(on.value.to_string()),
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => number(expr, "-").map(shown),
        other => number(other, "").map(shown),
    }
}

fn shown(number: Number) -> String {
    match number {
        Number::Integer(integer) => integer.to_string(),
        Number::Float(float) => format!("{float:?}"),
    }
}

/// A JSON string (RFC 8259, section 7).
fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => json.extend(['\\', letter]),
            '\n' => json.push_str("\\n"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                _ = write!(json, "\\u{:04x}", u32::from(control));
            }
            plain => json.push(plain),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use super::{Json, Value as _};

    #[track_caller]
    fn check(meta: &syn::Meta, expected: Option<&str>) {
        assert_eq!(Json::read(meta).ok().map(|json| json.0).as_deref(), expected);
    }

    #[test]
    fn literals_are_json() {
        check(&parse_quote!(default = 0x10), Some("16"));
        check(&parse_quote!(default = -1_000.50), Some("-1000.5"));
        check(&parse_quote!(default = 1e300), Some("1e300"));
        check(&parse_quote!(default = "a\"\\\n\u{1}é"), Some(r#""a\"\\\n\u0001é""#));
        check(&parse_quote!(default = [true, ["x"], -1]), Some(r#"[true,["x"],-1]"#));
        check(&parse_quote!(default = []), Some("[]"));
        check(&parse_quote!(default = None), None);
        check(&parse_quote!(default), None);
        check(&parse_quote!(default = 'x'), None);
    }
}
