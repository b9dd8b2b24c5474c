//! The audit: who called what, what decided about it, and what it came to.
//!
//! It keeps decisions, where the session [`log`](mod@crate::log) keeps the conversation: neither
//! results nor, unless a host asks for them, arguments.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::date::rfc3339;
use crate::execution::Execution;
use crate::hooks::{Guard, ResultObserver};
use crate::log::JsonLines;
use crate::model::{CallResult, ErrorCode, ToolError, ToolResult};
use crate::panic::catch;
use crate::record::{DecisionRecord, Stage};
use crate::registry::RegistryBuilder;

/// Appends one record a call to a file, a JSON object a line.
///
/// Each call has one record, when its result is final, also one that was denied, unknown or
/// malformed; a call that a batch never started has none. A record that cannot be written is
/// reported through `tracing`, counted in [`lost`](Self::lost), and fails no call, unless the audit
/// is [`required`](Self::required).
///
/// A handle: clones write to the same file. Read it with
/// [`read_json_lines`](crate::log::read_json_lines).
///
/// ```
/// use std::{fs::File, io::BufReader};
///
/// use dsh_tools::audit::{Audit, AuditRecord, Outcome};
/// use dsh_tools::log::read_json_lines;
/// use dsh_tools::{CallOptions, ErrorCode, ToolCall, ToolRegistry};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let path = std::env::temp_dir().join(format!("audit-{}.jsonl", std::process::id()));
/// let registry = Audit::open(&path)?.required().mount(ToolRegistry::builder()).build()?;
/// registry.execute(ToolCall::new("c1", "nope", "{}"), CallOptions::new()).await;
///
/// let mut records = read_json_lines::<AuditRecord>(BufReader::new(File::open(&path)?));
/// let record = records.next().ok_or("one call leaves one record")??.record().unwrap();
/// assert_eq!((&*record.tool, record.outcome), ("nope", Outcome::Error));
/// assert_eq!(record.code, Some(ErrorCode::UnknownTool));
/// # std::fs::remove_file(&path)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Audit {
    file: Arc<AuditFile>,
    arguments: bool,
    required: bool,
}

struct AuditFile {
    lines: JsonLines<Box<dyn io::Write + Send>>,
    /// Whether the last record could not be written.
    broken: AtomicBool,
    lost: AtomicU64,
}

/// What the audit keeps of one call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AuditRecord {
    /// When the result was final, as RFC 3339 has it, in UTC.
    pub time: String,
    /// On whose behalf the call was made, if on anyone's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Identity of the call.
    pub call_id: String,
    /// The call of the model that this call served; its own id when it was that call.
    pub root_call_id: String,
    /// The name that was called.
    pub tool: String,
    /// The SHA-256 of the canonical JSON of the arguments, in hexadecimal.
    pub arguments_hash: String,
    /// The arguments as they were sent, if the host switched that on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// What decided about the call, in the order in which it was decided.
    pub steps: Vec<AuditStep>,
    /// Whether the call succeeded.
    pub outcome: Outcome,
    /// The code of the error, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
}

/// One hook's part in a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AuditStep {
    /// Where in the pipeline.
    pub stage: Stage,
    /// The name the hook was added under, or of the tool for its body.
    pub by: String,
    /// What it decided, in words.
    pub decision: String,
    /// How many microseconds it took, with what it enclosed.
    pub micros: u64,
}

/// Whether a call succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// It gave a value.
    Ok,
    /// It failed, or was denied or cancelled.
    Error,
}

impl Audit {
    /// Opens a file to append to, and makes it if there is none.
    ///
    /// Where the last line lacks its end, as after a crash, the next record starts on a new line.
    ///
    /// # Errors
    /// The file cannot be opened or read.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        JsonLines::open_as(path.as_ref(), |file| Box::new(file) as _).map(Self::on)
    }

    /// Writes to this writer, from the start of a line on.
    pub fn new(writer: impl io::Write + Send + 'static) -> Self {
        Self::on(JsonLines::new(Box::new(writer)))
    }

    fn on(lines: JsonLines<Box<dyn io::Write + Send>>) -> Self {
        let file = AuditFile { lines, broken: AtomicBool::new(false), lost: AtomicU64::new(0) };
        Self { file: Arc::new(file), arguments: false, required: false }
    }

    /// Keeps the arguments as they were sent, which may hold private data. Default: their hash only.
    #[must_use]
    pub fn with_arguments(mut self) -> Self {
        self.arguments = true;
        self
    }

    /// Denies calls before their body while the audit is broken.
    ///
    /// It is broken from a record that could not be written until one that could. The record of a
    /// denied call is that attempt, so it ends by itself with the first call after the cause is gone.
    /// The call whose record is the first to fail has run by then.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Adds the audit to a registry: as an observer, and if it is required as a guard too.
    #[must_use]
    pub fn mount(self, builder: RegistryBuilder) -> RegistryBuilder {
        let builder = if self.required { builder.guard("audit", self.clone()) } else { builder };
        builder.observe("audit", self)
    }

    /// How many records could not be written so far.
    pub fn lost(&self) -> u64 {
        self.file.lost.load(Ordering::Relaxed)
    }

    fn record(
        &self,
        execution: &Execution,
        result: &CallResult,
        decisions: &DecisionRecord,
    ) -> AuditRecord {
        let steps = decisions.steps().iter().map(|step| AuditStep {
            stage: step.stage,
            by: (*step.by).to_owned(),
            decision: step.decision.clone().into_owned(),
            micros: u64::try_from(step.took.as_micros()).unwrap_or(u64::MAX),
        });
        AuditRecord {
            time: rfc3339(SystemTime::now()),
            agent: execution.agent().map(str::to_owned),
            call_id: execution.call_id().to_owned(),
            root_call_id: execution.root_call_id().to_owned(),
            tool: execution.name().to_owned(),
            arguments_hash: execution.arguments_hash().to_string(),
            arguments: self.arguments.then(|| execution.raw_arguments().to_text().into_owned()),
            steps: steps.collect(),
            outcome: if result.is_error() { Outcome::Error } else { Outcome::Ok },
            code: result.error().and_then(ToolError::code).cloned(),
        }
    }
}

impl AuditFile {
    fn append(&self, record: &AuditRecord) {
        let appended = catch("the audit", || self.lines.append(record));
        let appended = appended.and_then(|appended| appended.map_err(ToolError::from));
        self.broken.store(appended.is_err(), Ordering::Relaxed);
        if let Err(error) = appended {
            self.lost.fetch_add(1, Ordering::Relaxed);
            let (call, tool) = (&*record.call_id, &*record.tool);
            tracing::error!(call, tool, "a record is missing in the audit: {error}");
        }
    }
}

impl ResultObserver for Audit {
    fn observe(
        &self,
        execution: &Execution,
        result: &CallResult,
        record: &DecisionRecord,
    ) -> ToolResult<()> {
        self.file.append(&self.record(execution, result, record));
        Ok(())
    }
}

/// Denies while the audit is required and broken.
impl Guard for Audit {
    fn check(&self, _execution: &Execution) -> ToolResult<Option<String>> {
        let denies = self.required && self.file.broken.load(Ordering::Relaxed);
        Ok(denies.then(|| "no call may run while the audit cannot be written".to_owned()))
    }
}

impl fmt::Debug for Audit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Audit")
            .field("arguments", &self.arguments)
            .field("required", &self.required)
            .field("lost", &self.lost())
            .finish_non_exhaustive()
    }
}
