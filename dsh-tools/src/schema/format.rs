//! The formats of strings that are checked (JSON Schema 2020-12, Validation, 7.3).

use std::net::{Ipv4Addr, Ipv6Addr};

/// Whether a text is in a format. A format that is not checked accepts every text.
pub(super) fn accepts(format: &str, text: &str) -> bool {
    match format {
        "ipv4" => text.parse::<Ipv4Addr>().is_ok(),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok(),
        _ => true,
    }
}
