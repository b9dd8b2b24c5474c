//! Regular expressions of ECMA-262 in the words of `regex`, where both read the same differently.
//!
//! JSON Schema means those of ECMA-262 (Core, 6.4). What `regex` does not know it refuses by
//! itself; this is about what it would take for something else.

use std::str::Chars;

/// The expression for `regex` that matches what this one matches in ECMA-262.
pub(super) fn from_ecma(pattern: &str) -> String {
    let mut expression = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(char) = rest.next() {
        match char {
            '\\' => expression.push_str(&escape(rest.next(), r"(?-u:\b)")),
            '[' => class(&mut rest, &mut expression),
            '.' => expression.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            other => expression.push(other),
        }
    }
    expression
}

/// A class, which holds no other one, no intersection and no difference, and may be empty.
fn class(rest: &mut Chars<'_>, expression: &mut String) {
    for (class, same) in [("]", r"\P{any}"), ("^]", r"\p{any}")] {
        if let Some(behind) = rest.as_str().strip_prefix(class) {
            *rest = behind.chars();
            expression.push_str(same);
            return;
        }
    }
    expression.push('[');
    if let Some(behind) = rest.as_str().strip_prefix('^') {
        *rest = behind.chars();
        expression.push('^');
    }
    // A hyphen is itself at the start and where a range ends.
    let mut is_hyphen = true;
    while let Some(char) = rest.next() {
        match char {
            '\\' => expression.push_str(&escape(rest.next(), r"\x08")),
            '-' if is_hyphen => expression.push_str(r"\-"),
            '[' | '&' | '~' => expression.extend(['\\', char]),
            other => expression.push(other),
        }
        if char == ']' {
            return;
        }
        is_hyphen = char == '-' && !is_hyphen;
    }
}

/// What stands behind a backslash: digits and words are those of ASCII, angles are themselves.
fn escape(escaped: Option<char>, b: &str) -> String {
    match escaped {
        Some('d') => "[0-9]".to_owned(),
        Some('D') => "[^0-9]".to_owned(),
        Some('w') => "[0-9A-Za-z_]".to_owned(),
        Some('W') => "[^0-9A-Za-z_]".to_owned(),
        Some('b') => b.to_owned(),
        Some('B') => r"(?-u:\B)".to_owned(),
        Some(angle @ ('<' | '>')) => angle.to_string(),
        other => std::iter::once('\\').chain(other).collect(),
    }
}
