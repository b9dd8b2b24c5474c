//! References within a document: JSON pointers in the fragment of a URI (RFC 6901, section 6).

use std::fmt::Write as _;

/// The keywords that hold definitions, today's first.
pub(super) const DEFINITIONS: [&str; 2] = ["$defs", "definitions"];

/// What a reference leads to.
pub(super) enum Target {
    /// The whole document.
    Root,
    /// One of its definitions.
    Definition { keyword: &'static str, name: String },
}

/// What a reference leads to; none if that is something else.
pub(super) fn read(reference: &str) -> Option<Target> {
    let pointer = decoded(reference.strip_prefix('#')?)?;
    if pointer.is_empty() {
        return Some(Target::Root);
    }
    let (keyword, name) = pointer.strip_prefix('/')?.split_once('/')?;
    let keyword = DEFINITIONS.into_iter().find(|known| *known == keyword)?;
    let name = (!name.contains('/')).then(|| name.replace("~1", "/").replace("~0", "~"))?;
    Some(Target::Definition { keyword, name })
}

/// The reference to a definition.
pub(super) fn write(name: &str) -> String {
    let mut reference = "#/$defs/".to_owned();
    for byte in name.replace('~', "~0").replace('/', "~1").bytes() {
        // What a fragment may hold as it is (RFC 3986, section 3.5), without what separates.
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte) {
            reference.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            _ = write!(reference, "%{byte:02X}");
        }
    }
    reference
}

/// The text behind percent signs (RFC 3986, section 2.1).
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let mut digit = || char::from(rest.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}
