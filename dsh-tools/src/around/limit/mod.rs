//! Bounds how many calls run at a time, or in a time.

mod rate;
mod slots;

use std::borrow::Cow;
use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use tokio::time::Duration;

use self::rate::Rate;
use self::slots::Slots;
use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ErrorCode, ToolError, ToolResult};

/// Bounds how many calls run at a time, or how many in a period.
///
/// All calls that it selects share it: all at first, those of some tools or tags where it
/// [says so](Self::with_tool), as in the rules of a policy. Calls that do not fit wait for their
/// turn, in the order in which they came, for as long as [`with_max_wait`](Self::with_max_wait)
/// says; a call that may not wait so long fails with `LIMIT_REACHED`, is told what the limit is and
/// when to try again, and its body does not run. A call that is cancelled stops waiting.
///
/// The time a call waits counts for a [`Timeout`](super::Timeout) mounted before (outside of) the
/// limit and does not for one mounted after it. Inside of [`Retry`](super::Retry) each attempt is
/// a call of its own here; outside of it a call also keeps its place while it waits to be retried.
///
/// A call that is nested in one that runs under a limit of calls at a time is part of that one and
/// needs no place of its own: it would wait for the call that waits for it.
///
/// Cheap to clone; clones count together, also under several scopes or for different tools.
///
/// ```
/// use std::num::{NonZeroU32, NonZeroUsize};
/// use std::time::Duration;
///
/// use dsh_tools::{ToolRegistry, around::Limit};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();
/// const THIRTY: NonZeroU32 = NonZeroU32::new(30).unwrap();
/// let browsers = Limit::concurrency(TWO).with_tag("browser");
/// let searches = Limit::per(Duration::from_secs(60), THIRTY)
///     .with_tool("search")
///     .with_max_wait(Duration::from_secs(5));
/// let registry = ToolRegistry::builder()
///     .around("browsers", browsers)
///     .around("searches", searches)
///     .build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Limit {
    kind: Kind,
    tools: Vec<Cow<'static, str>>,
    tags: Vec<Cow<'static, str>>,
    max_wait: Option<Duration>,
}

#[derive(Clone)]
enum Kind {
    Concurrency(Arc<Slots>),
    Rate(Rate),
}

impl Limit {
    /// At most so many calls at a time.
    pub fn concurrency(calls: NonZeroUsize) -> Self {
        Self::new(Kind::Concurrency(Arc::new(Slots::new(calls))))
    }

    /// So many calls per period in the long run, and at most so many at once.
    ///
    /// Places come back one by one, not all at the end of the period: 30 calls per 60 seconds is one
    /// every two seconds after the first 30. A period of zero bounds nothing.
    pub fn per(period: Duration, calls: NonZeroU32) -> Self {
        Self::new(Kind::Rate(Rate::new(period, calls)))
    }

    fn new(kind: Kind) -> Self {
        Self { kind, tools: Vec::new(), tags: Vec::new(), max_wait: None }
    }

    /// Sets how many calls of a rate may come at once after a pause. Default: those of one period.
    ///
    /// One spaces all calls evenly. A limit of calls at a time has no burst and stays as it is.
    #[must_use]
    pub fn with_burst(mut self, calls: NonZeroU32) -> Self {
        if let Kind::Rate(rate) = &mut self.kind {
            rate.burst = calls;
        }
        self
    }

    /// Selects calls of this tool; several times, of any of these tools. Default: of all tools.
    ///
    /// With tags, too, a call has to be of one of the tools and have one of the tags.
    #[must_use]
    pub fn with_tool(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.tools.push(name.into());
        self
    }

    /// Selects calls of tools with this tag; several times, with any of these tags. Default: of all
    /// tools.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<Cow<'static, str>>) -> Self {
        self.tags.push(tag.into());
        self
    }

    /// Sets how long a call may wait; zero denies at once. Default: as long as it takes.
    ///
    /// Under a rate it is known how long a call would wait, so one that would wait too long is
    /// denied when it comes.
    #[must_use]
    pub fn with_max_wait(mut self, max_wait: Duration) -> Self {
        self.max_wait = Some(max_wait);
        self
    }

    fn selects(&self, execution: &Execution) -> bool {
        let is_tagged = |tag: &Cow<'_, str>| {
            execution.definition().is_some_and(|tool| tool.tags().any(|own| own == tag))
        };
        (self.tools.is_empty() || self.tools.iter().any(|tool| tool == execution.name()))
            && (self.tags.is_empty() || self.tags.iter().any(is_tagged))
    }

    async fn in_slot(
        &self,
        slots: &Slots,
        execution: &Execution,
        next: AroundNext<'_>,
    ) -> ToolResult<CallResult> {
        let slot = if let Some(slot) = slots.try_enter(execution) {
            slot
        } else {
            let waited = unless_cancelled(&next, slots.enter(execution, self.max_wait)).await;
            let Some(slot) = waited else { return next.run().await };
            let Some(slot) = slot else {
                return Ok(self.denied("when one of them has ended", Duration::ZERO));
            };
            next.record("waited for a place");
            slot
        };
        let result = next.run().await;
        drop(slot);
        result
    }

    async fn in_turn(&self, rate: &Rate, next: AroundNext<'_>) -> ToolResult<CallResult> {
        if !rate.try_take() {
            match unless_cancelled(&next, rate.wait(self.max_wait)).await {
                Some(Ok(())) => next.record("waited for its turn"),
                Some(Err(wait)) => {
                    let wait = in_whole_millis(wait);
                    return Ok(self.denied(&format!("in {wait:?}"), wait));
                }
                None => {}
            }
        }
        next.run().await
    }

    /// How many calls it lets through: `30 per 60s`.
    fn bound(&self) -> String {
        match &self.kind {
            Kind::Concurrency(slots) => format!("{} at a time", slots.count),
            Kind::Rate(rate) => format!("{} per {:?}", rate.calls, rate.period),
        }
    }

    /// Which calls it selects, after "calls": ` of "search"`.
    fn selection(&self) -> String {
        match (&*self.tools, &*self.tags) {
            ([], []) => String::new(),
            (tools, []) => format!(" of {}", any_of(tools)),
            ([], tags) => format!(" of tools tagged {}", any_of(tags)),
            (tools, tags) => format!(" of {} tagged {}", any_of(tools), any_of(tags)),
        }
    }

    fn denied(&self, when: &str, wait: Duration) -> CallResult {
        let (what, bound) = (self.selection(), self.bound());
        let message = format!("too many calls{what}: the limit is {bound}; try again {when}");
        let error = ToolError::named("LimitError", ErrorCode::LimitReached, message);
        CallResult::failure(error.with_retry_after(wait))
    }
}

/// What comes of waiting, unless the call is cancelled first; a run says so then.
async fn unless_cancelled<T>(next: &AroundNext<'_>, wait: impl Future<Output = T>) -> Option<T> {
    tokio::select! {
        biased;
        () = next.cancelled() => None,
        answer = wait => Some(answer),
    }
}

fn any_of(names: &[Cow<'_, str>]) -> String {
    names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(" or ")
}

/// As many milliseconds as are needed: who comes back after that is not early.
fn in_whole_millis(wait: Duration) -> Duration {
    let millis = wait.as_nanos().div_ceil(1_000_000);
    Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
}

impl Around for Limit {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        match &self.kind {
            Kind::Concurrency(slots) if self.selects(execution) || slots.encloses(execution) => {
                Box::pin(self.in_slot(slots, execution, next))
            }
            Kind::Rate(rate) if self.selects(execution) => Box::pin(self.in_turn(rate, next)),
            _ => next.run(),
        }
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Limit")
            .field("bound", &self.bound())
            .field("tools", &self.tools)
            .field("tags", &self.tags)
            .field("max_wait", &self.max_wait)
            .finish_non_exhaustive()
    }
}
