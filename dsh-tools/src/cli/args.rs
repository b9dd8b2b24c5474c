//! What the command line accepts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Try the tools of this binary.
#[derive(Debug, Parser)]
#[command(version, about, after_help = EXIT_CODES)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 every call succeeded, 1 a call failed, 2 wrong command line \
    or input, 3 the registry could not be built, 130 interrupted";

/// The commands, for a host to flatten into its own.
#[derive(Clone, Debug, Subcommand)]
#[non_exhaustive]
pub enum Command {
    /// List the tools.
    List {
        /// Print one JSON object a line.
        #[arg(long)]
        json: bool,
    },
    /// Show what a model is told of a tool.
    Schema {
        /// The tool.
        name: String,
        /// Show the schema of what it returns instead.
        #[arg(long)]
        output: bool,
    },
    /// Call a tool and print what a model would read.
    Call {
        /// The tool.
        name: String,
        /// The arguments: JSON, @FILE, or - for standard input. Default: no arguments.
        #[arg(value_name = "JSON|@FILE|-", allow_hyphen_values = true)]
        arguments: Option<String>,
        /// How to call.
        #[command(flatten)]
        args: CallArgs,
    },
    /// Call several tools as one model step.
    ///
    /// The file has a JSON array of calls, or one call a line: {"name": …, "arguments": {…}}, with
    /// an "id" where you want one.
    Batch {
        /// The file, or - for standard input.
        file: PathBuf,
        /// How to call.
        #[command(flatten)]
        args: CallArgs,
    },
}

/// How to call.
#[derive(Clone, Debug, Args)]
pub struct CallArgs {
    /// Print results as JSON, one a line.
    #[arg(long)]
    pub json: bool,
    /// Also print what decided about each call.
    #[arg(long)]
    pub explain: bool,
    /// Who answers questions.
    #[command(flatten)]
    pub answers: Answers,
}

/// Answers to questions of policy, given beforehand. Default: ask at the terminal, deny without one.
#[derive(Clone, Copy, Debug, Args)]
#[group(multiple = false)]
pub struct Answers {
    /// Answer every question of policy with yes.
    #[arg(long)]
    pub approve: bool,
    /// Answer every question of policy with no.
    #[arg(long)]
    pub deny: bool,
}
