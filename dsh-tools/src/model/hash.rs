//! The hash of a call's arguments.

use std::fmt;

use hmac_sha256::Hash as Sha256;
use serde_json::Value;

use crate::json::to_canonical;

/// SHA-256 of arguments as canonical JSON; equal arguments have equal hashes.
///
/// Canonical is RFC 8785, except that integers keep all their digits. Its text form is 64
/// hexadecimal digits.
///
/// ```
/// use dsh_tools::ArgumentsHash;
/// use serde_json::json;
///
/// let hash = ArgumentsHash::of(&json!({"a": 1, "b": [true]}));
/// assert_eq!(hash, ArgumentsHash::of(&json!({"b": [true], "a": 1.0})));
/// assert_ne!(hash, ArgumentsHash::of(&json!({"a": 2, "b": [true]})));
/// assert_eq!(hash.to_string().len(), 64);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArgumentsHash([u8; 32]);

impl ArgumentsHash {
    /// The hash of these arguments.
    pub fn of(arguments: &Value) -> Self {
        Self(Sha256::hash(to_canonical(arguments).as_bytes()))
    }

    pub(crate) const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for ArgumentsHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ArgumentsHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArgumentsHash({self})")
    }
}
