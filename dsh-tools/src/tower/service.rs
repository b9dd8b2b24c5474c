//! A registry is a service.

use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tower_service::Service;
use tracing::Instrument;

use crate::context::CallOptions;
use crate::hooks::BoxFuture;
use crate::model::ToolCall;
use crate::registry::ToolRegistry;
use crate::stages::Completed;

/// Runs calls through all stages, as [`execute`](ToolRegistry::execute) does.
///
/// Always ready, and never fails: every failure is a result. A layer outside that drops the future, as
/// a timeout does, cancels the call.
///
/// ```
/// use std::time::Duration;
///
/// use dsh_tools::{CallOptions, ToolCall, ToolRegistry};
/// use tower::{Service, ServiceBuilder, ServiceExt};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
/// let registry = ToolRegistry::builder().build()?;
/// let mut service = ServiceBuilder::new().timeout(Duration::from_secs(10)).service(registry);
///
/// let call = ToolCall::new("1", "nope", "{}");
/// let completed = service.ready().await?.call((call, CallOptions::new())).await?;
/// assert_eq!(completed.result().content().to_string(), r#"Error: unknown tool "nope""#);
/// # Ok(())
/// # }
/// ```
impl Service<(ToolCall, CallOptions)> for ToolRegistry {
    type Response = Completed;
    type Error = Infallible;
    type Future = Executing;

    fn poll_ready(&mut self, _cx: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, (call, options): (ToolCall, CallOptions)) -> Executing {
        let registry = self.clone();
        let token = options.child_token();
        let options = options.with_cancellation(token.clone());
        let rest = Box::pin(async move { registry.execute(call, options).await });
        Executing { rest: Some(rest), token }
    }
}

/// A call that runs.
///
/// # Cancel safety
/// The result is lost when it is dropped. The call is cancelled then and runs to its end on the runtime,
/// so observers and logs see what it came to; outside of a runtime its body is dropped.
pub struct Executing {
    /// What is left of the call, until it has ended.
    rest: Option<BoxFuture<'static, Completed>>,
    token: CancellationToken,
}

impl Future for Executing {
    type Output = Result<Completed, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let rest = self.rest.as_mut().expect("a future is not polled after it has ended");
        let completed = std::task::ready!(rest.as_mut().poll(cx));
        self.rest = None;
        Poll::Ready(Ok(completed))
    }
}

impl Drop for Executing {
    fn drop(&mut self) {
        let Some(rest) = self.rest.take() else { return };
        self.token.cancel();
        if let Ok(runtime) = Handle::try_current() {
            drop(runtime.spawn(rest.in_current_span()));
        }
    }
}

impl fmt::Debug for Executing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executing").field("ended", &self.rest.is_none()).finish_non_exhaustive()
    }
}
