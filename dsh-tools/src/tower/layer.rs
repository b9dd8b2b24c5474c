//! A layer becomes a wrapper.
//!
//! Services take requests that borrow nothing, while what is left of a call is borrowed from it. So the
//! request that goes through the layer is a ticket: whoever calls the inner service with it sends the
//! wish to run back to the wrapper, which runs the rest of the call and answers.

use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::sync::{mpsc, oneshot};
use tower_layer::Layer;
use tower_service::Service;

use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ToolError, ToolResult};

type BoxError = Box<dyn Error + Send + Sync>;
/// Where the answer to one wish to run goes.
type Wish = oneshot::Sender<ToolResult<CallResult>>;

/// Makes a wrapper of a `tower` layer.
///
/// The layer is applied once, and its service is cloned for every call: a limit holds for all calls
/// together. It wraps [`Inner`], which runs the wrappers inside this one and the body.
///
/// - Calling the inner service again runs all of it again, one run at a time: what a run needs to end
///   counts against a timeout of the next.
/// - Dropping what the inner service returned, as a timeout does, cancels the run. The call is answered
///   when the body has come to its end, with what the layer answered.
/// - An error of the layer fails the call with the error's text; see [`Layered::with_error`].
///
/// ```
/// use std::time::Duration;
///
/// use dsh_tools::{ToolRegistry, tower::layered};
/// use tower::{limit::ConcurrencyLimitLayer, timeout::TimeoutLayer};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = ToolRegistry::builder()
///     .around("at most four at a time", layered(ConcurrencyLimitLayer::new(4)))
///     .around("ten seconds", layered(TimeoutLayer::new(Duration::from_secs(10))))
///     .build()?;
/// # Ok(())
/// # }
/// ```
pub fn layered<L>(layer: L) -> Layered<L::Service>
where
    L: Layer<Inner>,
    L::Service: Service<Request, Response = CallResult> + Clone + Send + 'static,
    <L::Service as Service<Request>>::Error: Into<BoxError>,
{
    Layered { service: Mutex::new(layer.layer(Inner(()))), to_error: |error| error.into() }
}

/// A `tower` layer as a wrapper. Made by [`layered`].
pub struct Layered<S> {
    service: Mutex<S>,
    to_error: fn(BoxError) -> ToolError,
}

/// A call on its way through a layer. Clone it to run the call again.
#[derive(Clone)]
pub struct Request {
    execution: Execution,
    wishes: mpsc::UnboundedSender<Wish>,
}

/// The service that a layer wraps: the wrappers inside it and the body.
#[derive(Clone, Debug)]
pub struct Inner(());

/// The failure of a wrapper inside a layer, or that the call has been answered already.
///
/// A failure of the body is none: it is a [`CallResult`], as for every wrapper.
#[derive(Clone, Debug)]
pub struct InnerError(ToolError);

impl<S> Layered<S> {
    /// Sets what an error of the layer is told as, with a code for example.
    ///
    /// Default: a failure with the text of the error. An error that came from an inner wrapper arrives as
    /// itself, also where a layer keeps it as the source of its own.
    #[must_use]
    pub fn with_error(mut self, to_error: fn(BoxError) -> ToolError) -> Self {
        self.to_error = to_error;
        self
    }
}

impl Request {
    /// The call.
    pub fn execution(&self) -> &Execution {
        &self.execution
    }
}

impl Service<Request> for Inner {
    type Response = CallResult;
    type Error = InnerError;
    type Future = BoxFuture<'static, Result<CallResult, InnerError>>;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), InnerError>> {
        Poll::Ready(Ok(()))
    }

    /// Runs the call.
    ///
    /// # Errors
    /// The error of an inner wrapper, and that the call has been answered already.
    fn call(&mut self, request: Request) -> Self::Future {
        Box::pin(async move {
            let over = || InnerError(ToolError::new("the call has been answered already"));
            let (wish, answer) = oneshot::channel();
            request.wishes.send(wish).map_err(|_unsent| over())?;
            answer.await.map_err(|_closed| over())?.map_err(InnerError)
        })
    }
}

impl<S> Around for Layered<S>
where
    S: Service<Request, Response = CallResult> + Clone + Send + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send,
{
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        let service = self.service.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let (wishes, wished) = mpsc::unbounded_channel();
        let answer = ask(service, Request { execution: execution.clone(), wishes });
        Box::pin(async move { serve(answer, wished, next).await.map_err(|error| self.tell(error)) })
    }
}

impl<S> Layered<S> {
    fn tell(&self, error: BoxError) -> ToolError {
        let mut cause: Option<&(dyn Error + 'static)> = Some(&*error);
        while let Some(error) = cause {
            if let Some(InnerError(inner)) = error.downcast_ref() {
                return inner.clone();
            }
            cause = error.source();
        }
        (self.to_error)(error)
    }
}

async fn ask<S>(mut service: S, request: Request) -> Result<CallResult, BoxError>
where
    S: Service<Request, Response = CallResult>,
    S::Error: Into<BoxError>,
{
    poll_fn(|cx| service.poll_ready(cx)).await.map_err(Into::into)?;
    service.call(request).await.map_err(Into::into)
}

/// Waits for the answer of the layer, and meanwhile runs the call as often as the layer wishes.
async fn serve(
    answer: impl Future<Output = Result<CallResult, BoxError>>,
    mut wished: mpsc::UnboundedReceiver<Wish>,
    next: AroundNext<'_>,
) -> Result<CallResult, BoxError> {
    let mut answer = pin!(answer);
    loop {
        let wish = tokio::select! {
            biased;
            answer = &mut answer => return answer,
            Some(wish) = wished.recv() => wish,
        };
        if wish.is_closed() {
            continue;
        }
        if let Some(answer) = run(answer.as_mut(), wish, &next).await {
            return answer;
        }
    }
}

/// Runs the call to its end, whatever the layer does; gives the answer of the layer if it came first.
async fn run<A>(
    mut answer: Pin<&mut impl Future<Output = A>>,
    mut wish: Wish,
    next: &AroundNext<'_>,
) -> Option<A> {
    let signal = next.cancellation().child_token();
    let mut running = next.run_with(signal.clone());
    let mut answered = None;
    loop {
        tokio::select! {
            biased;
            result = &mut running => {
                // Whoever wished for the run may have gone while it was ending.
                let _heard = wish.send(result);
                return answered;
            }
            answer = &mut answer, if answered.is_none() => {
                signal.cancel();
                answered = Some(answer);
            }
            () = wish.closed(), if !signal.is_cancelled() => signal.cancel(),
        }
    }
}

impl fmt::Display for InnerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for InnerError {}

/// Arguments are left out, since they may hold secrets.
impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request").field("execution", &self.execution).finish_non_exhaustive()
    }
}

impl<S> fmt::Debug for Layered<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layered").finish_non_exhaustive()
    }
}
