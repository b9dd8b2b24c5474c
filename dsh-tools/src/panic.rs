//! Panics in foreign code become errors of one call.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use crate::hooks::BoxFuture;
use crate::model::ToolError;

/// Runs foreign code; a panic is its error, with `what` saying whose code it is.
///
/// Unwind safety is asserted: what a panicking callback leaves behind belongs to it, and the call's
/// own state is behind locks that ignore poison.
pub(crate) fn catch<T>(what: &str, run: impl FnOnce() -> T) -> Result<T, ToolError> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| to_error(what, &*payload))
}

/// Starts a foreign future and polls it to its end; a panic is its error.
pub(crate) async fn catch_future<'a, T>(
    what: &str,
    start: impl FnOnce() -> BoxFuture<'a, T>,
) -> Result<T, ToolError> {
    let mut future = catch(what, start)?;
    poll_fn(|cx| match catch(what, || future.as_mut().poll(cx)) {
        Ok(Poll::Ready(value)) => Poll::Ready(Ok(value)),
        Ok(Poll::Pending) => Poll::Pending,
        Err(error) => Poll::Ready(Err(error)),
    })
    .await
}

/// Says that there was a panic; what it said goes to the log, since it may tell of the host.
fn to_error(what: &str, payload: &(dyn Any + Send)) -> ToolError {
    let said = payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    tracing::error!(panic = said.unwrap_or("<no text>"), "{what} panicked");
    ToolError::panicked(what)
}
