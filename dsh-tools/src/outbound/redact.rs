//! Takes secrets out of results.

use std::fmt;
use std::future::ready;
use std::ops::Range;

use regex::Regex;

use crate::execution::Execution;
use crate::hooks::{BoxFuture, Outbound, OutboundPhase};
use crate::model::{CallResult, ToolResult};
use crate::schema::pattern_reason;

/// Replaces secrets in results by `[redacted: …]` with the name the host gives them.
///
/// It works on every text of a result: of its content, of the error with its reason, of the value,
/// of what is recorded for its card, and of messages that follow it; whoever put it there, the body,
/// the tool's finalizer or another hook. Results of nested calls are no exception, as a program that
/// a model wrote could print them in another form. Observers, the session log and the store of an
/// [`OutputBudget`](super::OutputBudget) get what is left.
///
/// - Keys of objects stay, and so does what is no text: numbers, and bytes in base64.
/// - A value keeps its shape and its types. A text that is changed may break a rule of the output
///   schema about that text (`enum`, `pattern`, `format`, a length), which is not checked again.
/// - An error that is changed loses its [source](crate::ToolError::source).
/// - A secret that lies across two content blocks is not found.
///
/// Not covered is what does not go out with the result: the arguments in logs, the decision record,
/// progress, and what bodies and [`Trace`](crate::around::Trace) write to `tracing`.
///
/// ```
/// use dsh_tools::outbound::Redact;
/// use dsh_tools::{CallOptions, ToolCall, ToolRegistry};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let password = "correct horse";
/// let redact = Redact::new()
///     .with_pattern("api key", r"sk-[A-Za-z0-9]+")?
///     .with_secret("database password", password);
/// let registry = ToolRegistry::builder().outbound("redact", redact).build()?;
///
/// let call = ToolCall::new("c1", "sk-123", "{}");
/// let completed = registry.execute(call, CallOptions::new()).await;
/// assert_eq!(
///     completed.result().content().to_string(),
///     r#"Error: unknown tool "[redacted: api key]""#,
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Redact {
    rules: Vec<Rule>,
}

#[derive(Clone)]
struct Rule {
    name: String,
    what: What,
}

#[derive(Clone)]
enum What {
    Pattern(Regex),
    /// One secret, in each form in which a text may have it.
    Secret(Vec<String>),
}

/// A pattern that [`Redact`] cannot search for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern of \"{name}\" is no regular expression: {reason}")]
pub struct PatternError {
    name: String,
    reason: String,
}

impl Redact {
    /// Takes nothing out yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes out what a regular expression matches, in the syntax of the crate `regex`.
    ///
    /// # Errors
    /// It is no regular expression of that syntax, which has no look-around and no references back.
    pub fn with_pattern(
        mut self,
        name: impl Into<String>,
        pattern: &str,
    ) -> Result<Self, PatternError> {
        let name = name.into();
        match Regex::new(pattern) {
            Ok(pattern) => {
                self.rules.push(Rule { name, what: What::Pattern(pattern) });
                Ok(self)
            }
            Err(error) => Err(PatternError { name, reason: pattern_reason(&error) }),
        }
    }

    /// Takes out exactly this value, which nothing prints, also where it is written as JSON.
    ///
    /// White space around the value does not count; a value that is empty is not looked for.
    #[must_use]
    pub fn with_secret(mut self, name: impl Into<String>, value: impl AsRef<str>) -> Self {
        let value = value.as_ref().trim();
        if !value.is_empty() {
            self.rules.push(Rule { name: name.into(), what: What::Secret(forms(value)) });
        }
        self
    }

    /// The text without secrets; none if it has none.
    fn redact(&self, text: &str) -> Option<String> {
        let mut found: Vec<_> = self.rules.iter().flat_map(|rule| rule.find(text)).collect();
        if found.is_empty() {
            return None;
        }
        found.sort_by_key(|(range, _)| range.start);
        let mut redacted = String::with_capacity(text.len());
        let mut end = 0;
        for (range, names) in joined(found) {
            redacted.push_str(text.get(end..range.start).expect("matches are whole characters"));
            redacted.extend(["[redacted: ", &names.join(", "), "]"]);
            end = range.end;
        }
        redacted.push_str(text.get(end..).expect("matches are whole characters"));
        Some(redacted)
    }
}

/// The value as it is, as JSON has it in a string, and as JSON has that in a string.
fn forms(value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned()];
    for _ in 0..2 {
        let written = serde_json::Value::from(&*forms[forms.len() - 1]).to_string();
        let escaped = written.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        forms.push(escaped.expect("JSON strings are in quotes").to_owned());
    }
    forms.dedup();
    forms
}

impl Rule {
    fn find(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let name = &*self.name;
        match &self.what {
            What::Pattern(pattern) => {
                let matches = pattern.find_iter(text).filter(|found| !found.is_empty());
                matches.map(|found| (found.range(), name)).collect()
            }
            What::Secret(forms) => {
                let matches = forms.iter().flat_map(|form| text.match_indices(form.as_str()));
                matches.map(|(start, form)| (start..start + form.len(), name)).collect()
            }
        }
    }
}

/// Matches that overlap as one, with the names of all; they are sorted by where they start.
fn joined(found: Vec<(Range<usize>, &str)>) -> Vec<(Range<usize>, Vec<&str>)> {
    let mut joined: Vec<(Range<usize>, Vec<&str>)> = Vec::new();
    for (range, name) in found {
        match joined.last_mut() {
            Some((last, names)) if range.start < last.end => {
                last.end = last.end.max(range.end);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            _ => joined.push((range, vec![name])),
        }
    }
    joined
}

impl Outbound for Redact {
    fn outbound<'a>(
        &'a self,
        _execution: &'a Execution,
        result: &'a CallResult,
    ) -> BoxFuture<'a, ToolResult<Option<CallResult>>> {
        let redacted = result.map_texts(&|text| self.redact(text));
        Box::pin(ready(Ok(redacted)))
    }

    fn phase(&self) -> OutboundPhase {
        OutboundPhase::Redact
    }
}

/// The names alone.
impl fmt::Debug for Redact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.rules.iter().map(|rule| &rule.name).collect();
        f.debug_struct("Redact").field("names", &names).finish_non_exhaustive()
    }
}
