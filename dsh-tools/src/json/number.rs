//! Numbers as JSON means them: by their value, whole ones exactly.

use std::fmt;

use serde_json::Value;

/// A number, exact for every integer type of Rust.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// A finite decimal number.
    Float(f64),
}

impl Number {
    /// Whether `self` is smaller than `other`, exactly where both are whole.
    #[inline]
    pub(crate) const fn less_than(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a < b,
            _ => self.mixed_less_than(other),
        }
    }

    #[cold]
    const fn mixed_less_than(self, other: Self) -> bool {
        match (self.whole(), other.whole()) {
            (Some(a), Some(b)) => a < b,
            _ => self.approximate() < other.approximate(),
        }
    }

    /// Whether both are the same number, exactly where both are whole.
    #[inline]
    pub(crate) const fn equals(self, other: Self) -> bool {
        match (self.whole(), other.whole()) {
            (Some(a), Some(b)) => a == b,
            // Equal values are meant, not near ones.
            _ => self.approximate().to_bits() == other.approximate().to_bits(),
        }
    }

    #[inline]
    pub(crate) fn is_integral(self) -> bool {
        match self {
            Self::Integer(_) => true,
            Self::Float(value) => value.fract() == 0.0,
        }
    }

    pub(crate) fn is_multiple_of(self, step: Self) -> bool {
        if let (Some(value), Some(step)) = (self.whole(), step.whole()) {
            return step != 0 && value % step == 0;
        }
        let quotient = self.approximate() / step.approximate();
        (quotient - quotient.round()).abs() < 1e-9
    }

    /// The value, where it is a whole number within the range of `i128`.
    #[expect(clippy::cast_possible_truncation, reason = "a cast that changes it is found out")]
    #[expect(clippy::cast_precision_loss, reason = "a cast that changes it is found out")]
    #[inline]
    const fn whole(self) -> Option<i128> {
        match self {
            Self::Integer(value) => Some(value),
            Self::Float(value) => {
                let whole = value as i128;
                let same = (whole as f64).to_bits() == value.to_bits();
                if value.abs() < 1e38 && same { Some(whole) } else { None }
            }
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "only used where one side is a float anyway")]
    pub(crate) const fn approximate(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// The number as JSON; one beyond 64 bits is a decimal number, as readers have it anyway.
    pub(crate) fn to_value(self) -> Value {
        match self {
            Self::Integer(value) => match (i64::try_from(value), u64::try_from(value)) {
                (Ok(value), _) => value.into(),
                (_, Ok(value)) => value.into(),
                _ => self.approximate().into(),
            },
            Self::Float(value) => value.into(),
        }
    }
}

/// The shortest decimal that reads back, written as JSON writers of the web do (ECMA-262,
/// `Number::toString`): whole below 1e21, then with an exponent.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = match self {
            Self::Integer(value) => return value.fmt(f),
            Self::Float(value) => *value,
        };
        let scientific = format!("{:e}", value.abs());
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let digits = mantissa.replace('.', "");
        let point = exponent.parse::<i32>().unwrap_or_default() + 1;
        if value < 0.0 {
            f.write_str("-")?;
        }
        let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
        match point {
            _ if (count..=21).contains(&point) => write!(f, "{digits}{}", zeros(point - count)),
            1..=21 => {
                let (whole, rest) = digits.split_at(usize::try_from(point).unwrap_or_default());
                write!(f, "{whole}.{rest}")
            }
            -5..=0 => write!(f, "0.{}{digits}", zeros(-point)),
            _ => {
                let (first, rest) = digits.split_at(1);
                let dot = if rest.is_empty() { "" } else { "." };
                write!(f, "{first}{dot}{rest}e{:+}", point - 1)
            }
        }
    }
}

/// The number, an integer where it has no fraction; none for negative zero.
#[inline]
pub(crate) fn number(written: &serde_json::Number) -> Option<Number> {
    match written.as_i128() {
        Some(value) => Some(Number::Integer(value)),
        None => decimal(written.as_f64()?),
    }
}

/// The number that a decimal is, an integer where it has no fraction; none for negative zero.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "a cast that changes it is found out")]
#[expect(clippy::cast_precision_loss, reason = "a cast that changes it is found out")]
fn decimal(value: f64) -> Option<Number> {
    // Beyond 2^53 the digits of the integer are not those that were written.
    let whole = value as i64;
    if value.abs() <= 9_007_199_254_740_992.0 && (whole as f64).to_bits() == value.to_bits() {
        return Some(Number::Integer(whole.into()));
    }
    (value.is_finite() && value != 0.0).then_some(Number::Float(value))
}
