//! One rule, and whether it matches a call.

use std::fmt;
use std::sync::Arc;

use super::Decision;
use super::argument::ArgumentPath;
use super::matcher::{Matcher, check_all};
use super::selector::{Annotation, Names};
use super::truth::{Doubt, Side, Truth};
use crate::definition::{Parameters, ToolDefinition};
use crate::execution::Execution;

/// One rule. What it does not select by is `None` or empty.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: Box<str>,
    /// The line it begins in, from 1.
    pub(super) line: usize,
    /// Where its name stands in the text.
    pub(super) at: usize,
    pub(super) decision: Decision,
    pub(super) reason: Option<Box<str>>,
    pub(super) tools: Option<Names>,
    pub(super) agents: Option<Names>,
    pub(super) tags: Option<Names>,
    pub(super) annotations: Vec<Annotation>,
    pub(super) when: Vec<Condition>,
    /// What decision records call it.
    pub(super) label: Arc<str>,
}

/// What is asked about the values at one path.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Condition {
    pub(super) path: ArgumentPath,
    pub(super) matchers: Vec<Matcher>,
}

/// Whether a rule holds for a call, and which part of it decides that.
#[derive(Clone, Copy, Debug)]
pub(super) enum Finding<'r> {
    Holds,
    Fails(Part<'r>),
    InDoubt(Part<'r>, Doubt),
}

/// A part of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'r> {
    Tools,
    Agents,
    Tags,
    Annotations,
    Condition(&'r ArgumentPath),
}

impl Rule {
    pub(super) const fn side(&self) -> Side {
        Side::of(self.decision)
    }

    /// Whether the rule holds: what decides is the first part that does not, else the first in doubt.
    pub(super) fn check(&self, execution: &Execution) -> Finding<'_> {
        let mut finding = Finding::Holds;
        for (part, truth) in self.parts(execution) {
            match (truth, finding) {
                (Truth::No, _) => return Finding::Fails(part),
                (Truth::Unknown(doubt), Finding::Holds) => finding = Finding::InDoubt(part, doubt),
                _ => {}
            }
        }
        finding
    }

    /// Whether a call matches for which the rule holds like this.
    pub(super) const fn matches(&self, finding: Finding<'_>) -> bool {
        match finding {
            Finding::Holds => true,
            Finding::Fails(_) => false,
            Finding::InDoubt(..) => matches!(self.side(), Side::Stops),
        }
    }

    /// Its parts, cheap ones first.
    fn parts<'r>(&'r self, execution: &Execution) -> impl Iterator<Item = (Part<'r>, Truth)> {
        let side = self.side();
        let tool = execution.definition();
        let tools =
            self.tools.iter().map(|names| (Part::Tools, names.select(&[execution.name()]).into()));
        let agents = self
            .agents
            .iter()
            .map(move |names| (Part::Agents, names.select_agent(execution, side)));
        let tags = self.tags.iter().map(move |names| {
            (Part::Tags, of_tool(tool, |tool| names.select(&tool.tags().collect::<Vec<_>>())))
        });
        let annotations = self.annotations.iter().map(move |annotation| {
            let holds = of_tool(tool, |tool| annotation.holds(tool.annotations()));
            (Part::Annotations, holds)
        });
        let conditions = self.when.iter().map(move |condition| {
            (Part::Condition(&condition.path), condition.check(execution, side))
        });
        tools.chain(agents).chain(tags).chain(annotations).chain(conditions)
    }
}

/// What holds for a tool; of one that is not registered nothing is known.
fn of_tool(tool: Option<&ToolDefinition>, holds: impl FnOnce(&ToolDefinition) -> bool) -> Truth {
    tool.map_or(Truth::Unknown(Doubt::NoTool), |tool| holds(tool).into())
}

impl Condition {
    fn check(&self, execution: &Execution, side: Side) -> Truth {
        let schema = execution.definition().map(ToolDefinition::parameters);
        let schema = schema.and_then(Parameters::schema);
        let found = self.path.find(execution.arguments(), schema);
        side.over(found.into_iter().map(|found| check_all(&self.matchers, found, side)))
    }
}

impl Finding<'_> {
    /// Why it is in doubt, if it is.
    pub(super) fn doubt(self) -> Option<String> {
        match self {
            Self::InDoubt(Part::Condition(path), doubt) => Some(doubt.describe(Some(path))),
            Self::InDoubt(_, doubt) => Some(doubt.describe(None)),
            Self::Holds | Self::Fails(_) => None,
        }
    }
}

impl fmt::Display for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tools => f.write_str("tools"),
            Self::Agents => f.write_str("agents"),
            Self::Tags => f.write_str("tags"),
            Self::Annotations => f.write_str("annotations"),
            Self::Condition(path) => write!(f, "\"{}\"", path.as_str()),
        }
    }
}
