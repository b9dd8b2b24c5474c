//! Lets only so many calls run at a time, or in a while.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep, timeout};

use crate::definition::ToolDefinition;
use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{CallResult, ErrorCode, ToolError, ToolResult};

/// Lets only so many calls run at a time, or begin in a while.
///
/// It holds for all calls together that pass it: of every tool, or of those of one name or tag. A call
/// beyond the limit waits for its turn, first come, first served, until it is cancelled; or, with
/// [`with_patience`](Self::with_patience), it is answered with a `LIMIT_REACHED` failure that says when to
/// try again. Waiting counts against a [`Timeout`](super::Timeout) outside, and not against one inside. A
/// nested call passes too: a tool that calls itself can use up its own limit.
///
/// ```
/// use std::num::NonZeroU32;
/// use std::time::Duration;
///
/// use dsh_tools::{ToolRegistry, around::Limit};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// const TWO: NonZeroU32 = NonZeroU32::new(2).unwrap();
/// const SIXTY: NonZeroU32 = NonZeroU32::new(60).unwrap();
/// let registry = ToolRegistry::builder()
///     .around("two builds", Limit::at_a_time(TWO).for_tool("build"))
///     .around("web", Limit::per(Duration::from_mins(1), SIXTY).for_tag("web"))
///     .build()?;
/// # Ok(())
/// # }
/// ```
pub struct Limit {
    kind: Kind,
    reach: Reach,
    patience: Option<Duration>,
}

enum Kind {
    AtATime { most: NonZeroU32, slots: Arc<Semaphore> },
    Per { while_: Duration, most: NonZeroU32, turns: Mutex<Turns> },
}

/// Which calls a limit is about.
#[derive(Debug)]
enum Reach {
    Every,
    Tool(String),
    Tag(String),
}

/// When calls may begin: the generic cell rate algorithm.
struct Turns {
    /// When the next call could begin if calls came evenly.
    even: Option<Instant>,
}

/// Longer ones would leave what a clock can count.
const LONGEST: Duration = Duration::from_hours(24 * 365);

impl Limit {
    /// At most so many calls at a time.
    pub fn at_a_time(most: NonZeroU32) -> Self {
        let slots = Arc::new(Semaphore::new(most.get() as usize));
        Self::new(Kind::AtATime { most, slots })
    }

    /// So many calls a while, evenly, and as many at once after a pause. A while is a year at most.
    pub fn per(while_: Duration, most: NonZeroU32) -> Self {
        let while_ = while_.min(LONGEST);
        Self::new(Kind::Per { while_, most, turns: Mutex::new(Turns { even: None }) })
    }

    const fn new(kind: Kind) -> Self {
        Self { kind, reach: Reach::Every, patience: None }
    }

    /// Limits the calls of one tool only.
    #[must_use]
    pub fn for_tool(mut self, name: impl Into<String>) -> Self {
        self.reach = Reach::Tool(name.into());
        self
    }

    /// Limits the calls of tools with this tag only, together.
    #[must_use]
    pub fn for_tag(mut self, tag: impl Into<String>) -> Self {
        self.reach = Reach::Tag(tag.into());
        self
    }

    /// Sets how long a call waits for its turn; none at all fails at once. Default: without end.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    fn is_about(&self, execution: &Execution) -> bool {
        match &self.reach {
            Reach::Every => true,
            Reach::Tool(name) => execution.name() == name,
            Reach::Tag(tag) => {
                let mut tags = execution.definition().into_iter().flat_map(ToolDefinition::tags);
                tags.any(|own| own == tag)
            }
        }
    }

    async fn run(&self, execution: &Execution, next: AroundNext<'_>) -> ToolResult<CallResult> {
        let cancelled = next.cancellation().clone();
        // A call that is cancelled while it waits goes on, to be told what cancellation comes to.
        let slot = match &self.kind {
            Kind::AtATime { slots, .. } => tokio::select! {
                biased;
                slot = within(self.patience, Arc::clone(slots).acquire_owned()) => match slot {
                    Some(slot) => Some(slot.expect("nobody closes the semaphore of a limit")),
                    None => return Ok(self.refuse(execution, None)),
                },
                () = cancelled.cancelled() => None,
            },
            Kind::Per { while_, most, turns } => {
                let turn = {
                    let mut turns = turns.lock().unwrap_or_else(PoisonError::into_inner);
                    turns.take(Instant::now(), *while_, *most, self.patience)
                };
                match turn {
                    Ok(wait) => tokio::select! {
                        biased;
                        () = sleep(wait) => None,
                        () = cancelled.cancelled() => None,
                    },
                    Err(wait) => return Ok(self.refuse(execution, Some(wait))),
                }
            }
        };
        let result = next.run().await;
        drop(slot);
        result
    }

    fn refuse(&self, execution: &Execution, wait: Option<Duration>) -> CallResult {
        let what = match &self.reach {
            Reach::Every => "tools".to_owned(),
            Reach::Tool(_) => format!("tool \"{}\"", execution.name()),
            Reach::Tag(tag) => format!("tools tagged \"{tag}\""),
        };
        let limit = match &self.kind {
            Kind::AtATime { most, .. } => format!("{most} at a time"),
            Kind::Per { while_, most, .. } => format!("{most} in {while_:?}"),
        };
        let when = match wait {
            Some(wait) => format!("in {:.1} seconds", wait.as_secs_f64()),
            None => "when others have ended".to_owned(),
        };
        let message = format!("calls of {what} are limited to {limit}, try again {when}");
        let code = ErrorCode::from("LIMIT_REACHED");
        CallResult::failure(ToolError::named("ToolLimitError", code, message).transient())
    }
}

/// What a future gives, unless that takes longer than somebody waits.
async fn within<T>(patience: Option<Duration>, future: impl Future<Output = T>) -> Option<T> {
    match patience {
        None => Some(future.await),
        Some(patience) => timeout(patience, future).await.ok(),
    }
}

impl Turns {
    /// How long the next call has to wait for its turn, which it takes; or how long it would have to, if
    /// that is too long.
    fn take(
        &mut self,
        now: Instant,
        while_: Duration,
        most: NonZeroU32,
        patience: Option<Duration>,
    ) -> Result<Duration, Duration> {
        let apart = while_ / most.get();
        let even = self.even.map_or(now, |even| even.max(now));
        // All of a while may come at once, so a turn is up to the rest of the while early.
        let wait = (even + apart).saturating_duration_since(now + while_);
        if patience.is_some_and(|patience| wait > patience) {
            return Err(wait);
        }
        self.even = Some(even + apart);
        Ok(wait)
    }
}

impl Around for Limit {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        if self.is_about(execution) { Box::pin(self.run(execution, next)) } else { next.run() }
    }
}

impl fmt::Debug for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Limit");
        match &self.kind {
            Kind::AtATime { most, .. } => debug.field("at_a_time", most),
            Kind::Per { while_, most, .. } => debug.field("per", while_).field("most", most),
        };
        debug.field("reach", &self.reach).field("patience", &self.patience).finish()
    }
}
