//! The formats of strings that are checked (JSON Schema 2020-12, Validation, 7.3).
//!
//! `ipv4` and `ipv6` always are, by std. The feature `formats` adds those of `MORE`; without it
//! they only tell a model what is meant. A format that is not known accepts every text.

#[cfg(feature = "formats")]
mod name;
#[cfg(feature = "formats")]
mod time;

use std::net::{Ipv4Addr, Ipv6Addr};

type Check = fn(&str) -> bool;

const ALWAYS: &[(&str, Check)] = &[
    ("ipv4", |text| text.parse::<Ipv4Addr>().is_ok()),
    ("ipv6", |text| text.parse::<Ipv6Addr>().is_ok()),
];

#[cfg(feature = "formats")]
const MORE: &[(&str, Check)] = &[
    ("date-time", time::date_time),
    ("date", time::date),
    ("time", time::time),
    ("duration", time::duration),
    ("email", name::email),
    ("hostname", name::hostname),
    ("uri", |text| iri_string::types::UriStr::new(text).is_ok()),
    ("uuid", name::uuid),
];

#[cfg(not(feature = "formats"))]
const MORE: &[(&str, Check)] = &[];

/// Whether a text is in a format.
pub(super) fn accepts(format: &str, text: &str) -> bool {
    let mut checks = ALWAYS.iter().chain(MORE).filter(|(name, _)| *name == format);
    checks.all(|(_, accepts)| accepts(text))
}
