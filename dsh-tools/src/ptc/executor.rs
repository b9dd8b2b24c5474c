//! The executor that offers `run_code`, and lets a model call nothing else.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::run_code::{self, NAME, Parts};
use super::runtime::{Budgets, CodeRuntime};
use crate::context::Direct;
use crate::definition::ToolDefinition;
use crate::executor::{Batch, BatchOutcome, ExecutorError, NativeExecutor};
use crate::hooks::{BoxFuture, Offer, ToolExecutor};
use crate::model::ToolResult;
use crate::registry::ToolRegistry;

/// Offers one tool, `run_code`, whose programs call all others.
///
/// A direct call of another tool is answered before all policy, and says how the tool is called instead.
/// Programs run one after the other; the calls of one follow the rules of batches: those of parallel tools
/// overlap, up to [`with_max_parallel_calls`](Self::with_max_parallel_calls), every other runs alone.
#[derive(Clone)]
pub struct PtcExecutor {
    parts: Parts,
}

impl PtcExecutor {
    /// An executor for programs that run in this runtime, with the default budgets.
    pub fn new(runtime: impl CodeRuntime) -> Self {
        let (budgets, max_parallel) = (Budgets::default(), 10);
        Self { parts: Parts { runtime: Arc::new(runtime), budgets, max_parallel } }
    }

    /// Sets what a program may use up.
    #[must_use]
    pub fn with_budgets(mut self, budgets: Budgets) -> Self {
        self.parts.budgets = budgets;
        self
    }

    /// Sets how many bodies of the calls of one program may run at a time. Default: 10.
    #[must_use]
    pub fn with_max_parallel_calls(mut self, max_parallel: NonZeroUsize) -> Self {
        self.parts.max_parallel = max_parallel.get();
        self
    }
}

/// That only `run_code` can be called, as a section of the prompt.
const RULE: &str = "Only `run_code` can be called directly; a call that names another tool fails. Every tool \
                    that is declared below is called from inside the program that `run_code` runs.";

impl ToolExecutor for PtcExecutor {
    fn describe(&self, _tools: &[ToolDefinition]) -> ToolResult<Offer> {
        let run_code = run_code::definition(&self.parts)?;
        Ok(Offer {
            schemas: vec![run_code.json()],
            names: vec![NAME.to_owned()],
            sections: vec![RULE.to_owned()],
        })
    }

    fn execute<'a>(
        &'a self,
        registry: &'a ToolRegistry,
        batch: Batch,
    ) -> BoxFuture<'a, Result<BatchOutcome, ExecutorError>> {
        Box::pin(async move {
            let run_code = run_code::definition(&self.parts).map_err(ExecutorError::Failed)?;
            let (calls, mut options) = batch.into_parts();
            options.direct = Direct::Only(run_code);
            NativeExecutor::new().execute(registry, Batch::new(calls).with_options(options)).await
        })
    }
}

impl fmt::Debug for PtcExecutor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PtcExecutor")
            .field("language", &self.parts.runtime.language())
            .field("isolation", &self.parts.runtime.isolation())
            .field("budgets", &self.parts.budgets)
            .field("max_parallel", &self.parts.max_parallel)
            .finish()
    }
}
