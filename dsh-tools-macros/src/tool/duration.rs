//! Durations as people write them: `"10s"`, `"1.5m"`.

use syn::{Expr, ExprLit, Lit, LitStr, Meta, Path};

use crate::diag;
use crate::support::report::Result;
use crate::support::value::{Value, expression, wrong};

/// A duration that is not zero.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Duration {
    pub(crate) nanos: u64,
}

impl Value for Duration {
    const TAKES: &'static str = "a duration in quotes";
    const EXAMPLE: &'static str = " = \"10s\"";

    fn read(meta: &Meta) -> Result<Self> {
        match expression(meta) {
            Some(Expr::Lit(ExprLit { lit: Lit::Str(text), .. })) => parse(text, meta.path()),
            Some(Expr::Lit(ExprLit { lit: lit @ (Lit::Int(_) | Lit::Float(_)), .. })) => {
                let number = quote::quote!(#lit);
                let text = number.to_string();
                Err(diag::duration_without_unit(number, meta.path(), &text))
            }
            _ => Err(wrong::<Self>(meta)),
        }
    }
}

fn parse(text: &LitStr, key: &Path) -> Result<Duration> {
    let written = text.value();
    let written = written.trim();
    if is_number(written) {
        return Err(diag::duration_without_unit(quote::quote!(#text), key, written));
    }
    let Some(nanos) = nanos(written) else {
        return Err(diag::not_a_duration(text, key));
    };
    match u64::try_from(nanos) {
        Ok(0) => Err(diag::zero(text, key)),
        Ok(nanos) => Ok(Duration { nanos }),
        // A too large number says all there is to say.
        Err(_too_large) => Err(diag::long_duration(text, key)),
    }
}

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok() && text.starts_with(|c: char| c.is_ascii_digit())
}

/// Reads digits, optionally with a fraction, and a unit. What exceeds `u128` is capped, which is
/// too long all the same.
fn nanos(text: &str) -> Option<u128> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic())?;
    let (number, unit) = text.split_at_checked(unit_at)?;
    let unit: u128 = match unit {
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    };
    let (whole, fraction) = number.trim_end().split_once('.').unwrap_or((number.trim_end(), "0"));
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) {
        return None;
    }
    let whole = whole.parse().unwrap_or(u128::MAX).saturating_mul(unit);
    let fraction = fraction.char_indices().fold((0, unit), |(sum, place), (_, digit)| {
        let place = place / 10;
        (sum + place * u128::from(digit.to_digit(10).unwrap_or(0)), place)
    });
    Some(whole.saturating_add(fraction.0))
}

#[cfg(test)]
mod tests {
    use super::nanos;

    #[test]
    fn reads_units_and_fractions() {
        for (text, expected) in [
            ("10s", Some(10_000_000_000)),
            ("1.5s", Some(1_500_000_000)),
            ("250ms", Some(250_000_000)),
            ("0.5m", Some(30_000_000_000)),
            ("2h", Some(7_200_000_000_000)),
            ("10 s", Some(10_000_000_000)),
            ("0s", Some(0)),
            ("1.s", None),
            (".5s", None),
            ("-1s", None),
            ("10 seconds", None),
            ("10S", None),
            ("s", None),
            ("", None),
        ] {
            assert_eq!(nanos(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_too_long_is_not_short() {
        assert!(
            nanos("99999999999999999999999999999999999999999999h").unwrap() > u128::from(u64::MAX)
        );
    }
}
