//! Decides what becomes of a result before the model reads it.

use serde_json::Value;

use tokio::time::Instant;

use super::{BoxFuture, Named};
use crate::execution::Execution;
use crate::model::{CallResult, Content, Context, ToolResult};
use crate::panic::catch_future;
use crate::record::{Recorder, Stage};

/// Sees every result and every denial; may change what the model reads, or block it.
pub trait PostExecute: Send + Sync + 'static {
    /// Decides; `next.run()` is what the hooks after this one decide, in the end *accept*.
    ///
    /// # Errors
    /// The call fails with the error.
    fn post_execute<'a>(
        &'a self,
        execution: &'a Execution,
        result: &'a CallResult,
        next: PostNext<'a>,
    ) -> BoxFuture<'a, ToolResult<PostDecision>>;
}

impl<F> PostExecute for F
where
    F: for<'a> Fn(
            &'a Execution,
            &'a CallResult,
            PostNext<'a>,
        ) -> BoxFuture<'a, ToolResult<PostDecision>>
        + Send
        + Sync
        + 'static,
{
    fn post_execute<'a>(
        &'a self,
        execution: &'a Execution,
        result: &'a CallResult,
        next: PostNext<'a>,
    ) -> BoxFuture<'a, ToolResult<PostDecision>> {
        self(execution, result, next)
    }
}

/// A hook from a closure; without it the compiler does not infer the lifetimes.
///
/// ```
/// use dsh_tools::hooks::{PostDecision, post_execute_fn};
///
/// let quiet = post_execute_fn(|_execution, _result, _next| {
///     Box::pin(async { Ok(PostDecision::with_content("done")) })
/// });
/// # let _ = dsh_tools::ToolRegistry::builder().post_execute("quiet", quiet);
/// ```
pub fn post_execute_fn<F>(hook: F) -> F
where
    F: for<'a> Fn(
            &'a Execution,
            &'a CallResult,
            PostNext<'a>,
        ) -> BoxFuture<'a, ToolResult<PostDecision>>
        + Send
        + Sync
        + 'static,
{
    hook
}

/// What becomes of a result.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PostDecision {
    /// It goes to the model, perhaps changed.
    Accept {
        /// What the model reads instead; value and error stay.
        content: Option<Content>,
        /// The value instead; checked and rendered anew. Not together with content.
        value: Option<Value>,
        /// Messages that follow the result.
        contexts: Vec<Context>,
    },
    /// The model reads the feedback; the call counts as failed.
    Block {
        /// What the model reads.
        feedback: Content,
        /// Messages that follow the result; others are dropped.
        contexts: Vec<Context>,
    },
}

impl PostDecision {
    /// Lets the result through as it is.
    pub const ACCEPT: Self = Self::Accept { content: None, value: None, contexts: Vec::new() };

    /// Lets the result through with other content.
    pub fn with_content(content: impl Into<Content>) -> Self {
        Self::Accept { content: Some(content.into()), value: None, contexts: Vec::new() }
    }

    /// Lets the result through with another value.
    pub fn with_value(value: impl Into<Value>) -> Self {
        Self::Accept { content: None, value: Some(value.into()), contexts: Vec::new() }
    }

    /// Keeps the result from the model.
    pub fn block(feedback: impl Into<Content>) -> Self {
        Self::Block { feedback: feedback.into(), contexts: Vec::new() }
    }

    fn describe(&self) -> &'static str {
        match self {
            Self::Accept { content: None, value: None, .. } => "accept",
            Self::Accept { .. } => "accept, changed",
            Self::Block { .. } => "block",
        }
    }
}

/// The hooks after the one that holds it.
pub struct PostNext<'a> {
    pub(crate) rest: &'a [Named<dyn PostExecute>],
    pub(crate) execution: &'a Execution,
    pub(crate) result: &'a CallResult,
    pub(crate) recorder: &'a Recorder,
}

impl<'a> PostNext<'a> {
    /// Asks the hooks after this one; the last word is *accept*.
    ///
    /// # Errors
    /// The error or panic of a hook; passing it on is right.
    pub fn run(self) -> BoxFuture<'a, ToolResult<PostDecision>> {
        Box::pin(async move {
            let Some((first, rest)) = self.rest.split_first() else {
                return Ok(PostDecision::ACCEPT);
            };
            let started = Instant::now();
            let next = PostNext { rest, ..self };
            let decision = catch_future("a policy hook", || {
                first.hook.post_execute(self.execution, self.result, next)
            })
            .await
            .and_then(|decision| decision);
            self.recorder.add(Stage::PostExecute, &first.name, started, || match &decision {
                Ok(decision) => decision.describe().into(),
                Err(error) => format!("failed: {error}").into(),
            });
            decision
        })
    }
}

impl std::fmt::Debug for PostNext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PostNext({} hooks)", self.rest.len())
    }
}
