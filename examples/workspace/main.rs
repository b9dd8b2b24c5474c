//! The tools of a coding agent in a terminal: try them, or watch a scripted turn of a model.

mod demo;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use dsh_tools::cli;
use workspace_tools::Root;

/// The tools of a coding agent, confined to one directory.
#[derive(Parser)]
#[command(version, about)]
struct Args {
    /// The directory the tools work in.
    #[arg(long, global = true, default_value = ".")]
    root: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play a scripted turn of a model over this directory.
    Demo,
    #[command(flatten)]
    Tools(cli::Command),
}

fn main() -> ExitCode {
    let Args { root, command } = Args::parse();
    let builder = match Root::new(&root) {
        Ok(root) => workspace_tools::builder(root),
        Err(error) => {
            return cli::usage_error(&format!("cannot work in `{}`: {error}", root.display()));
        }
    };
    match command {
        Command::Demo => cli::block_on(demo::play(builder)),
        Command::Tools(command) => cli::block_on(cli::run(command, builder)),
    }
}
