//! Questions of policy, answered at the terminal or beforehand.

use std::io::{IsTerminal, Write, stderr, stdin};

use super::args::Answers;
use super::output::{bold, visible};
use crate::hooks::{Approval, ApprovalRequest, Approver, BoxFuture};
use crate::model::ToolResult;

/// Who answers: a flag, the person at the terminal, or nobody.
pub(super) fn approver(answers: Answers, stdin_is_used: bool) -> impl Approver {
    let there = stdin().is_terminal() && stderr().is_terminal() && !stdin_is_used;
    match answers {
        Answers { deny: true, .. } => Who::Always(|_| Approval::Rejected),
        Answers { approve: true, .. } => Who::Always(ApprovalRequest::allow_once),
        _ if there => Who::Person,
        _ => Who::Always(|_| Approval::Unavailable),
    }
}

enum Who {
    Always(fn(&ApprovalRequest) -> Approval),
    Person,
}

impl Approver for Who {
    fn approve<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ToolResult<Approval>> {
        match self {
            Self::Always(answer) => Box::pin(async { Ok(answer(request)) }),
            Self::Person => Box::pin(ask(request)),
        }
    }
}

async fn ask(request: &ApprovalRequest) -> ToolResult<Approval> {
    let question = question(request);
    let answer = tokio::task::spawn_blocking(move || read_answer(&question));
    tokio::select! {
        () = request.cancellation().cancelled() => Ok(Approval::Cancelled),
        answer = answer => Ok(if answer?? { request.allow_once() } else { Approval::Rejected }),
    }
}

/// Which tool, with which arguments, and why it is asked.
fn question(request: &ApprovalRequest) -> String {
    let effect = match request.annotations() {
        annotations if annotations.is_read_only() => "it says that it only reads",
        annotations if annotations.is_destructive() => "it may destroy something",
        _ => "it changes something",
    };
    let arguments = format!("{:#}", request.arguments());
    let reason = request.reason().unwrap_or("policy wants to know");
    visible(&format!(
        "{} asks to run, {effect}\n{arguments}\nreason: {reason}\n",
        request.tool_name(),
    ))
}

/// Reads one line; anything but a yes is a no, and so is the end of the input.
fn read_answer(question: &str) -> std::io::Result<bool> {
    let mut screen = stderr();
    write!(screen, "\r\u{1b}[2K{question}{} ", bold("Allow it this once? [y/N]"))?;
    screen.flush()?;
    let mut line = String::new();
    stdin().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
