//! Three-valued logic: a rule may be about something that a call does not show.

use super::Decision;
use super::argument::ArgumentPath;

/// Whether something holds for a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Truth {
    Yes,
    No,
    Unknown(Doubt),
}

/// Why it cannot be said whether something holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Doubt {
    /// The tool is not registered, so nothing is known of it.
    NoTool,
    /// The call is for no agent.
    NoAgent,
    /// The value is not there.
    Absent,
    /// The value is of another kind.
    Kind(&'static str),
    /// What the path leads through is of another kind, after so many of its steps.
    Blocked(usize, &'static str),
    /// The value is a path that goes up.
    GoesUp,
}

/// What a rule does with the calls it matches, as far as it matters for a doubt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    /// It lets them through, so it has to hold for sure and for every value.
    Admits,
    /// It stops them, so one value is enough, and a doubt counts.
    Stops,
}

impl Side {
    pub(super) const fn of(decision: Decision) -> Self {
        match decision {
            Decision::Allow => Self::Admits,
            Decision::Ask | Decision::Deny => Self::Stops,
        }
    }

    /// What is said about something that is not there.
    pub(super) const fn absent(self) -> Truth {
        match self {
            Self::Admits => Truth::Unknown(Doubt::Absent),
            Self::Stops => Truth::No,
        }
    }

    /// Whether it holds for values, given whether it holds for each.
    pub(super) fn over(self, truths: impl Iterator<Item = Truth>) -> Truth {
        match self {
            Self::Admits => truths.fold(Truth::Yes, Truth::and),
            Self::Stops => truths.fold(Truth::No, Truth::or),
        }
    }
}

impl Truth {
    /// One that is not true decides, else the first doubt.
    pub(super) const fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::No, _) | (_, Self::No) => Self::No,
            (Self::Unknown(doubt), _) | (_, Self::Unknown(doubt)) => Self::Unknown(doubt),
            (Self::Yes, Self::Yes) => Self::Yes,
        }
    }

    /// One that is true decides, else the first doubt.
    pub(super) const fn or(self, other: Self) -> Self {
        self.not().and(other.not()).not()
    }

    pub(super) const fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            doubt @ Self::Unknown(_) => doubt,
        }
    }
}

impl From<bool> for Truth {
    fn from(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

impl Doubt {
    /// What is in the way, for people and models; the path is that of a condition.
    pub(super) fn describe(self, path: Option<&ArgumentPath>) -> String {
        let whole = path.map(ArgumentPath::as_str).unwrap_or_default();
        match self {
            Self::NoTool => "the tool is not registered".to_owned(),
            Self::NoAgent => "the call is for no agent".to_owned(),
            Self::Absent => format!("\"{whole}\" is not there"),
            Self::Kind(expected) => format!("\"{whole}\" must be {expected}"),
            Self::Blocked(0, _) => "the arguments must be a JSON object".to_owned(),
            Self::Blocked(steps, expected) => {
                let part = path.map(|path| path.first(steps)).unwrap_or_default();
                format!("\"{part}\" must be {expected}")
            }
            Self::GoesUp => format!("\"{whole}\" must not contain \"..\""),
        }
    }
}
