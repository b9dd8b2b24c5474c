//! Makes a call again that failed for a reason that may pass.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::num::NonZeroU32;
use std::sync::Arc;

use hmac_sha256::Hash as Sha256;
use tokio::time::{Duration, sleep};

use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ErrorCode, ToolError, ToolResult};
use crate::record::summary;

/// Makes a call again that failed for a reason that may pass, after a while.
///
/// Only calls of tools that say they are idempotent or read-only
/// ([`Annotations::is_idempotent`](crate::Annotations::is_idempotent)), and only failures that may
/// pass: by default `TOOL_TIMEOUT`, and errors that [say so](ToolError::with_retry_after). A call
/// that the caller cancelled, that policy or [`RepeatGuard`](super::RepeatGuard) denied, whose
/// arguments or output are wrong, whose tool is unknown or panicked, is never made again.
///
/// The wait doubles from attempt to attempt up to a cap. It is never shorter than what the error
/// asks for; an error that asks for more than the cap is answered as it is. When the call is
/// cancelled during a wait, the last failure is answered at once.
///
/// A failed attempt leaves nothing behind but its steps in the decision record: its deferred
/// contexts and the mark that ends the turn go with it, unless it was the last. A wrapper inside
/// this one, such as [`Timeout`](super::Timeout), begins anew with each attempt; one outside sees
/// all attempts as one call.
///
/// Annotations of a tool from elsewhere are claims; mount this in a scope without such tools where
/// they are not believed.
///
/// ```
/// use std::num::NonZeroU32;
/// use std::time::Duration;
///
/// use dsh_tools::{ToolRegistry, around::Retry};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// const FIVE: NonZeroU32 = NonZeroU32::new(5).unwrap();
/// let retry = Retry::new()
///     .with_attempts(FIVE)
///     .with_backoff(Duration::from_millis(50), Duration::from_secs(2));
/// let registry = ToolRegistry::builder().around("retry", retry).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Retry {
    attempts: NonZeroU32,
    first_wait: Duration,
    longest_wait: Duration,
    jitter: bool,
    seed: Option<u64>,
    retryable: Arc<dyn Fn(&ToolError) -> bool + Send + Sync>,
}

impl Retry {
    /// At most three attempts, about 200 milliseconds and 400 milliseconds apart.
    pub fn new() -> Self {
        const THREE: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");
        Self {
            attempts: THREE,
            first_wait: Duration::from_millis(200),
            longest_wait: Duration::from_secs(10),
            jitter: true,
            seed: None,
            retryable: Arc::new(is_retryable),
        }
    }

    /// Sets how often a call is made at most, the first time included. Default: 3.
    #[must_use]
    pub fn with_attempts(mut self, attempts: NonZeroU32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Sets the wait after the first attempt, which doubles, and its cap. Default: 200 ms and 10 s.
    #[must_use]
    pub fn with_backoff(mut self, first: Duration, longest: Duration) -> Self {
        self.first_wait = first;
        self.longest_wait = longest;
        self
    }

    /// Sets whether up to half of each wait is left out by chance. Default: it is.
    ///
    /// Calls that failed together do not come back together then.
    #[must_use]
    pub fn with_jitter(mut self, jitter: bool) -> Self {
        self.jitter = jitter;
        self
    }

    /// Draws the jitter from this number and the id of the call. Default: from chance.
    ///
    /// The same calls wait the same times then, in every run.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets which failures may pass.
    ///
    /// It is only asked about errors without a code, with a code of the tool's own, `TOOL_TIMEOUT`
    /// and `LIMIT_REACHED`; all others are final.
    ///
    /// ```
    /// use dsh_tools::{ErrorCode, ToolError, around::Retry};
    ///
    /// let busy = ErrorCode::from("SERVICE_BUSY");
    /// let retry = Retry::new().with_retryable(move |error| error.code() == Some(&busy));
    /// ```
    #[must_use]
    pub fn with_retryable(
        mut self,
        retryable: impl Fn(&ToolError) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.retryable = Arc::new(retryable);
        self
    }

    async fn run(&self, execution: &Execution, next: AroundNext<'_>) -> ToolResult<CallResult> {
        let mut attempt = 1;
        loop {
            let result = next.run().await?;
            let wait = result.error().and_then(|error| self.wait(execution, attempt, error));
            let Some(wait) = wait.filter(|_| !next.is_cancelled()) else { return Ok(result) };
            let outcome = summary(&result);
            next.record(format!("attempt {attempt}: {outcome}, again in {wait:.1?}"));
            tracing::debug!(
                target: "dsh_tools",
                tool = execution.name(),
                call = execution.call_id(),
                attempt,
                outcome = &*outcome,
                ?wait,
                "tool call is retried",
            );
            tokio::select! {
                biased;
                () = next.cancelled() => return Ok(result),
                () = sleep(wait) => attempt += 1,
            }
        }
    }

    /// How long to wait after an attempt that failed with this error, if there is to be another.
    fn wait(&self, execution: &Execution, attempt: u32, error: &ToolError) -> Option<Duration> {
        if attempt >= self.attempts.get() || is_final(error) || !(self.retryable)(error) {
            return None;
        }
        let wait = self.backoff(execution, attempt);
        match error.retry_after() {
            Some(asked) => (asked <= self.longest_wait).then(|| wait.max(asked)),
            None => Some(wait),
        }
    }

    fn backoff(&self, execution: &Execution, attempt: u32) -> Duration {
        let doubled = self.first_wait.saturating_mul(2_u32.saturating_pow(attempt - 1));
        let wait = doubled.min(self.longest_wait);
        if !self.jitter {
            return wait;
        }
        let half = wait / 2;
        half + half.saturating_mul(self.chance(execution, attempt)) / u32::from(u16::MAX)
    }

    /// A number up to the greatest `u16`, each as likely as the others.
    fn chance(&self, execution: &Execution, attempt: u32) -> u32 {
        let seed = self.seed.unwrap_or_else(|| RandomState::new().hash_one(attempt));
        let drawn = Sha256::hash(format!("{seed} {attempt} {}", execution.call_id()).as_bytes());
        let [first, second, ..] = drawn;
        u16::from_be_bytes([first, second]).into()
    }
}

/// Failures that pass by themselves, as far as they say so.
fn is_retryable(error: &ToolError) -> bool {
    error.retry_after().is_some() || error.code() == Some(&ErrorCode::ToolTimeout)
}

/// Whether the same call can only come to the same, or somebody decided that it must not run.
fn is_final(error: &ToolError) -> bool {
    match error.code() {
        None | Some(ErrorCode::ToolTimeout | ErrorCode::LimitReached | ErrorCode::Tool(_)) => false,
        Some(
            ErrorCode::UnknownTool
            | ErrorCode::InvalidArgs
            | ErrorCode::InvalidToolOutput
            | ErrorCode::Aborted
            | ErrorCode::AbortedBeforeDispatch
            | ErrorCode::UnsupportedSchema
            | ErrorCode::ToolActivationFailed
            | ErrorCode::PolicyDenied
            | ErrorCode::RepeatedCall
            | ErrorCode::Panicked,
        ) => true,
    }
}

impl Around for Retry {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        let tool = execution.definition();
        if tool.is_some_and(|tool| tool.annotations().is_idempotent()) {
            Box::pin(self.run(execution, next))
        } else {
            next.run()
        }
    }
}

impl Default for Retry {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Retry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Retry")
            .field("attempts", &self.attempts)
            .field("first_wait", &self.first_wait)
            .field("longest_wait", &self.longest_wait)
            .field("jitter", &self.jitter)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}
