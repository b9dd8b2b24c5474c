#![doc = include_str!("../docs/policy.md")]

mod argument;
mod error;
mod explain;
mod glob;
mod hook;
mod matcher;
mod reach;
mod read;
mod rule;
mod selector;
mod shared;
mod truth;
mod watch;

use std::fmt;
use std::sync::Arc;

use self::rule::Rule;

pub use self::error::{LoadError, PolicyError, PolicyProblem};
pub use self::explain::{Explanation, RuleExplanation, RuleOutcome};
pub use self::shared::SharedPolicy;

/// Rules over calls, as a hook.
///
/// Mount it with [`pre_execute`](crate::RegistryBuilder::pre_execute), as the first hook, since
/// one before it may decide without it. How rules are written is told by [this module](self). Cheap
/// to clone; [`SharedPolicy`] is one that is replaced while calls run.
///
/// ```
/// use dsh_tools::ToolRegistry;
/// use dsh_tools::policy::Policy;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let policy = Policy::from_toml(r#"
///     default = "ask"
///
///     [[rule]]
///     name = "reads are fine"
///     tools = ["read_*"]
///     decision = "allow"
/// "#)?;
/// let registry = ToolRegistry::builder().pre_execute("policy", policy).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Policy(Arc<Parts>);

struct Parts {
    text: Box<str>,
    default: Decision,
    /// What decision records call the default.
    default_label: Arc<str>,
    rules: Vec<Rule>,
}

/// What a rule, or the default, says about a call; the later, the stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Decision {
    /// The call may run, unless another rule, hook or guard says otherwise.
    Allow,
    /// Somebody has to say yes first.
    Ask,
    /// The call may not run.
    Deny,
}

impl Policy {
    /// Reads a policy.
    ///
    /// # Errors
    /// Everything that is wrong with it at once, each with its line and column: what is no TOML;
    /// then unknown keys, annotations, matchers and decisions, values of the wrong type, broken
    /// globs and regular expressions, names that are taken, rules that match nothing or that
    /// never decide.
    pub fn from_toml(text: &str) -> Result<Self, PolicyError> {
        let (default, rules) = read::read(text)?;
        let default_label = Arc::from("default");
        Ok(Self(Arc::new(Parts { text: text.into(), default, default_label, rules })))
    }

    /// The text it was read from.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// What is decided where no rule matches.
    pub fn default_decision(&self) -> Decision {
        self.0.default
    }
}

impl Decision {
    /// All of them, the mildest first.
    const ALL: [Self; 3] = [Self::Allow, Self::Ask, Self::Deny];

    /// The text form, as in a policy.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Equal when they were read from the same text.
impl PartialEq for Policy {
    fn eq(&self, other: &Self) -> bool {
        self.0.text == other.0.text
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Policy")
            .field("default", &self.0.default)
            .field("rules", &self.0.rules.iter().map(|rule| &*rule.name).collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
