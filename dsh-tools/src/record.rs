//! The decision record: which hook allowed, denied, asked, changed or wrapped a call.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::model::CallResult;

/// What decided about one call, in the order in which it was decided.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DecisionRecord {
    steps: Vec<DecisionStep>,
}

/// One hook's part in a call.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DecisionStep {
    /// Where in the pipeline.
    pub stage: Stage,
    /// The name the hook was added under, or of the tool for its body.
    pub by: Arc<str>,
    /// What it decided, in words.
    pub decision: Cow<'static, str>,
    /// How long it took, with what it enclosed.
    pub took: Duration,
}

/// A place in the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Stage {
    /// Policy before the call.
    PreExecute,
    /// A question and its answer.
    Ask,
    /// A guard.
    Guard,
    /// The body.
    Body,
    /// A wrapper around the body.
    Around,
    /// Policy after the call.
    PostExecute,
    /// The result on its way out.
    Outbound,
}

impl DecisionRecord {
    /// The steps, in the order in which they were done; a wrapper comes after what it encloses.
    pub fn steps(&self) -> &[DecisionStep] {
        &self.steps
    }
}

impl Stage {
    /// The text form, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PreExecute => "pre_execute",
            Self::Ask => "ask",
            Self::Guard => "guard",
            Self::Body => "body",
            Self::Around => "around",
            Self::PostExecute => "post_execute",
            Self::Outbound => "outbound",
        }
    }
}

/// One line a step.
impl fmt::Display for DecisionRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for DecisionStep { stage, by, decision, took } in &self.steps {
            writeln!(f, "{:<12} {by:<20} {decision} ({took:.1?})", stage.as_str())?;
        }
        Ok(())
    }
}

/// Writes the record of a call that is under way.
#[derive(Debug)]
pub(crate) struct Recorder {
    begun: Instant,
    written: Mutex<Written>,
}

#[derive(Debug)]
struct Written {
    steps: Vec<DecisionStep>,
    /// When the last step was done. Looking at the clock costs more than the rest of a step.
    last: Instant,
}

impl Recorder {
    /// The record of a call that begins now.
    pub(crate) fn begin() -> Self {
        let begun = Instant::now();
        Self { begun, written: Mutex::new(Written { steps: Vec::new(), last: begun }) }
    }

    pub(crate) fn add(
        &self,
        stage: Stage,
        by: &Arc<str>,
        started: Instant,
        decision: impl FnOnce() -> Cow<'static, str>,
    ) {
        let decision = decision();
        let now = Instant::now();
        let step = DecisionStep { stage, by: Arc::clone(by), decision, took: now - started };
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        written.steps.push(step);
        written.last = now;
    }

    /// When the last step was done.
    pub(crate) fn last(&self) -> Instant {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).last
    }

    /// How long it took until the last step was done.
    pub(crate) fn worked(&self) -> Duration {
        self.last() - self.begun
    }

    pub(crate) fn finish(self) -> DecisionRecord {
        let written = self.written.into_inner().unwrap_or_else(PoisonError::into_inner);
        DecisionRecord { steps: written.steps }
    }
}

/// A result in a word or two: `ok`, `error`, `error (TOOL_TIMEOUT)`.
pub(crate) fn summary(result: &CallResult) -> Cow<'static, str> {
    match result.error().map(|error| error.code()) {
        None => "ok".into(),
        Some(None) => "error".into(),
        Some(Some(code)) => format!("error ({code})").into(),
    }
}
