//! Which calls a rule is about, as far as tool and agent tell.

use super::glob::NameGlob;
use super::truth::{Doubt, Side, Truth};
use crate::execution::Execution;
use crate::model::Annotations;

/// Patterns of names: one of those wanted, if there are any, and none of those refused.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Names {
    pub(super) wanted: Vec<NameGlob>,
    pub(super) refused: Vec<NameGlob>,
}

/// One thing a tool says about its effects, or its opposite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Annotation {
    pub(super) hint: Hint,
    pub(super) is: bool,
}

/// A hint, as policies name it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hint {
    ReadOnly,
    Destructive,
    Idempotent,
    OpenWorld,
}

impl Names {
    /// Whether a thing with these names is selected.
    pub(super) fn select(&self, names: &[&str]) -> bool {
        let matches = |globs: &[NameGlob]| {
            names.iter().any(|name| globs.iter().any(|glob| glob.is_match(name)))
        };
        (self.wanted.is_empty() || matches(&self.wanted)) && !matches(&self.refused)
    }

    /// Whether the agent of a call is selected; a call for nobody counts as absent.
    ///
    /// A rule that stops calls holds for scopes nested in the agent's, too.
    pub(super) fn select_agent(&self, execution: &Execution, side: Side) -> Truth {
        let mut scopes = std::iter::successors(execution.scope(), |scope| match side {
            Side::Admits => None,
            Side::Stops => scope.parent(),
        });
        match (execution.scope(), side) {
            (Some(_), _) => scopes.any(|scope| self.select(&[scope.name()])).into(),
            (None, Side::Admits) => Truth::Unknown(Doubt::NoAgent),
            (None, Side::Stops) => self.wanted.is_empty().into(),
        }
    }

    /// Whether everything that the other patterns select is selected by these, as far as the
    /// patterns tell.
    pub(super) fn cover(&self, other: &Self) -> bool {
        let wants = |glob: &NameGlob| self.wanted.iter().any(|wanted| wanted.covers(glob));
        let refuses = |glob: &NameGlob| other.refused.iter().any(|refused| refused.covers(glob));
        let wants_all = !other.wanted.is_empty() && other.wanted.iter().all(wants);
        (self.wanted.is_empty() || wants_all) && self.refused.iter().all(refuses)
    }

    /// Whether everything that is wanted is refused.
    pub(super) fn are_empty(&self) -> bool {
        let refused = |glob: &NameGlob| self.refused.iter().any(|refused| refused.covers(glob));
        !self.wanted.is_empty() && self.wanted.iter().all(refused)
    }
}

impl Annotation {
    pub(super) fn holds(self, annotations: Annotations) -> bool {
        let given = match self.hint {
            Hint::ReadOnly => annotations.is_read_only(),
            Hint::Destructive => annotations.is_destructive(),
            Hint::Idempotent => annotations.is_idempotent(),
            Hint::OpenWorld => annotations.is_open_world(),
        };
        given == self.is
    }

    /// Whether no tool can be both: a read-only one is not destructive.
    pub(super) fn contradicts(self, other: Self) -> bool {
        let is = |annotation: Self, hint| annotation.hint == hint && annotation.is;
        (self.hint == other.hint && self.is != other.is)
            || (is(self, Hint::ReadOnly) && is(other, Hint::Destructive))
    }
}
