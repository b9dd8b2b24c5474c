//! The two kinds of globs: of names, where `*` takes anything, and of paths, where it stays within
//! one part.

use std::path::is_separator;

use regex::Regex;

/// A pattern of names: `*` is any text, `?` any character.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NameGlob(Box<str>);

impl NameGlob {
    /// Reads a pattern; none if it has what only other globs know.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let is_plain = !text.is_empty() && !text.contains(['[', ']', '{', '}', '!', '\\']);
        is_plain.then(|| Self(text.into()))
    }

    pub(super) fn is_match(&self, name: &str) -> bool {
        fits(&self.0, name, |_| true)
    }

    /// Whether every name that the other one matches is one that this matches.
    ///
    /// The other pattern is looked at as if it were a name, in which `*` stands for any text and
    /// so is only taken by a `*`.
    pub(super) fn covers(&self, other: &Self) -> bool {
        fits(&self.0, &other.0, |taken| taken != '*')
    }

    /// Whether it matches every name.
    pub(super) fn is_any(&self) -> bool {
        *self.0 == *"*"
    }
}

/// Whether a pattern fits a text; `one` says whether `?` takes a character.
fn fits(pattern: &str, text: &str, one: impl Fn(char) -> bool) -> bool {
    let (mut pattern, mut text) = (pattern.chars(), text.chars());
    // What stands behind the last star, and the text that it has not taken.
    let mut star: Option<(std::str::Chars<'_>, std::str::Chars<'_>)> = None;
    loop {
        let (mut behind, mut rest) = (pattern.clone(), text.clone());
        match (behind.next(), rest.next()) {
            (Some('*'), _) => {
                star = Some((behind.clone(), text.clone()));
                pattern = behind;
            }
            (Some(wanted), Some(char)) if wanted == char || (wanted == '?' && one(char)) => {
                (pattern, text) = (behind, rest);
            }
            (None, None) => return true,
            _ => {
                let Some((behind, rest)) = &mut star else { return false };
                if rest.next().is_none() {
                    return false;
                }
                (pattern, text) = (behind.clone(), rest.clone());
            }
        }
    }
}

/// The expression for a glob of paths.
///
/// # Errors
/// What is wrong with the glob.
pub(super) fn path_expression(glob: &str) -> Result<Regex, String> {
    if glob.is_empty() {
        return Err("it is empty".to_owned());
    }
    let mut parts: Vec<_> = parts(glob).collect();
    parts.dedup_by(|part, before| *part == "**" && *before == "**");
    let mut expression = String::from(r"(?s)\A");
    let is_absolute = glob.starts_with('/');
    expression.push_str(if is_absolute { "/" } else { "" });
    let mut slash = "";
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        match (*part, is_last) {
            // A directory itself is meant with what is in it.
            ("**", true) if slash.is_empty() => expression.push_str(".*"),
            ("**", true) => expression.push_str("(?:/.*)?"),
            ("**", false) => {
                // At the start it takes the root, too.
                expression.push_str(if index == 0 && !is_absolute { "/?" } else { slash });
                expression.push_str("(?:[^/]+/)*");
                slash = "";
            }
            (part, _) => {
                expression.push_str(slash);
                push_part(part, &mut expression)?;
                slash = "/";
            }
        }
    }
    expression.push_str(r"\z");
    Regex::new(&expression).map_err(|error| error.to_string())
}

/// A part of a path; it matches within one part.
fn push_part(part: &str, expression: &mut String) -> Result<(), String> {
    if part == ".." {
        return Err("a path with \"..\" is never matched".to_owned());
    }
    if part.contains("**") {
        return Err("\"**\" has to be a whole part of the path, as in \"**/name\"".to_owned());
    }
    let mut is_open = false;
    let mut rest = part.chars();
    while let Some(char) = rest.next() {
        match char {
            '*' => expression.push_str("[^/]*"),
            '?' => expression.push_str("[^/]"),
            '{' if !is_open => expression.push_str("(?:"),
            '}' if is_open => expression.push(')'),
            ',' if is_open => expression.push('|'),
            '{' | '}' => return Err(UNBALANCED.to_owned()),
            '[' | ']' => {
                return Err("\"[\" and \"]\" need a backslash before them".to_owned());
            }
            '\\' => match rest.next() {
                Some(escaped) => push_literal(escaped, expression),
                None => return Err("there is nothing behind the last backslash".to_owned()),
            },
            other => push_literal(other, expression),
        }
        is_open = (is_open && char != '}') || char == '{';
    }
    if is_open { Err(UNBALANCED.to_owned()) } else { Ok(()) }
}

const UNBALANCED: &str = "\"{\" and \"}\" come in pairs within one part, and not inside each other";

fn push_literal(char: char, expression: &mut String) {
    expression.push_str(&regex::escape(char.encode_utf8(&mut [0; 4])));
}

/// A path with its empty parts and `.` left out; none if it goes up.
///
/// Where `..` leads depends on links, so the text does not say which file is meant.
pub(super) fn plain_path(path: &str) -> Option<String> {
    // Whatever system the tool runs on.
    if path.split(['/', '\\']).any(|part| part == "..") {
        return None;
    }
    let path = path.replace(is_separator, "/");
    let plain = parts(&path).collect::<Vec<_>>().join("/");
    Some(if path.starts_with('/') { format!("/{plain}") } else { plain })
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".")
}
