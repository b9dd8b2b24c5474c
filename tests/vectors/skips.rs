//! Vectors that cannot exist in Rust, each with its reason.

use std::collections::BTreeMap;

/// The reasons by vector; a line is `id: reason`, `#` starts a remark.
pub(crate) fn read() -> BTreeMap<&'static str, &'static str> {
    let lines = include_str!("skips.txt").lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").expect("a skip has a reason")).collect()
}
