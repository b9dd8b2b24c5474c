//! Rules: their names, decisions and selectors.

use std::collections::BTreeMap;

use super::condition;
use super::fields::{Fields, Spot, expect, list, text, unknown};
use super::findings::Findings;
use crate::policy::Decision;
use crate::policy::glob::NameGlob;
use crate::policy::rule::Rule;
use crate::policy::selector::{Annotation, Hint, Names};
use crate::policy::truth::Side;

const KEYS: [&str; 8] =
    ["name", "decision", "reason", "tools", "agents", "tags", "annotations", "when"];

const HINTS: [(&str, Hint); 4] = [
    ("read_only", Hint::ReadOnly),
    ("destructive", Hint::Destructive),
    ("idempotent", Hint::Idempotent),
    ("open_world", Hint::OpenWorld),
];

/// The tables of `[[rule]]`.
pub(super) fn tables<'d>(value: Spot<'d>, findings: &mut Findings<'_>) -> Vec<Spot<'d>> {
    let tables = value.get_ref().as_array().map(|array| array.iter().collect());
    expect("rule", value, "an array of tables (`[[rule]]`)", tables, findings).unwrap_or_default()
}

/// A rule, if nothing is wrong with it. `taken` are the names before it, with their lines.
pub(super) fn read(
    value: Spot<'_>,
    taken: &mut BTreeMap<String, usize>,
    findings: &mut Findings<'_>,
) -> Option<Rule> {
    let before = findings.count();
    let table = expect("rule", value, "a table", value.get_ref().as_table(), findings)?;
    let fields = Fields::read("key of a rule", table, &KEYS, findings);
    for key in ["name", "decision"].into_iter().filter(|key| fields.get(key).is_none()) {
        findings.add(value.span(), format!("the rule has no \"{key}\""));
    }
    let at = fields.get("name").map_or(0, |name| name.span().start);
    let name = fields.get("name").and_then(|value| name(value, taken, findings));
    let decision = fields.get("decision").and_then(|value| decision("decision", value, findings));
    let reason = fields.get("reason").and_then(|value| line("reason", value, findings));
    let mut names = |key| fields.get(key).and_then(|value| read_names(key, value, findings));
    let (tools, agents, tags) = (names("tools"), names("agents"), names("tags"));
    let annotations = fields
        .get("annotations")
        .map(|value| read_annotations(value, findings))
        .unwrap_or_default();
    let side = decision.map_or(Side::Stops, Side::of);
    let when =
        fields.get("when").map(|value| condition::read(value, side, findings)).unwrap_or_default();
    let (name, decision) = (name?, decision?);
    (findings.count() == before).then(|| Rule {
        label: format!("rule \"{name}\"").into(),
        line: findings.line(value.span().start),
        at,
        name: name.into(),
        decision,
        reason: reason.map(Into::into),
        tools: tools.and_then(some_tools),
        agents,
        tags,
        annotations,
        when,
    })
}

pub(super) fn decision(
    key: &str,
    value: Spot<'_>,
    findings: &mut Findings<'_>,
) -> Option<Decision> {
    let written = text(key, value, findings)?;
    let decision = Decision::ALL.into_iter().find(|decision| decision.as_str() == written);
    if decision.is_none() {
        let accepted = Decision::ALL.map(Decision::as_str);
        findings.add(value.span(), unknown("decision", written, &accepted));
    }
    decision
}

fn name<'d>(
    value: Spot<'d>,
    taken: &mut BTreeMap<String, usize>,
    findings: &mut Findings<'_>,
) -> Option<&'d str> {
    let name = line("name", value, findings)?;
    let here = findings.line(value.span().start);
    if let Some(there) = taken.insert(name.to_owned(), here) {
        let message = format!("\"{name}\" is the name of the rule at line {there} already");
        findings.add(value.span(), message);
    }
    Some(name)
}

/// Text of one line, which records and messages can hold.
fn line<'d>(key: &str, value: Spot<'d>, findings: &mut Findings<'_>) -> Option<&'d str> {
    let text = text(key, value, findings)?;
    let is_line = !text.trim().is_empty() && !text.contains(char::is_control);
    if !is_line {
        findings.add(value.span(), format!("\"{key}\" must be one line of text"));
    }
    is_line.then_some(text)
}

fn read_names(key: &str, value: Spot<'_>, findings: &mut Findings<'_>) -> Option<Names> {
    let mut names = Names::default();
    for item in list(key, value, findings)? {
        let Some(written) = text(&format!("{key}[]"), item, findings) else { continue };
        let (globs, glob) = match written.strip_prefix('!') {
            Some(refused) => (&mut names.refused, refused),
            None => (&mut names.wanted, written),
        };
        match NameGlob::parse(glob) {
            Some(glob) => globs.push(glob),
            None => findings.add(
                item.span(),
                format!(
                    "\"{written}\" is not a pattern of names: \"*\" stands for any text, \"?\" for \
                     any character, \"!\" at the start for all but these, and other globs have to \
                     be written out"
                ),
            ),
        }
    }
    Some(names)
}

/// Every call names a tool, so the pattern of all names selects by nothing.
fn some_tools(mut names: Names) -> Option<Names> {
    if names.wanted.iter().any(NameGlob::is_any) {
        names.wanted.clear();
    }
    (names != Names::default()).then_some(names)
}

fn read_annotations(value: Spot<'_>, findings: &mut Findings<'_>) -> Vec<Annotation> {
    let mut annotations = Vec::new();
    for item in list("annotations", value, findings).unwrap_or_default() {
        let Some(written) = text("annotations[]", item, findings) else { continue };
        let (is, hint) = match written.strip_prefix('!') {
            Some(hint) => (false, hint),
            None => (true, written),
        };
        if let Some((_, hint)) = HINTS.into_iter().find(|(name, _)| *name == hint) {
            annotations.push(Annotation { hint, is });
        } else {
            let message = unknown("annotation", hint, &HINTS.map(|(name, _)| name));
            findings.add(item.span(), message + ", with \"!\" before them for the opposite");
        }
    }
    annotations
}
