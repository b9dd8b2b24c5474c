//! Which rule decides a call, and why the others do not.

use std::fmt;
use std::sync::Arc;

use super::rule::{Finding, Rule};
use super::{Decision, Policy};
use crate::context::CallOptions;
use crate::execution::Execution;
use crate::model::ToolCall;
use crate::registry::ToolRegistry;

/// What a policy says about one call, with every rule it looked at.
///
/// Its text has a line for what is decided and one for each rule.
///
/// ```
/// use dsh_tools::policy::{Decision, Policy};
/// use dsh_tools::{CallOptions, ToolCall, ToolRegistry};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let policy = Policy::from_toml(r#"
///     default = "ask"
///     rule = [{ name = "no commands", tools = ["run_*"], decision = "deny" }]
/// "#)?;
/// let registry = ToolRegistry::builder().build()?;
/// let call = ToolCall::new("c1", "run_command", "{}");
/// let explanation = policy.explain_call(&registry, call, CallOptions::new());
/// assert_eq!(explanation.decision(), Decision::Deny);
/// assert_eq!(explanation.rule(), Some("no commands"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    decision: Decision,
    rule: Option<String>,
    rules: Vec<RuleExplanation>,
}

/// What one rule says about a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RuleExplanation {
    /// The name of the rule.
    pub name: String,
    /// The line it begins in, from 1.
    pub line: usize,
    /// What it decides where it matches.
    pub decision: Decision,
    /// Whether it matches.
    pub outcome: RuleOutcome,
}

/// Whether a rule matches a call.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RuleOutcome {
    /// It matches.
    Matches,
    /// Whether it matches cannot be said, so it stops the call; why it cannot.
    MatchesInDoubt(String),
    /// It does not match; which part of it does not.
    Misses(String),
    /// Whether it matches cannot be said, so it does not let the call through; why it cannot.
    MissesInDoubt(String),
}

/// The rule that decides a call, or none for the default.
pub(super) struct Ruling<'p> {
    policy: &'p Policy,
    decides: Option<(&'p Rule, Finding<'p>)>,
}

impl Policy {
    /// What this policy says about a call, with every rule.
    pub fn explain(&self, execution: &Execution) -> Explanation {
        let ruling = self.judge(execution);
        Explanation {
            decision: ruling.decision(),
            rule: ruling.decides.map(|(rule, _)| rule.name.to_string()),
            rules: self.0.rules.iter().map(|rule| rule.explain(rule.check(execution))).collect(),
        }
    }

    /// What this policy would say about a call that is not made.
    ///
    /// No hook is asked and nothing runs. The tool is looked up as for a call with these options.
    pub fn explain_call(
        &self,
        registry: &ToolRegistry,
        call: ToolCall,
        options: CallOptions,
    ) -> Explanation {
        let snapshot = registry.snapshot_for(options.scope.as_ref());
        let definition = options.executable(&snapshot, &call.name);
        self.explain(&Execution::new(call, options, definition))
    }

    /// The rule that decides a call: the first of the strictest that match.
    pub(super) fn judge(&self, execution: &Execution) -> Ruling<'_> {
        let mut decides: Option<(&Rule, Finding<'_>)> = None;
        for rule in &self.0.rules {
            if decides.is_some_and(|(other, _)| other.decision >= rule.decision) {
                continue;
            }
            let finding = rule.check(execution);
            if rule.matches(finding) {
                decides = Some((rule, finding));
            }
        }
        Ruling { policy: self, decides }
    }
}

impl Rule {
    fn explain(&self, finding: Finding<'_>) -> RuleExplanation {
        let outcome = match (finding, finding.doubt()) {
            (Finding::Fails(part), _) => RuleOutcome::Misses(part.to_string()),
            (_, None) => RuleOutcome::Matches,
            (_, Some(doubt)) if self.matches(finding) => RuleOutcome::MatchesInDoubt(doubt),
            (_, Some(doubt)) => RuleOutcome::MissesInDoubt(doubt),
        };
        RuleExplanation {
            name: self.name.to_string(),
            line: self.line,
            decision: self.decision,
            outcome,
        }
    }
}

impl<'p> Ruling<'p> {
    pub(super) fn decision(&self) -> Decision {
        self.decides.map_or(self.policy.0.default, |(rule, _)| rule.decision)
    }

    /// What decision records call who decides.
    pub(super) fn label(&self) -> &'p Arc<str> {
        self.decides.map_or(&self.policy.0.default_label, |(rule, _)| &rule.label)
    }

    /// Why the call is stopped, for models and for whoever is asked.
    pub(super) fn reason(&self) -> String {
        let Some((rule, finding)) = self.decides else {
            return "no rule of the policy allows this call".to_owned();
        };
        let reason = match &rule.reason {
            Some(reason) => reason.to_string(),
            None if rule.decision == Decision::Ask => {
                format!("the policy asks before this call ({})", rule.label)
            }
            None => format!("the policy denies this call ({})", rule.label),
        };
        match finding.doubt() {
            Some(doubt) => format!("{reason}; the call could not be checked: {doubt}"),
            None => reason,
        }
    }
}

impl Explanation {
    /// What is decided.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The name of the rule that decides; none for the default.
    pub fn rule(&self) -> Option<&str> {
        self.rule.as_deref()
    }

    /// Every rule, in the order of the text.
    pub fn rules(&self) -> &[RuleExplanation] {
        &self.rules
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule() {
            Some(name) => writeln!(f, "{} by rule \"{name}\"", self.decision)?,
            None => writeln!(f, "{} by default", self.decision)?,
        }
        for RuleExplanation { name, line, decision, outcome } in &self.rules {
            writeln!(f, "line {line:<4} {decision:<5} \"{name}\" {outcome}")?;
        }
        Ok(())
    }
}

impl fmt::Display for RuleOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Matches => f.write_str("matches"),
            Self::MatchesInDoubt(doubt) => write!(f, "matches in doubt: {doubt}"),
            Self::Misses(part) => write!(f, "does not match: {part}"),
            Self::MissesInDoubt(doubt) => write!(f, "does not match in doubt: {doubt}"),
        }
    }
}
