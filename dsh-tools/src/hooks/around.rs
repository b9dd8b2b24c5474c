//! Encloses the body: timeout, retry, metrics.

use tokio_util::sync::CancellationToken;
use tracing::Span;

use tokio::time::Instant;

use super::{BoxFuture, Named};
use crate::execution::Execution;
use crate::model::{CallResult, ToolResult};
use crate::panic::catch_future;
use crate::record::{Recorder, Stage};

/// Encloses a call: may watch it, cancel it earlier, repeat it, or answer in its place.
///
/// ```
/// use dsh_tools::hooks::{Around, AroundNext, BoxFuture};
/// use dsh_tools::{CallResult, Execution, ToolResult};
///
/// struct Count(std::sync::atomic::AtomicU64);
///
/// impl Around for Count {
///     fn around<'a>(
///         &'a self,
///         _execution: &'a Execution,
///         next: AroundNext<'a>,
///     ) -> BoxFuture<'a, ToolResult<CallResult>> {
///         self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
///         Box::pin(async move { next.run().await })
///     }
/// }
/// ```
pub trait Around: Send + Sync + 'static {
    /// Runs the call; `next.run()` is the wrappers inside this one, then the body.
    ///
    /// # Errors
    /// The call fails with the error, and post-execute hooks are skipped. A failure of the body is
    /// not an error here: it is a result.
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>>;
}

impl<F> Around for F
where
    F: for<'a> Fn(&'a Execution, AroundNext<'a>) -> BoxFuture<'a, ToolResult<CallResult>>
        + Send
        + Sync
        + 'static,
{
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        self(execution, next)
    }
}

/// A wrapper from a closure; without it the compiler does not infer the lifetimes.
///
/// ```
/// use dsh_tools::hooks::around_fn;
///
/// let once_more = around_fn(|_execution, next| {
///     Box::pin(async move {
///         let result = next.run().await?;
///         if result.is_error() { next.run().await } else { Ok(result) }
///     })
/// });
/// # let _ = dsh_tools::ToolRegistry::builder().around("once more", once_more);
/// ```
pub fn around_fn<F>(wrapper: F) -> F
where
    F: for<'a> Fn(&'a Execution, AroundNext<'a>) -> BoxFuture<'a, ToolResult<CallResult>>
        + Send
        + Sync
        + 'static,
{
    wrapper
}

/// The body and what makes its result; what the innermost wrapper encloses.
pub(crate) trait Innermost: Send + Sync {
    /// The tokens are those that wrappers put in place of the caller's, which reaches it anyway.
    fn run(&self, signals: Vec<CancellationToken>) -> BoxFuture<'_, CallResult>;

    /// Makes a result that the pipeline did not make for this call into one it could have made.
    fn normalize(&self, result: CallResult) -> ToolResult<CallResult>;
}

/// The wrappers inside the one that holds it, and the body.
pub struct AroundNext<'a> {
    pub(crate) rest: &'a [Named<dyn Around>],
    pub(crate) execution: &'a Execution,
    pub(crate) innermost: &'a dyn Innermost,
    pub(crate) recorder: &'a Recorder,
    /// What wrappers outside this one put in place of the caller's token, outermost first.
    pub(crate) signals: Vec<CancellationToken>,
    pub(crate) span: &'a Span,
}

impl<'a> AroundNext<'a> {
    /// The token that cancels the call at this level.
    pub fn cancellation(&self) -> &CancellationToken {
        self.signals.last().unwrap_or_else(|| self.execution.cancellation())
    }

    /// Runs the wrappers inside this one and the body. May be called again: all of it runs again.
    ///
    /// # Errors
    /// The error or panic of an inner wrapper; passing it on is right.
    ///
    /// # Cancel safety
    /// No: dropping the future drops a body that has started. Cancel a token and await instead.
    pub fn run(&self) -> BoxFuture<'a, ToolResult<CallResult>> {
        self.run_inside(self.signals.clone())
    }

    /// As [`run`](Self::run), with another token in place of [`cancellation`](Self::cancellation).
    ///
    /// The caller's own cancellation reaches the body too, and so do the tokens of wrappers outside
    /// this one: a deadline outside holds whatever is done inside.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_with(&self, signal: CancellationToken) -> BoxFuture<'a, ToolResult<CallResult>> {
        let mut signals = self.signals.clone();
        signals.push(signal);
        self.run_inside(signals)
    }

    fn run_inside(&self, signals: Vec<CancellationToken>) -> BoxFuture<'a, ToolResult<CallResult>> {
        let (rest, execution, innermost, recorder, span) =
            (self.rest, self.execution, self.innermost, self.recorder, self.span);
        Box::pin(async move {
            let Some((first, rest)) = rest.split_first() else {
                return Ok(innermost.run(signals).await);
            };
            let started = Instant::now();
            let next = AroundNext { rest, execution, innermost, recorder, signals, span };
            let result = catch_future("a wrapper", || first.hook.around(execution, next))
                .await
                .and_then(|result| innermost.normalize(result?));
            recorder.add(Stage::Around, &first.name, started, || match &result {
                Ok(result) => crate::record::summary(result),
                Err(error) => format!("failed: {error}").into(),
            });
            result
        })
    }
}

impl std::fmt::Debug for AroundNext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AroundNext({} wrappers)", self.rest.len())
    }
}
