//! What went wrong in a call: a message for the model, a code for callers.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::json::TextMap;
use crate::schema::Violation;

/// What a tool's body returns; every std error, `anyhow::Error` and text convert with `?`.
pub type ToolResult<T> = Result<T, ToolError>;

/// The failure of a call.
///
/// The message is what the model reads, after `Error: `. Callers branch on the [code](ErrorCode).
/// Like `anyhow::Error` this type does not implement [`std::error::Error`] itself, so that every
/// error type that does can become one with `?`.
///
/// ```
/// use dsh_tools::{ErrorCode, ToolError, ToolResult};
///
/// fn parse(text: &str) -> ToolResult<u8> {
///     Ok(text.parse()?)
/// }
///
/// assert_eq!(parse("x").unwrap_err().message(), "invalid digit found in string");
///
/// let error = ToolError::new("no such ticket").with_code("TICKET_MISSING");
/// assert_eq!(error.code(), Some(&ErrorCode::Tool("TICKET_MISSING".into())));
/// ```
#[derive(Clone)]
pub struct ToolError(Box<Parts>);

#[derive(Clone)]
struct Parts {
    message: Cow<'static, str>,
    info: Option<ErrorInfo>,
    violations: Vec<Violation>,
    retry_after: Option<Duration>,
    source: Option<Arc<dyn Error + Send + Sync>>,
}

/// The structured side of a failure: recorded and shown to people, never put into content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorInfo {
    /// The kind of error, like `ToolTimeoutError`.
    pub name: Cow<'static, str>,
    /// The stable code.
    pub code: ErrorCode,
    /// Raw detail for the user, if there is any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A stable code that callers branch on; its text form never changes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
#[non_exhaustive]
pub enum ErrorCode {
    /// `UNKNOWN_TOOL`: no such tool, or none that this caller may see.
    UnknownTool,
    /// `INVALID_ARGS`: the arguments do not fit the parameters; the body did not run.
    InvalidArgs,
    /// `INVALID_TOOL_OUTPUT`: the body's value or rendering is not what the tool declares.
    InvalidToolOutput,
    /// `ABORTED`: cancelled after the body had started.
    Aborted,
    /// `ABORTED_BEFORE_DISPATCH`: cancelled before the body started.
    AbortedBeforeDispatch,
    /// `TOOL_TIMEOUT`: the declared timeout passed.
    ToolTimeout,
    /// `UNSUPPORTED_SCHEMA`: a schema with something that would not be enforced.
    UnsupportedSchema,
    /// `TOOL_ACTIVATION_FAILED`: the condition of a tool could not be evaluated.
    ToolActivationFailed,
    /// `POLICY_DENIED`: a rule of a policy, or its default, denied the call; the body did not run.
    PolicyDenied,
    /// `LIMIT_REACHED`: a limit of the host does not let the call through now; the body did not run.
    LimitReached,
    /// `REPEATED_CALL`: the same call gave the same result again and again; the body did not run.
    RepeatedCall,
    /// `PANICKED`: a body, hook or renderer panicked; the log has what it said.
    Panicked,
    /// A code of the tool's own.
    Tool(Cow<'static, str>),
}

/// An error type whose values have a stable code.
///
/// `#[tool]` keeps the code when the body's `Result` has such an error. Inside a body that returns
/// [`ToolResult`] write `.map_err(ToolError::coded)?`.
///
/// ```
/// use dsh_tools::{CodedError, ToolError};
///
/// #[derive(Debug)]
/// struct Locked;
///
/// impl std::fmt::Display for Locked {
///     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
///         f.write_str("the file is locked")
///     }
/// }
///
/// impl std::error::Error for Locked {}
///
/// impl CodedError for Locked {
///     fn code(&self) -> &'static str {
///         "FILE_LOCKED"
///     }
/// }
///
/// assert_eq!(ToolError::coded(Locked).code().unwrap().as_str(), "FILE_LOCKED");
/// ```
pub trait CodedError: Error + Send + Sync + 'static {
    /// The stable code of this value.
    fn code(&self) -> &'static str;

    /// The kind of error. Default: `ToolError`.
    fn name(&self) -> &'static str {
        "ToolError"
    }

    /// After which time the same call may succeed, if this value passes by itself. Default: none.
    ///
    /// It is what [`ToolError::with_retry_after`] takes.
    fn retry_after(&self) -> Option<Duration> {
        None
    }
}

impl ToolError {
    /// A failure with a message and no code.
    pub fn new(message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Parts {
            message: message.into(),
            info: None,
            violations: Vec::new(),
            retry_after: None,
            source: None,
        }))
    }

    /// A failure from an error that has a code.
    pub fn coded<E: CodedError>(error: E) -> Self {
        let info = ErrorInfo { name: error.name().into(), code: error.code().into(), reason: None };
        let retry_after = error.retry_after();
        let mut converted = Self::from(error);
        converted.0.info = Some(info);
        converted.0.retry_after = retry_after;
        converted
    }

    pub(crate) fn named(
        name: &'static str,
        code: ErrorCode,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut error = Self::new(message);
        error.0.info = Some(ErrorInfo { name: name.into(), code, reason: None });
        error
    }

    pub(crate) fn unknown_tool(name: &str) -> Self {
        Self::named("ToolNotFoundError", ErrorCode::UnknownTool, format!("unknown tool \"{name}\""))
    }

    /// A tool that is there, but not for a model to call by itself.
    pub(crate) fn only_from_programs(name: &str) -> Self {
        let message = format!(
            "unknown tool \"{name}\": only `run_code` is callable directly — call `{name}` from inside a \
             `run_code` program instead"
        );
        Self::named("ToolNotFoundError", ErrorCode::UnknownTool, message)
    }

    pub(crate) fn invalid_arguments(violations: Vec<Violation>) -> Self {
        let message = format!("invalid arguments: {}", join(&violations));
        let mut error = Self::named("ToolArgsError", ErrorCode::InvalidArgs, message);
        error.0.violations = violations;
        error
    }

    pub(crate) fn invalid_output(tool: &str, violations: Vec<Violation>) -> Self {
        let message = format!("tool \"{tool}\" returned invalid output: {}", join(&violations));
        let mut error = Self::named("ToolOutputError", ErrorCode::InvalidToolOutput, message);
        error.0.violations = violations;
        error
    }

    /// An output that is not lossless, before it is known of which tool.
    pub(crate) fn lossy_output() -> Self {
        let text = "value is not lossless JSON".to_owned();
        Self::invalid_output("", vec![Violation { text, hint: None }])
    }

    /// The same error, where it is about an output, with the name of the tool.
    pub(crate) fn of_tool(self, tool: &str) -> Self {
        match self.code() {
            Some(ErrorCode::InvalidToolOutput) => Self::invalid_output(tool, self.0.violations),
            _ => self,
        }
    }

    /// The error with its texts changed, and then without its source, which would tell them.
    pub(crate) fn map_texts(&self, map: &TextMap<'_>) -> Option<Self> {
        let mut changed = self.clone();
        let Parts { message, info, violations, source, retry_after: _ } = &mut *changed.0;
        let mut texts: Vec<&mut String> = Vec::new();
        texts.extend(info.as_mut().and_then(|info| info.reason.as_mut()));
        for Violation { text, hint } in violations {
            texts.push(text);
            texts.extend(hint);
        }
        let mut is_changed = false;
        for text in texts {
            if let Some(other) = map(text) {
                (*text, is_changed) = (other, true);
            }
        }
        if let Some(other) = map(message) {
            (*message, is_changed) = (other.into(), true);
        }
        if !is_changed {
            return None;
        }
        *source = None;
        Some(changed)
    }

    pub(crate) fn panicked(what: &str) -> Self {
        let message = format!("{what} panicked, which is a defect in it and not in the call");
        Self::named("PanicError", ErrorCode::Panicked, message)
    }

    pub(crate) fn aborted() -> Self {
        Self::named("AbortError", ErrorCode::Aborted, "tool call aborted")
    }

    pub(crate) fn aborted_before_dispatch() -> Self {
        Self::named(
            "AbortError",
            ErrorCode::AbortedBeforeDispatch,
            "tool call aborted before dispatch",
        )
    }

    /// Sets a code of the tool's own; a code of [`ErrorCode`] keeps its meaning.
    #[must_use]
    pub fn with_code(mut self, code: impl Into<Cow<'static, str>>) -> Self {
        let code = ErrorCode::from(code.into());
        match &mut self.0.info {
            Some(info) => info.code = code,
            info => *info = Some(ErrorInfo { name: "ToolError".into(), code, reason: None }),
        }
        self
    }

    /// Sets the kind, the code and the detail together.
    #[must_use]
    pub fn with_info(mut self, info: ErrorInfo) -> Self {
        self.0.info = Some(info);
        self
    }

    /// Sets detail for the user, which no model reads; needs a code to be recorded with.
    #[must_use]
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        if let Some(info) = &mut self.0.info {
            info.reason = Some(reason.into());
        }
        self
    }

    /// Says that the failure passes by itself: the same call may succeed after this time.
    ///
    /// Zero leaves the time to whoever tries again, [`Retry`](crate::around::Retry) for example. The
    /// model is not told; put it into the message where that helps.
    ///
    /// ```
    /// use std::time::Duration;
    /// use dsh_tools::ToolError;
    ///
    /// let busy = ToolError::new("the service is busy").with_retry_after(Duration::from_secs(2));
    /// assert_eq!(busy.retry_after(), Some(Duration::from_secs(2)));
    /// assert_eq!(ToolError::new("no such city").retry_after(), None);
    /// ```
    #[must_use]
    pub fn with_retry_after(mut self, after: Duration) -> Self {
        self.0.retry_after = Some(after);
        self
    }

    /// What the model reads, after `Error: `.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The stable code, if the error has one.
    pub fn code(&self) -> Option<&ErrorCode> {
        self.0.info.as_ref().map(|info| &info.code)
    }

    /// The structured side, if the error has a code.
    pub fn info(&self) -> Option<&ErrorInfo> {
        self.0.info.as_ref()
    }

    /// Every violation, where a value did not fit a schema.
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// After which time the same call may succeed, if the failure passes by itself.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// The error this one was made from.
    pub fn source(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        self.0.source.as_deref()
    }
}

fn join(violations: &[Violation]) -> String {
    violations.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// Takes the message of the error and of what caused it, as far as the first does not say it.
impl<E: Into<Box<dyn Error + Send + Sync>>> From<E> for ToolError {
    fn from(error: E) -> Self {
        let source: Arc<dyn Error + Send + Sync> = Arc::from(error.into());
        let mut message = source.to_string();
        let mut cause = source.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !message.contains(&text) {
                message = format!("{message}: {text}");
            }
            cause = error.source();
        }
        let mut error = Self::new(message);
        error.0.source = Some(source);
        error
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("message", &self.0.message)
            .field("info", &self.0.info)
            .field("source", &self.0.source)
            .finish()
    }
}

/// Equal when the model and the caller are told the same; the source is not compared.
impl PartialEq for ToolError {
    fn eq(&self, other: &Self) -> bool {
        self.0.message == other.0.message
            && self.0.info == other.0.info
            && self.0.violations == other.0.violations
            && self.0.retry_after == other.0.retry_after
    }
}

impl ErrorCode {
    /// The stable text form.
    pub fn as_str(&self) -> &str {
        match self {
            Self::UnknownTool => "UNKNOWN_TOOL",
            Self::InvalidArgs => "INVALID_ARGS",
            Self::InvalidToolOutput => "INVALID_TOOL_OUTPUT",
            Self::Aborted => "ABORTED",
            Self::AbortedBeforeDispatch => "ABORTED_BEFORE_DISPATCH",
            Self::ToolTimeout => "TOOL_TIMEOUT",
            Self::UnsupportedSchema => "UNSUPPORTED_SCHEMA",
            Self::ToolActivationFailed => "TOOL_ACTIVATION_FAILED",
            Self::PolicyDenied => "POLICY_DENIED",
            Self::LimitReached => "LIMIT_REACHED",
            Self::RepeatedCall => "REPEATED_CALL",
            Self::Panicked => "PANICKED",
            Self::Tool(code) => code,
        }
    }
}

impl<T: Into<Cow<'static, str>>> From<T> for ErrorCode {
    fn from(code: T) -> Self {
        let code = code.into();
        let known = [
            Self::UnknownTool,
            Self::InvalidArgs,
            Self::InvalidToolOutput,
            Self::Aborted,
            Self::AbortedBeforeDispatch,
            Self::ToolTimeout,
            Self::UnsupportedSchema,
            Self::ToolActivationFailed,
            Self::PolicyDenied,
            Self::LimitReached,
            Self::RepeatedCall,
            Self::Panicked,
        ];
        known.into_iter().find(|known| known.as_str() == code).unwrap_or(Self::Tool(code))
    }
}

impl From<ErrorCode> for String {
    fn from(code: ErrorCode) -> Self {
        code.as_str().to_owned()
    }
}

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
