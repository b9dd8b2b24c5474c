//! Names of hosts (RFC 1123), mailboxes (RFC 5321, with the words of RFC 5322) and UUIDs (RFC 4122).

use std::net::{Ipv4Addr, Ipv6Addr};

/// Labels of letters, digits and inner hyphens (RFC 1123, 2.1; RFC 1034, 3.5 for the lengths).
///
/// What a label in Punycode stands for is not looked at.
pub(super) fn hostname(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let known = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    known && (1..=63).contains(&label.len()) && !label.starts_with('-') && !label.ends_with('-')
}

/// `Mailbox` of RFC 5321, 4.1.2; the lengths of 4.5.3.1.
pub(super) fn email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let quoted = local.strip_prefix('"').and_then(|local| local.strip_suffix('"'));
    let is_local = match quoted {
        Some(content) => is_quoted(content),
        None => local.split('.').all(is_atom),
    };
    let literal = domain.strip_prefix('[').and_then(|domain| domain.strip_suffix(']'));
    let is_domain = match literal {
        Some(address) => is_address(address),
        None => hostname(domain),
    };
    local.len() <= 64 && is_local && is_domain
}

fn is_atom(atom: &str) -> bool {
    const SPECIAL: &[u8] = b"!#$%&'*+-/=?^_`{|}~";
    let mut bytes = atom.bytes();
    !atom.is_empty() && bytes.all(|byte| byte.is_ascii_alphanumeric() || SPECIAL.contains(&byte))
}

/// Printable ASCII, in which a backslash stands before a quote and before itself.
fn is_quoted(content: &str) -> bool {
    let mut bytes = content.bytes();
    while let Some(byte) = bytes.next() {
        let byte = if byte == b'\\' { bytes.next() } else { Some(byte).filter(|b| *b != b'"') };
        if !byte.is_some_and(|byte| (b' '..=b'~').contains(&byte)) {
            return false;
        }
    }
    true
}

fn is_address(address: &str) -> bool {
    match address.strip_prefix("IPv6:") {
        Some(address) => address.parse::<Ipv6Addr>().is_ok(),
        None => address.parse::<Ipv4Addr>().is_ok(),
    }
}

/// Hexadecimal digits in groups of 8, 4, 4, 4 and 12, of any version.
pub(super) fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
