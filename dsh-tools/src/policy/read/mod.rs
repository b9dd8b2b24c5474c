//! A policy from its text: everything that is wrong is found at once.

mod condition;
mod fields;
mod findings;
mod rule;

use std::collections::BTreeMap;

use toml::de::DeTable;

use self::fields::Fields;
use self::findings::Findings;
use super::rule::Rule;
use super::{Decision, PolicyError, reach};

/// Reads a policy: its default and its rules.
pub(super) fn read(text: &str) -> Result<(Decision, Vec<Rule>), PolicyError> {
    let mut findings = Findings::new(text);
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        findings.add(error.span().unwrap_or_default(), error.message());
    }
    // What is left of a broken document does not say what was meant.
    let policy = if findings.is_empty() { policy(document.get_ref(), &mut findings) } else { None };
    match policy {
        Some(policy) if findings.is_empty() => Ok(policy),
        _ => Err(findings.into_error()),
    }
}

fn policy(document: &DeTable<'_>, findings: &mut Findings<'_>) -> Option<(Decision, Vec<Rule>)> {
    let fields = Fields::read("key of a policy", document, &["default", "rule"], findings);
    let default =
        fields.get("default").and_then(|value| rule::decision("default", value, findings));
    if fields.get("default").is_none() {
        let missing = "\"default\" is missing, say what happens to a call that no rule matches: \
                       \"allow\", \"ask\" or \"deny\"";
        findings.add(0..0, missing);
    }
    let tables = fields.get("rule").map(|rules| rule::tables(rules, findings)).unwrap_or_default();
    let mut taken = BTreeMap::new();
    let rules: Vec<_> =
        tables.into_iter().filter_map(|table| rule::read(table, &mut taken, findings)).collect();
    reach::check(&rules, |rule, message| findings.add(rule.at..rule.at, message));
    Some((default?, rules))
}
