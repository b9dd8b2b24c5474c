//! Ends loops of a model that makes the same call again and again.

mod history;

use std::borrow::Cow;
use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use self::history::{Digest, Histories, call_digest, result_digest};
use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, Context, ErrorCode, ToolError, ToolResult};

/// Reminds a model that it makes the same call again and again, and then denies the call.
///
/// A call is the same if tool and arguments are. It counts if it comes to what it came to the last
/// time, be that a value or a failure; another result begins anew, so a call that asks how far
/// something is may be made until it is done. The third time in a row the result is followed by a
/// [context](crate::Context) that says so; after the sixth time the call fails with `REPEATED_CALL`
/// and its body does not run.
///
/// "In a row" is judged by the last few different calls: taking turns between two calls, or four,
/// is no way out. A call that is not among them is something new, and all counts begin anew; so
/// tests that are run after each change are not a loop, and a denied call may be made again after
/// something else was tried.
///
/// Each scope has its own counts, which go with it; calls for nobody are counted together. Nested
/// calls are not counted, since no model makes them, nor are calls that were cancelled. Mount it
/// before (outside of) [`Retry`](super::Retry), whose attempts would look like repeats.
///
/// Cheap to clone; clones count together.
///
/// ```
/// use dsh_tools::{ToolRegistry, around::RepeatGuard};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let repeats = RepeatGuard::new().with_exception("wait");
/// let registry = ToolRegistry::builder().around("repeats", repeats).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RepeatGuard {
    remind_after: NonZeroU32,
    deny_after: NonZeroU32,
    window: NonZeroUsize,
    exceptions: Vec<Cow<'static, str>>,
    histories: Arc<Mutex<Histories>>,
}

impl RepeatGuard {
    /// Reminds from the third time on and denies after the sixth.
    pub fn new() -> Self {
        const THREE: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");
        const SIX: NonZeroU32 = NonZeroU32::new(6).expect("six is not zero");
        const FOUR: NonZeroUsize = NonZeroUsize::new(4).expect("four is not zero");
        Self {
            remind_after: THREE,
            deny_after: SIX,
            window: FOUR,
            exceptions: Vec::new(),
            histories: Arc::default(),
        }
    }

    /// Sets from which time in a row on a model is reminded. Default: the third.
    #[must_use]
    pub fn with_remind_after(mut self, times: NonZeroU32) -> Self {
        self.remind_after = times;
        self
    }

    /// Sets after how many times in a row a call is denied. Default: 6.
    #[must_use]
    pub fn with_deny_after(mut self, times: NonZeroU32) -> Self {
        self.deny_after = times;
        self
    }

    /// Sets among how many different calls a repeat is noticed. Default: 4.
    ///
    /// One notices only the same call without any other in between.
    #[must_use]
    pub fn with_window(mut self, calls: NonZeroUsize) -> Self {
        self.window = calls;
        self
    }

    /// Leaves calls of this tool alone, one that only waits for example. Default: none.
    #[must_use]
    pub fn with_exception(mut self, tool: impl Into<Cow<'static, str>>) -> Self {
        self.exceptions.push(tool.into());
        self
    }

    fn counts(&self, execution: &Execution) -> bool {
        execution.parent().is_none() && !self.exceptions.iter().any(|tool| tool == execution.name())
    }

    async fn run(&self, execution: &Execution, next: AroundNext<'_>) -> ToolResult<CallResult> {
        let call = call_digest(execution);
        let times = self.histories().of(execution.scope()).begin(call, self.window);
        if times >= self.deny_after.get() {
            return Ok(denied(execution, times));
        }
        let result = next.run().await?;
        if was_cancelled(&result) {
            return Ok(result);
        }
        let times = self.count(execution, call, &result);
        if times < self.remind_after.get() {
            return Ok(result);
        }
        next.record(format!("reminded: {times} times in a row"));
        Ok(result.and_contexts([reminder(execution, times)]))
    }

    /// How many times in a row the call has come to this.
    fn count(&self, execution: &Execution, call: Digest, result: &CallResult) -> u32 {
        let result = result_digest(result);
        self.histories().of(execution.scope()).end(call, result)
    }

    fn histories(&self) -> MutexGuard<'_, Histories> {
        self.histories.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn was_cancelled(result: &CallResult) -> bool {
    let code = result.error().and_then(|error| error.code());
    matches!(code, Some(ErrorCode::Aborted | ErrorCode::AbortedBeforeDispatch))
}

fn reminder(execution: &Execution, times: u32) -> Context {
    let text = format!(
        "You have called \"{}\" {times} times with the same arguments, and the result was the same \
         each time. Do not make this call again: change the arguments, use another tool, or say \
         what keeps you from going on.",
        execution.name(),
    );
    Context { source: "repeat-guard".to_owned(), content: text.into() }
}

fn denied(execution: &Execution, times: u32) -> CallResult {
    let message = format!(
        "tool \"{}\" was called {times} times with the same arguments, and the result was the same \
         each time, so it was not run again; do something else first",
        execution.name(),
    );
    CallResult::failure(ToolError::named("RepeatError", ErrorCode::RepeatedCall, message))
}

impl Around for RepeatGuard {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        if self.counts(execution) { Box::pin(self.run(execution, next)) } else { next.run() }
    }
}

impl Default for RepeatGuard {
    fn default() -> Self {
        Self::new()
    }
}

/// With how many scopes and calls it remembers.
impl fmt::Debug for RepeatGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RepeatGuard")
            .field("remind_after", &self.remind_after)
            .field("deny_after", &self.deny_after)
            .field("window", &self.window)
            .field("exceptions", &self.exceptions)
            .field("histories", &*self.histories())
            .finish()
    }
}
