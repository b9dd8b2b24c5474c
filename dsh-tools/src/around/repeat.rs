//! Ends loops in which a model makes the same call again and again.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};

use crate::execution::Execution;
use crate::hooks::{Around, AroundNext, BoxFuture};
use crate::model::{ArgumentsHash, CallResult, Context, ErrorCode, ToolError, ToolResult};
use crate::registry::{Scope, WeakScope};

/// Reminds a model that it makes the same call again and again, then stops running it.
///
/// The same call is one of the same tool with the same arguments that came to the same result. Each scope
/// is counted by itself, and calls for nobody together. Other calls in between do not reset the count, up
/// to eight different ones; another result does, so a job may be polled as long as its state changes.
/// Nested calls are not counted.
///
/// A repeated call gets a message after its result, and at last a `REPEATED_CALL` failure in its place.
///
/// ```
/// use dsh_tools::{ToolRegistry, around::RepeatGuard};
///
/// # fn main() -> Result<(), dsh_tools::BuildError> {
/// let registry = ToolRegistry::builder().around("repeats", RepeatGuard::new()).build()?;
/// # Ok(())
/// # }
/// ```
pub struct RepeatGuard {
    remind_after: u32,
    deny_after: u32,
    recent: Mutex<Recent>,
}

/// The last calls of each scope, by its address.
#[derive(Default)]
struct Recent(HashMap<Option<usize>, Calls>);

struct Calls {
    /// Tells whether the scope is still there.
    scope: Option<WeakScope>,
    /// The last one last.
    calls: VecDeque<Repeated>,
}

/// A call, and how often it came to the same.
struct Repeated {
    tool: String,
    arguments: ArgumentsHash,
    result: u64,
    count: u32,
}

/// How many different calls are remembered for a scope.
const WINDOW: usize = 8;

impl RepeatGuard {
    /// Reminds from the third time on, and denies from the sixth.
    pub fn new() -> Self {
        Self { remind_after: 3, deny_after: 6, recent: Mutex::default() }
    }

    /// Sets from which time on a repeated call gets a reminder. Default: the third.
    #[must_use]
    pub fn with_reminder_at(mut self, time: NonZeroU32) -> Self {
        self.remind_after = time.get();
        self
    }

    /// Sets from which time on a repeated call is denied. Default: the sixth.
    #[must_use]
    pub fn with_denial_at(mut self, time: NonZeroU32) -> Self {
        self.deny_after = time.get();
        self
    }

    async fn run(&self, execution: &Execution, next: AroundNext<'_>) -> ToolResult<CallResult> {
        let made = self.with_calls(execution, |calls| count(calls, execution));
        if made + 1 >= self.deny_after {
            return Ok(CallResult::failure(denial(execution, made)));
        }
        let result = next.run().await?;
        let made = self.with_calls(execution, |calls| remember(calls, execution, &result));
        if made < self.remind_after {
            return Ok(result);
        }
        Ok(result.and_contexts([reminder(execution, made)]))
    }

    fn with_calls<T>(
        &self,
        execution: &Execution,
        look: impl FnOnce(&mut VecDeque<Repeated>) -> T,
    ) -> T {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        look(&mut recent.of(execution.scope()).calls)
    }
}

impl Recent {
    /// The calls of a scope; those of scopes that are gone are forgotten.
    fn of(&mut self, scope: Option<&Scope>) -> &mut Calls {
        let address = scope.map(Scope::address);
        if !self.0.contains_key(&address) {
            self.0.retain(|_, calls| calls.scope.as_ref().is_none_or(WeakScope::is_alive));
        }
        self.0
            .entry(address)
            .or_insert_with(|| Calls { scope: scope.map(Scope::downgrade), calls: VecDeque::new() })
    }
}

impl Repeated {
    fn is(&self, execution: &Execution) -> bool {
        self.tool == execution.name() && self.arguments == execution.arguments_hash()
    }
}

/// How often this call came to the same so far.
fn count(calls: &VecDeque<Repeated>, execution: &Execution) -> u32 {
    calls.iter().find(|call| call.is(execution)).map_or(0, |call| call.count)
}

/// Counts a call, and gives how often it came to the same by now.
fn remember(calls: &mut VecDeque<Repeated>, execution: &Execution, result: &CallResult) -> u32 {
    let before = calls.iter().position(|call| call.is(execution)).and_then(|at| calls.remove(at));
    let outcome = digest(result);
    let count = before.filter(|call| call.result == outcome).map_or(0, |call| call.count) + 1;
    if calls.len() == WINDOW {
        calls.pop_front();
    }
    calls.push_back(Repeated {
        tool: execution.name().to_owned(),
        arguments: execution.arguments_hash(),
        result: outcome,
        count,
    });
    count
}

fn digest(result: &CallResult) -> u64 {
    let mut hasher = DefaultHasher::new();
    result.is_error().hash(&mut hasher);
    result.content().to_string().hash(&mut hasher);
    hasher.finish()
}

fn reminder(execution: &Execution, made: u32) -> Context {
    let content = format!(
        "You have called \"{}\" {made} times with the same arguments, and got the same result each time. \
         Use it, or do something else.",
        execution.name(),
    );
    Context { source: "repeat guard".to_owned(), content: content.into() }
}

fn denial(execution: &Execution, made: u32) -> ToolError {
    let message = format!(
        "tool \"{}\" was called {made} times with the same arguments and gave the same result each time, so \
         it was not called again: use that result, or do something else",
        execution.name(),
    );
    ToolError::named("RepeatedCallError", ErrorCode::from("REPEATED_CALL"), message)
}

impl Around for RepeatGuard {
    fn around<'a>(
        &'a self,
        execution: &'a Execution,
        next: AroundNext<'a>,
    ) -> BoxFuture<'a, ToolResult<CallResult>> {
        if execution.parent().is_some() { next.run() } else { Box::pin(self.run(execution, next)) }
    }
}

impl fmt::Debug for RepeatGuard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { remind_after, deny_after, recent: _ } = self;
        f.debug_struct("RepeatGuard")
            .field("remind_after", remind_after)
            .field("deny_after", deny_after)
            .finish_non_exhaustive()
    }
}

impl Default for RepeatGuard {
    fn default() -> Self {
        Self::new()
    }
}
