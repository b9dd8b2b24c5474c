//! Rules that can decide nothing, as far as their text tells.

use super::Decision;
use super::matcher::Matcher;
use super::rule::{Condition, Rule};
use super::selector::Names;

/// Finds every rule that matches no call, or never decides one.
pub(super) fn check(rules: &[Rule], mut found: impl FnMut(&Rule, String)) {
    for (index, rule) in rules.iter().enumerate() {
        let wins = |(other, covering): &(usize, &Rule)| {
            covering.decision > rule.decision
                || (covering.decision == rule.decision && *other < index)
        };
        let mut winning = rules.iter().enumerate().filter(wins).map(|(_, covering)| covering);
        if let Some(part) = rule.contradiction() {
            found(rule, format!("the rule \"{}\" matches no call: {part}", rule.name));
        } else if let Some(covering) = winning.find(|covering| covering.replaces(rule)) {
            let message = format!(
                "the rule \"{}\" never decides: \"{}\" at line {} matches every call that it \
                 matches, and decides {}",
                rule.name, covering.name, covering.line, covering.decision,
            );
            found(rule, message);
        }
    }
}

impl Rule {
    /// What keeps the rule from matching any call.
    fn contradiction(&self) -> Option<String> {
        let names = [("tools", &self.tools), ("agents", &self.agents), ("tags", &self.tags)];
        let is_empty = |names: &Option<Names>| names.as_ref().is_some_and(Names::are_empty);
        if let Some((key, _)) = names.into_iter().find(|(_, names)| is_empty(names)) {
            return Some(format!("\"{key}\" refuses everything that it names"));
        }
        let all = &self.annotations;
        if all.iter().any(|one| all.iter().any(|other| one.contradicts(*other))) {
            return Some("no tool has all of these \"annotations\"".to_owned());
        }
        let condition = self.when.iter().find(|condition| condition.is_impossible())?;
        Some(format!("no value fits the matchers of \"{}\"", condition.path.as_str()))
    }

    /// Whether the other rule is in vain beside this one, which wins over it.
    ///
    /// To stop every call is meant: whoever needs that in a hurry must not be told to delete the
    /// other rules first.
    fn replaces(&self, other: &Self) -> bool {
        let stops_everything = self.decision == Decision::Deny && self.selects_everything();
        !stops_everything && self.contradiction().is_none() && self.covers(other)
    }

    fn selects_everything(&self) -> bool {
        self.tools.is_none()
            && self.agents.is_none()
            && self.tags.is_none()
            && self.annotations.is_empty()
            && self.when.is_empty()
    }

    /// Whether this rule matches every call that the other one matches.
    ///
    /// This one is no milder: what an allow rule needs to match is more than enough for the same
    /// condition in a rule that stops calls.
    fn covers(&self, other: &Self) -> bool {
        cover(self.tools.as_ref(), other.tools.as_ref())
            && cover(self.agents.as_ref(), other.agents.as_ref())
            && cover(self.tags.as_ref(), other.tags.as_ref())
            && self.annotations.iter().all(|own| other.annotations.contains(own))
            && self.when.iter().all(|own| other.when.contains(own))
    }
}

/// Whether one selector selects everything that the other one selects.
fn cover(own: Option<&Names>, other: Option<&Names>) -> bool {
    match (own, other) {
        (None, _) => true,
        (Some(own), Some(other)) => own.cover(other),
        (Some(_), None) => false,
    }
}

impl Condition {
    /// Whether the matchers exclude each other.
    fn is_impossible(&self) -> bool {
        let needs_value = |matcher| !matches!(matcher, &Matcher::Exists(_) | &Matcher::Not(_));
        let is_absent = self.matchers.contains(&Matcher::Exists(false));
        let above = self.matchers.iter().find_map(|matcher| match matcher {
            Matcher::Above(bound) => Some(*bound),
            _ => None,
        });
        let below = self.matchers.iter().find_map(|matcher| match matcher {
            Matcher::Below(bound) => Some(*bound),
            _ => None,
        });
        let is_crossed = above.zip(below).is_some_and(|(above, below)| !above.less_than(below));
        is_crossed || (is_absent && self.matchers.iter().any(needs_value))
    }
}
