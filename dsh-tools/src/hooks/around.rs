//! Encloses the body: timeout, retry, metrics.

use std::borrow::Cow;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::Span;

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
    inside: Inside<'a>,
    /// The name of the wrapper that holds it.
    by: &'a Arc<str>,
    started: Instant,
    /// What wrappers outside this one put in place of the caller's token, outermost first.
    signals: Vec<CancellationToken>,
}

/// Wrappers that have not begun, and the body.
#[derive(Clone, Copy)]
pub(crate) struct Inside<'a> {
    pub(crate) wrappers: &'a [Named<dyn Around>],
    pub(crate) execution: &'a Execution,
    pub(crate) innermost: &'a dyn Innermost,
    pub(crate) recorder: &'a Recorder,
    pub(crate) span: &'a Span,
}

impl<'a> AroundNext<'a> {
    /// The token that cancels the call at this level.
    ///
    /// Of a wrapper that waits, [`cancelled`](Self::cancelled) is what to select on: it also hears
    /// the caller and wrappers outside that this token does not follow.
    pub fn cancellation(&self) -> &CancellationToken {
        self.signals.last().unwrap_or_else(|| self.inside.execution.cancellation())
    }

    /// Whether the call should end: the caller cancelled it, or a wrapper outside this one did.
    pub fn is_cancelled(&self) -> bool {
        self.inside.execution.cancellation().is_cancelled() || any_cancelled(&self.signals)
    }

    /// Waits until the call should end.
    ///
    /// A wrapper that waits for something before it runs the call stops waiting then and runs it:
    /// no body starts any more, and the result says that the call was cancelled.
    ///
    /// # Cancel safety
    /// Yes: nothing is lost when the future is dropped.
    pub async fn cancelled(&self) {
        tokio::select! {
            biased;
            () = self.inside.execution.cancellation().cancelled() => {}
            () = first_cancelled(&self.signals) => {}
        }
    }

    /// Runs the wrappers inside this one and the body. May be called again: all of it runs again.
    ///
    /// What a failed run left behind (deferred contexts, the mark that ends the turn) is dropped
    /// when the next one begins.
    ///
    /// # Errors
    /// The error or panic of an inner wrapper; passing it on is right.
    ///
    /// # Cancel safety
    /// No: dropping the future drops a body that has started. Cancel a token and await instead.
    pub fn run(&self) -> BoxFuture<'a, ToolResult<CallResult>> {
        self.inside.run(self.signals.clone())
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
        self.inside.run(signals)
    }

    /// Adds what this wrapper decided to the [decision record](crate::DecisionRecord) of the call.
    ///
    /// The step has the name of the wrapper and the time since it began. What the wrapper comes to
    /// is recorded by itself.
    pub fn record(&self, decision: impl Into<Cow<'static, str>>) {
        self.inside.recorder.add(Stage::Around, self.by, self.started, || decision.into());
    }

    /// The span of the call.
    pub(crate) fn span(&self) -> &'a Span {
        self.inside.span
    }
}

impl<'a> Inside<'a> {
    /// Runs all of it, with the tokens of the wrappers outside.
    pub(crate) fn run(
        self,
        signals: Vec<CancellationToken>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        Box::pin(async move {
            self.execution.begin_run();
            let result = match self.wrappers.split_first() {
                Some((first, wrappers)) => {
                    Self { wrappers, ..self }.run_wrapped(first, signals).await
                }
                None => Ok(self.innermost.run(signals).await),
            };
            let succeeded = result.as_ref().is_ok_and(|result| !result.is_error());
            self.execution.end_run(succeeded);
            result
        })
    }

    async fn run_wrapped(
        self,
        wrapper: &'a Named<dyn Around>,
        signals: Vec<CancellationToken>,
    ) -> ToolResult<CallResult> {
        let started = Instant::now();
        let next = AroundNext { inside: self, by: &wrapper.name, started, signals };
        let result = catch_future("a wrapper", || wrapper.hook.around(self.execution, next))
            .await
            .and_then(|result| self.innermost.normalize(result?));
        self.recorder.add(Stage::Around, &wrapper.name, started, || match &result {
            Ok(result) => crate::record::summary(result),
            Err(error) => format!("failed: {error}").into(),
        });
        result
    }
}

/// Whether one of the tokens has fired.
pub(crate) fn any_cancelled(signals: &[CancellationToken]) -> bool {
    signals.iter().any(CancellationToken::is_cancelled)
}

/// Waits until one of the tokens fires; for ever if there is none.
pub(crate) async fn first_cancelled(signals: &[CancellationToken]) {
    let mut waiting: Vec<_> = signals.iter().map(|signal| Box::pin(signal.cancelled())).collect();
    poll_fn(|cx| {
        let fired = waiting.iter_mut().any(|waiting| waiting.as_mut().poll(cx).is_ready());
        if fired { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

impl std::fmt::Debug for AroundNext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AroundNext({} wrappers)", self.inside.wrappers.len())
    }
}
