//! A command line for any binary with tools: `list`, `schema`, `call`, `batch`.
//!
//! ```no_run
//! use dsh_tools::{ToolRegistry, around::Timeout, cli};
//!
//! fn main() -> std::process::ExitCode {
//!     cli::main(ToolRegistry::builder().discover().around("timeout", Timeout))
//! }
//! ```
//!
//! Calls go through the same pipeline as those of a model. A question of policy is asked at the
//! terminal; `--approve` and `--deny` answer it beforehand, and without a terminal the answer is no.
//! Ctrl-C cancels and waits for the tool to settle; a second one ends the process.
//!
//! What a model would read goes to standard output. Progress, questions and explanations go to
//! standard error.
//!
//! # Exit codes
//!
//! | code | means |
//! |---|---|
//! | 0 | every call succeeded |
//! | 1 | a call failed; its result says why |
//! | 2 | the command line or an input file is wrong |
//! | 3 | the registry could not be built |
//! | 130 | interrupted by Ctrl-C |

mod approve;
mod args;
mod call;
mod list;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;
use tokio_util::sync::CancellationToken;

pub use self::args::{Answers, CallArgs, Command};

use self::output::Output;
use crate::registry::{RegistryBuilder, ToolRegistry};

/// Runs the command line of a binary whose only purpose is its tools.
///
/// A binary with commands of its own flattens [`Command`] into them and calls [`run`].
pub fn main(builder: RegistryBuilder) -> ExitCode {
    block_on(run(args::Cli::parse().command, builder))
}

/// Runs a future on a runtime of its own, and does not wait for what it leaves behind.
///
/// A tool that ignores its cancellation, or a read of the terminal, must not keep the process.
pub fn block_on(future: impl Future<Output = ExitCode>) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return Failure::Broken(format!("no runtime: {error}")).report(),
    };
    let code = runtime.block_on(future);
    runtime.shutdown_background();
    code
}

/// Says what is wrong with the command line, and gives the exit code for it.
pub fn usage_error(text: &str) -> ExitCode {
    Failure::Usage(text.to_owned()).report()
}

/// The tools of a registry, one line each: name, what it may do, how it is described.
pub fn table(registry: &ToolRegistry) -> String {
    list::table(&registry.definitions())
}

/// Runs one command with the tools of this builder.
///
/// The answers on the command line replace an approver that the builder has.
pub async fn run(command: Command, builder: RegistryBuilder) -> ExitCode {
    let interrupted = CancellationToken::new();
    tokio::spawn(cancel_on_ctrl_c(interrupted.clone()));
    let done = match command {
        Command::List { json } => build(builder).map(|registry| {
            list::list(&registry, json);
            true
        }),
        Command::Schema { name, output } => build(builder)
            .and_then(|registry| list::schema(&registry, &name, output))
            .map(|()| true),
        Command::Call { name, arguments, args } => {
            call::call(builder, name, arguments, &args, &interrupted).await
        }
        Command::Batch { file, args } => call::batch(builder, &file, &args, &interrupted).await,
    };
    match done {
        _ if interrupted.is_cancelled() => ExitCode::from(130),
        Ok(success) => ExitCode::from(u8::from(!success)),
        Err(failure) => failure.report(),
    }
}

fn build(builder: RegistryBuilder) -> Result<ToolRegistry, Failure> {
    builder.build().map_err(|error| Failure::Broken(error.to_string()))
}

/// The first Ctrl-C cancels what runs; the second does not wait.
#[expect(clippy::exit, reason = "the user insists, and a tool may hold the process for ever")]
async fn cancel_on_ctrl_c(token: CancellationToken) {
    if tokio::signal::ctrl_c().await.is_ok() {
        token.cancel();
        Output::note("cancelling, Ctrl-C again to leave at once");
    }
    if tokio::signal::ctrl_c().await.is_ok() {
        std::process::exit(130);
    }
}

/// Why a command did not get to a call.
enum Failure {
    /// The command line or an input is wrong.
    Usage(String),
    /// The registry could not be built, or the calls not be run.
    Broken(String),
}

impl Failure {
    fn report(self) -> ExitCode {
        let (code, text) = match self {
            Self::Usage(text) => (2, text),
            Self::Broken(text) => (3, text),
        };
        Output::error(&text);
        ExitCode::from(code)
    }
}
