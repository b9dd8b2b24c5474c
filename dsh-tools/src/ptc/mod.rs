//! Programmatic tool calling: a model writes a program, and the program calls the tools.
//!
//! [`PtcExecutor`] offers one tool, `run_code`. Only what its program prints or returns goes back to the
//! model; every call that the program makes goes through the whole pipeline, with its policy, approvals
//! and limits. The program itself runs in a [`CodeRuntime`], which knows nothing of tools.
//!
//! A runtime contains a program; it is no security boundary unless its documentation says that it is one.

mod bindings;
mod executor;
mod ledger;
mod output;
#[cfg(feature = "quickjs")]
mod quickjs;
mod run;
mod run_code;
mod runtime;

pub use self::bindings::Bindings;
pub use self::executor::PtcExecutor;
pub use self::ledger::{Ledger, OutputLimit};
#[cfg(feature = "quickjs")]
pub use self::quickjs::QuickJs;
pub use self::runtime::{
    Argument, Budgets, CodeRuntime, Failure, FailureKind, Outcome, Program, TimeoutLimits,
};
