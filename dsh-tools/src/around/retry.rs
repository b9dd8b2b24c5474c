//! Makes a failed call again, where doing so does no harm.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;

use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ErrorCode, ToolError, ToolResult};

/// Makes a failed call again, if its tool is idempotent and the failure may pass by itself.
///
/// A tool says that it is idempotent, or read-only, with its annotations; every other is called once. By
/// default a failure may pass if it is [`transient`](ToolError::transient) or a `TOOL_TIMEOUT`. What an
/// attempt left behind for the conversation is dropped with it. Mounted outside of
/// [`Timeout`](super::Timeout) each attempt has the whole time, inside of it all share it.
///
/// ```
/// use std::num::NonZeroU32;
/// use std::time::Duration;
///
/// use dsh_tools::around::{Retry, Timeout};
/// use dsh_tools::ToolRegistry;
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let retry = Retry::new()
///     .with_attempts(const { NonZeroU32::new(5).unwrap() })
///     .with_backoff(Duration::from_millis(100), Duration::from_secs(5));
/// let registry =
///     ToolRegistry::builder().around("retry", retry).around("timeout", Timeout).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Retry {
    attempts: NonZeroU32,
    first: Duration,
    most: Duration,
    jitter: bool,
    passes: Passes,
}

/// Whether a failure may pass by itself.
type Passes = Arc<dyn Fn(&Execution, &ToolError) -> bool + Send + Sync>;

impl Retry {
    /// Three attempts in all, 200 ms and up to 10 s apart.
    pub fn new() -> Self {
        const THREE: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");
        Self {
            attempts: THREE,
            first: Duration::from_millis(200),
            most: Duration::from_secs(10),
            jitter: true,
            passes: Arc::new(|_, error| {
                error.is_transient() || error.code() == Some(&ErrorCode::ToolTimeout)
            }),
        }
    }

    /// Sets how often a call is made at most, with the first time.
    #[must_use]
    pub fn with_attempts(mut self, attempts: NonZeroU32) -> Self {
        self.attempts = attempts;
        self
    }

    /// Sets how long it waits after the first attempt, and at most, up to a day; in between it
    /// doubles.
    #[must_use]
    pub fn with_backoff(mut self, first: Duration, most: Duration) -> Self {
        (self.first, self.most) = (first, most.min(Duration::from_hours(24)));
        self
    }

    /// Waits exactly as long as the backoff says. Default: between half of it and all of it, at random, so
    /// that calls which failed together do not come back together.
    #[must_use]
    pub fn without_jitter(mut self) -> Self {
        self.jitter = false;
        self
    }

    /// Sets which failures may pass by themselves, in place of the default.
    ///
    /// It is only asked about tools that are idempotent, and never about a cancellation.
    #[must_use]
    pub fn with_condition(
        mut self,
        passes: impl Fn(&Execution, &ToolError) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.passes = Arc::new(passes);
        self
    }

    async fn run(&self, execution: &Execution, next: AroundNext<'_>) -> ToolResult<CallResult> {
        for attempt in 1..self.attempts.get() {
            let result = next.run().await;
            let is_over = match &result {
                Ok(result) => result.error().is_none_or(|error| !self.may_pass(execution, error)),
                Err(error) => !self.may_pass(execution, error),
            };
            if is_over || next.cancellation().is_cancelled() {
                return result;
            }
            tokio::select! {
                biased;
                () = next.cancellation().cancelled() => return result,
                () = sleep(self.pause(attempt)) => {}
            }
        }
        next.run().await
    }

    fn may_pass(&self, execution: &Execution, error: &ToolError) -> bool {
        let is_cancellation =
            matches!(error.code(), Some(ErrorCode::Aborted | ErrorCode::AbortedBeforeDispatch));
        !is_cancellation && (self.passes)(execution, error)
    }

    /// How long to wait after so many attempts.
    fn pause(&self, attempts: u32) -> Duration {
        let doubled = 2_u32.saturating_pow(attempts - 1);
        let whole = self.first.saturating_mul(doubled).min(self.most);
        if !self.jitter {
            return whole;
        }
        // The keys of a hasher are random, which is all the chance that is needed here.
        let chance = u32::try_from(RandomState::new().hash_one(attempts) >> 32).unwrap_or(0);
        whole.mul_f64(0.5 + f64::from(chance) / f64::from(u32::MAX) / 2.0)
    }
}

impl Around for Retry {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        let annotations = execution.definition().map(ToolDefinition::annotations);
        if annotations.is_some_and(|annotations| annotations.is_idempotent()) {
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
        let Self { attempts, first, most, jitter, passes: _ } = self;
        f.debug_struct("Retry")
            .field("attempts", attempts)
            .field("first", first)
            .field("most", most)
            .field("jitter", jitter)
            .finish_non_exhaustive()
    }
}
