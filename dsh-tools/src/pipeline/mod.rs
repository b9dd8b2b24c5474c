//! The way of one call: prepare, dispatch, complete.
//!
//! Every entry point goes through these three functions, in this order, and nothing else starts a
//! body.

mod complete;
mod dispatch;
mod output;
mod prepare;

use std::time::Duration;

use crate::context::CallOptions;
use crate::log::{self, Event};
use crate::model::ToolCall;
use crate::registry::ToolRegistry;
use crate::stages::{Completed, Dispatched, Outcome, Prepared, Verdict};

impl ToolRegistry {
    /// Runs one call through all stages.
    ///
    /// There is exactly one result, whatever the tool or a hook does: a failure, a panic, a denial
    /// and a cancellation are results too.
    ///
    /// # Cancel safety
    /// No: dropping the future drops a body that has started, and the call has no result. Cancel
    /// through [`CallOptions::with_cancellation`] and await.
    ///
    /// # Examples
    /// ```
    /// use dsh_tools::{CallOptions, ToolCall, ToolRegistry};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dsh_tools::BuildError> {
    /// let registry = ToolRegistry::builder().build()?;
    /// let completed = registry.execute(ToolCall::new("c1", "nope", "{}"), CallOptions::new()).await;
    /// assert_eq!(completed.result().content().to_string(), r#"Error: unknown tool "nope""#);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn execute(&self, call: ToolCall, options: CallOptions) -> Completed {
        self.prepare(call, options).await.dispatch().await.complete().await
    }

    /// The first stage: looks the tool up, takes the arguments, asks policy.
    ///
    /// An executor runs the stages apart, so that bodies overlap while policy keeps its order.
    pub async fn prepare(&self, call: ToolCall, options: CallOptions) -> Prepared {
        let run = prepare::create(self, call, options);
        let execution = &run.execution;
        if let Some(log) = &execution.options().log {
            log::append(&**log, Event::call(execution.call(), execution.options())).await;
        }
        let verdict = prepare::decide(&run).await;
        Prepared { run, verdict }
    }
}

impl Prepared {
    /// The second stage: runs the body inside its wrappers, if policy let it.
    ///
    /// # Cancel safety
    /// No: dropping the future drops a body that has started.
    pub async fn dispatch(self) -> Dispatched {
        let outcome = match self.verdict {
            Verdict::Dispatch => dispatch::dispatch(&self.run).await,
            Verdict::Settled(outcome) => outcome,
        };
        let worked = self.run.recorder.worked();
        Dispatched { run: self.run, outcome, worked }
    }
}

impl Dispatched {
    /// The last stage: asks policy about the result, makes it final, lets it out, tells observers.
    ///
    /// # Cancel safety
    /// No: dropping the future loses the result.
    pub async fn complete(self) -> Completed {
        let (result, reviewed) = match self.outcome {
            Outcome::Open(result) => complete::review(&self.run, result).await,
            Outcome::Final(result) => (result, Duration::ZERO),
        };
        let log = self.run.execution.options().log.clone();
        let result = complete::finalize(&self.run, result);
        let (result, sent) = complete::send(&self.run, result).await;
        let completed = complete::finish(self.run, result, self.worked + reviewed + sent);
        if let Some(log) = log {
            log::append(&*log, Event::result(&completed)).await;
        }
        completed
    }
}
