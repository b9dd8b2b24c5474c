//! Which names a tool may have.

/// Which names a tool may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum NameRule {
    /// `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, which every provider accepts. The default.
    #[default]
    Portable,
    /// 1 to 128 of `A-Za-z0-9_-.`, what MCP (2025-11-25) allows and some providers refuse.
    Mcp,
    /// Anything; what is made at run time may be called so.
    Any,
}

impl NameRule {
    /// Whether the name keeps this rule.
    pub const fn admits(self, name: &str) -> bool {
        let bytes = name.as_bytes();
        let longest = match self {
            Self::Portable => 64,
            Self::Mcp => 128,
            Self::Any => return true,
        };
        if bytes.is_empty() || bytes.len() > longest {
            return false;
        }
        if matches!(self, Self::Portable) && !(bytes[0].is_ascii_alphabetic() || bytes[0] == b'_') {
            return false;
        }
        let mut index = 0;
        while index < bytes.len() {
            let byte = bytes[index];
            let accepted = match byte {
                b'.' => matches!(self, Self::Mcp),
                _ => byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-',
            };
            if !accepted {
                return false;
            }
            index += 1;
        }
        true
    }

    /// The rule in words, for messages.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Portable => {
                "a letter or `_`, then letters, digits, `_` or `-`, at most 64 in all"
            }
            Self::Mcp => "letters, digits, `_`, `-` or `.`, at most 128 in all",
            Self::Any => "any text",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NameRule;

    #[test]
    fn the_portable_rule_is_what_every_provider_accepts() {
        let admits = |name: &str| NameRule::Portable.admits(name);
        assert!(admits("read_file") && admits("_x") && admits("a-b") && admits(&"a".repeat(64)));
        assert!(!admits("") && !admits("9lives") && !admits("-x") && !admits("a.b"));
        assert!(!admits("größe") && !admits(&"a".repeat(65)));
        assert!(NameRule::Mcp.admits("9.lives") && !NameRule::Mcp.admits("a b"));
    }
}
