//! A scripted turn of a model: what it is told, what it calls, what it reads.

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _, stdout};
use std::process::ExitCode;
use std::time::Instant;

use dsh_tools::hooks::approver_fn;
use dsh_tools::prelude::*;
use dsh_tools::{
    Batch, CallOptions, Completed, DecisionStep, NativeExecutor, RegistryBuilder, Stage, ToolCall,
    cli,
};

/// Wait for something that never happens.
#[tool(register = false, timeout = "200ms", grace = "100ms", annotations(read_only))]
async fn wait_forever() -> String {
    std::future::pending().await
}

/// The calls of the turn, as a model would write them, and what each is there to show.
const CALLS: [(&str, &str, &str); 8] = [
    ("read_file", r#"{"path": "Cargo.toml", "limit": 4}"#, "these four overlap"),
    ("grep", r#"{"pattern": "pub async fn \\w+", "path": "dsh-tools", "limit": 3}"#, ""),
    ("glob", r#"{"pattern": "dsh-tools/src/*/mod.rs", "limit": 4}"#, ""),
    ("list_dir", r#"{"path": "dsh-tools"}"#, ""),
    (
        "grep",
        r#"{"pattern": "fn main", "limt": 3, "ignore_case": "yes"}"#,
        "wrong arguments: every problem at once",
    ),
    ("read_file", r#"{"path": "../../etc/passwd"}"#, "a guard says no"),
    ("run_command", r#"{"command": "ls *.md | wc -l"}"#, "policy asks somebody"),
    ("wait_forever", "{}", "a body that never ends"),
];

/// Plays the turn and prints what there is to see.
pub(crate) async fn play(builder: RegistryBuilder) -> ExitCode {
    let approver = approver_fn(|request| {
        let asked = format!(
            "? {} asks: {}, allow it this once? The demo says yes.",
            request.tool_name(),
            request.reason().unwrap_or("no reason given"),
        );
        print(&paint(&asked, "33"));
        Box::pin(async { Ok(request.allow_once()) })
    });
    let builder = builder.function(wait_forever).approver(approver).executor(NativeExecutor::new());
    let registry = match builder.build() {
        Ok(registry) => registry,
        Err(error) => return cli::usage_error(&error.to_string()),
    };

    heading("What the model is told");
    print(cli::table(&registry).trim_end());

    heading("What the model calls, as one step");
    for (index, (name, arguments, why)) in CALLS.iter().enumerate() {
        let why = if why.is_empty() { String::new() } else { paint(&format!("  ← {why}"), "2") };
        print(&format!("{} {name} {arguments}{why}", index + 1));
    }

    heading("While the step runs");
    let calls = CALLS.iter().enumerate().map(|(index, (name, arguments, _))| {
        ToolCall::new((index + 1).to_string(), *name, *arguments)
    });
    let started = Instant::now();
    let batch =
        Batch::new(calls).with_options(CallOptions::new().with_scope(&registry.scope("demo")));
    let outcome = match registry.execute_batch(batch).await {
        Ok(outcome) => outcome,
        Err(error) => return cli::usage_error(&error.to_string()),
    };
    let took = started.elapsed();

    heading("What the model reads, in the order of its calls");
    outcome.results.iter().for_each(show);

    let failed = outcome.results.iter().filter(|completed| completed.result().is_error()).count();
    let all = outcome.results.len();
    print(&format!("{all} calls, {all} results, {failed} of them errors, in {took:.0?}"));
    ExitCode::from(u8::from(all != CALLS.len()))
}

/// One result: how it ended, who had a say, and the text.
fn show(completed: &Completed) {
    let result = completed.result();
    let state = match result.error() {
        None => paint("ok", "32"),
        Some(error) => {
            let code = error.code().map_or("error", |code| code.as_str());
            paint(code, "31")
        }
    };
    let mut text = format!(
        "{} {} {state} {}\n",
        paint(completed.call_id(), "1"),
        paint(completed.name(), "1"),
        paint(&format!("{:.1?}", completed.took()), "2"),
    );
    for step in completed.record().steps().iter().filter(|step| is_telling(step)) {
        let DecisionStep { by, decision, .. } = step;
        // Writing to a string cannot fail.
        _ = writeln!(text, "  {}", paint(&format!("{by}: {decision}"), "33"));
    }
    for line in result.content().to_string().lines() {
        _ = writeln!(text, "  │ {line}");
    }
    print(&text);
}

/// Hooks that let a call pass, and the body itself, are no news here.
fn is_telling(step: &DecisionStep) -> bool {
    match step.stage {
        Stage::Body => step.decision.contains("dropped"),
        Stage::Around => step.decision.contains("TIMEOUT"),
        _ => !matches!(&*step.decision, "allow" | "silent"),
    }
}

fn heading(text: &str) {
    print(&format!("\n{}\n", paint(text, "1;4")));
}

fn paint(text: &str, style: &str) -> String {
    if stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        format!("\u{1b}[{style}m{text}\u{1b}[0m")
    } else {
        text.to_owned()
    }
}

fn print(text: &str) {
    // Nobody reads any more (`| head`), and there is nobody else to tell.
    let _gone = writeln!(stdout(), "{text}");
}
