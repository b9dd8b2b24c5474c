//! Why a registry could not be built, or a tool not registered: every reason.

use std::fmt;

use crate::definition::{Origin, ToolDefinition};
use crate::model::ToolError;
use crate::state::StateType;

/// Why a registry could not be built, or a tool not registered: every reason.
///
/// Its `Debug` form is its text, since that is what `main` and `expect` show.
#[derive(Clone, thiserror::Error)]
pub struct BuildError {
    problems: Vec<Problem>,
}

/// One reason why a registry could not be built.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// Several tools have one name in one scope.
    Duplicate {
        /// The name.
        name: String,
        /// Whether they belong to everybody, and not to one scope.
        is_global: bool,
        /// The tools that have it.
        places: Vec<Place>,
    },
    /// The host did not supply a value that tools take.
    MissingState {
        /// Its type.
        state: StateType,
        /// Every tool that takes it.
        tools: Vec<Place>,
    },
    /// A definition breaks a rule.
    Invalid {
        /// The tool.
        tool: Place,
        /// The rule, with the path in its schema where there is one.
        problem: String,
    },
    /// The name belongs to the tool that runs programs.
    Reserved {
        /// The tool.
        tool: Place,
    },
    /// A change listener refused, so what was registered was undone.
    Refused {
        /// What the listener said.
        error: ToolError,
    },
    /// More than one executor was mounted.
    SeveralExecutors,
    /// A function has no `#[tool]`.
    NotATool {
        /// Its path.
        function: &'static str,
    },
}

/// A tool and where it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The name of the tool.
    pub tool: String,
    /// Where a macro made it, if one did.
    pub origin: Option<Origin>,
}

impl BuildError {
    pub(super) fn new(problems: Vec<Problem>) -> Self {
        Self { problems }
    }

    /// Every reason.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl Place {
    pub(super) fn of(definition: &ToolDefinition) -> Self {
        Self { tool: definition.name().to_owned(), origin: definition.origin() }
    }
}

impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [only] = &*self.problems {
            return only.fmt(f);
        }
        write!(f, "{} problems with the tools of this registry", self.problems.len())?;
        for problem in &self.problems {
            write!(f, "\n- {}", problem.to_string().replace('\n', "\n  "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { name, is_global, places } => {
                let rest = if *is_global {
                    " (for a per-agent variant, register through that agent's `agent.ctx` instead)"
                } else {
                    " in this scope"
                };
                write!(f, "tool \"{name}\" is already registered{rest}")?;
                list(f, places)
            }
            Self::MissingState { state, tools } => {
                let name = state.name();
                write!(f, "state `{name}` is missing, add `.state(…)` with a value of that type")?;
                list(f, tools)
            }
            Self::Reserved { tool } => {
                f.write_str(
                    "tool name \"run_code\" is reserved for the PTC presentation transport and \
                     cannot be registered or shadowed",
                )?;
                list(f, std::slice::from_ref(tool))
            }
            Self::Refused { error } => error.fmt(f),
            Self::Invalid { tool, problem } => write!(f, "{tool}: {problem}"),
            Self::SeveralExecutors => {
                f.write_str("a tool executor is already registered in this scope: mount one only")
            }
            Self::NotATool { function } => {
                write!(f, "`{function}` is not a tool, put `#[tool]` on it")
            }
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, places: &[Place]) -> fmt::Result {
    places.iter().try_for_each(|place| write!(f, "\n- {place}"))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool `{}`", self.tool)?;
        match self.origin {
            Some(origin) => write!(f, " at {origin}"),
            None => write!(f, " made at run time"),
        }
    }
}
