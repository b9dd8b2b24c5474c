//! Paths to arguments: keys with `.` between them, `[]` for every element.

use serde_json::Value;

use super::truth::Doubt;
use crate::schema::{Places, ValueSchema};

/// A path to values within the arguments of a call.
#[derive(Clone, Debug)]
pub(super) struct ArgumentPath {
    text: Box<str>,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    kind: StepKind,
    /// Where it ends in the text.
    end: usize,
}

#[derive(Clone, Debug)]
enum StepKind {
    /// The member of an object.
    Key(Box<str>),
    /// Every element of an array.
    Each,
}

/// What is at the end of a path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Found<'v> {
    Value(&'v Value),
    /// Nothing, or `null`, which counts as nothing.
    Absent,
    /// It cannot be reached.
    Blocked(Doubt),
}

impl ArgumentPath {
    /// Reads a path; none if it is not one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut steps = Vec::new();
        let mut rest = text;
        loop {
            let (key, behind) = key(rest)?;
            rest = behind;
            let end = |rest: &str| text.len() - rest.len();
            steps.push(Step { kind: StepKind::Key(key.into()), end: end(rest) });
            while let Some(behind) = rest.strip_prefix("[]") {
                rest = behind;
                steps.push(Step { kind: StepKind::Each, end: end(rest) });
            }
            if rest.is_empty() {
                return Some(Self { text: text.into(), steps });
            }
            rest = rest.strip_prefix('.')?;
        }
    }

    /// Its text.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The text of its first steps.
    pub(super) fn first(&self, steps: usize) -> &str {
        let end = steps.checked_sub(1).and_then(|last| self.steps.get(last)).map_or(0, |s| s.end);
        self.text.get(..end).unwrap_or_default()
    }

    /// Everything it leads to, at least one finding.
    ///
    /// A key stands for every key that the schema reads as the same property.
    pub(super) fn find<'v>(
        &self,
        arguments: &'v Value,
        schema: Option<&ValueSchema>,
    ) -> Vec<Found<'v>> {
        if !arguments.is_object() {
            return vec![Found::Blocked(Doubt::Blocked(0, "an object"))];
        }
        let mut places = Places::root(schema);
        let mut found = vec![Found::Value(arguments)];
        for (done, Step { kind, .. }) in self.steps.iter().enumerate() {
            let before = std::mem::take(&mut found);
            match kind {
                StepKind::Key(key) => {
                    let keys = places.keys(key);
                    for value in before {
                        value.members(&keys, done, &mut found);
                    }
                    places = places.member(key);
                }
                StepKind::Each => {
                    for value in before {
                        value.elements(done, &mut found);
                    }
                    places = places.elements();
                }
            }
        }
        found
    }
}

impl<'v> Found<'v> {
    fn members(self, keys: &[&str], done: usize, found: &mut Vec<Self>) {
        match self {
            Self::Value(Value::Object(members)) => {
                let there = keys.iter().filter_map(|key| members.get(*key));
                let before = found.len();
                found.extend(there.filter(|value| !value.is_null()).map(Self::Value));
                if found.len() == before {
                    found.push(Self::Absent);
                }
            }
            Self::Value(_) => found.push(Self::Blocked(Doubt::Blocked(done, "an object"))),
            Self::Absent | Self::Blocked(_) => found.push(self),
        }
    }

    fn elements(self, done: usize, found: &mut Vec<Self>) {
        match self {
            Self::Value(Value::Array(items)) if items.is_empty() => found.push(Self::Absent),
            Self::Value(Value::Array(items)) => found.extend(items.iter().map(Self::of)),
            Self::Value(_) => found.push(Self::Blocked(Doubt::Blocked(done, "an array"))),
            Self::Absent | Self::Blocked(_) => found.push(self),
        }
    }

    fn of(value: &'v Value) -> Self {
        if value.is_null() { Self::Absent } else { Self::Value(value) }
    }
}

/// The key that a text begins with, and what is left of it; none if there is no key.
fn key(text: &str) -> Option<(String, &str)> {
    let mut key = String::new();
    let mut rest = text.chars();
    loop {
        let before = rest.as_str();
        match rest.next() {
            None | Some('.' | '[' | ']') => return (!key.is_empty()).then_some((key, before)),
            Some('\\') => key.push(rest.next()?),
            Some(other) => key.push(other),
        }
    }
}

/// Equal when they are written the same.
impl PartialEq for ArgumentPath {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}
