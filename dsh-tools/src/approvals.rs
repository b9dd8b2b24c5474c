//! Approvals that are answered later, by whoever looks at what is open.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::hooks::{Approval, ApprovalRequest, Approver, BoxFuture};
use crate::model::{Arguments, ArgumentsHash, ToolResult};

/// Questions that wait for an answer from elsewhere: a web page, a chat, another process.
///
/// Mount it as the approver of a registry and keep a clone (clones are the same list). An answer
/// names the call and the hash of the arguments that were shown; it counts for exactly that
/// question, once. A question whose call is cancelled leaves the list. How long one may stay open
/// is said by [`RegistryBuilder::approval_deadline`](crate::RegistryBuilder::approval_deadline).
///
/// ```
/// use dsh_tools::hooks::{PreDecision, pre_execute_fn};
/// use dsh_tools::{Answer, CallOptions, OpenApprovals, ToolCall, ToolDefinition, ToolRegistry};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let approvals = OpenApprovals::new();
/// let delete = ToolDefinition::from_fn("delete", "Deletes.", json!({"type": "object"}), |_, _| {
///     async { Ok(json!("gone")) }
/// });
/// let registry = ToolRegistry::builder()
///     .tool(delete)
///     .pre_execute("ask", pre_execute_fn(|_, _| Box::pin(async { Ok(PreDecision::ask("sure?")) })))
///     .approver(approvals.clone())
///     .build()?;
///
/// let options = CallOptions::new().with_scope(&registry.scope("main"));
/// let call = registry.execute(ToolCall::new("c1", "delete", r#"{"path": "a"}"#), options);
/// let person = async {
///     let open = approvals.next().await;
///     assert_eq!((open.tool_name.as_str(), open.reason.as_deref()), ("delete", Some("sure?")));
///     approvals.answer(&open.call_id, open.arguments_hash, Answer::AllowOnce)
/// };
/// let (completed, answered) = tokio::join!(call, person);
/// answered?;
/// assert_eq!(completed.result().content().to_string(), "gone");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct OpenApprovals(Arc<Shared>);

#[derive(Default)]
struct Shared {
    open: Mutex<Vec<Open>>,
    /// Told when a question comes.
    came: Notify,
}

struct Open {
    number: u64,
    question: OpenApproval,
    answer: oneshot::Sender<Answer>,
}

/// A question that waits for an answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpenApproval {
    /// Identity of the call.
    pub call_id: String,
    /// The tool that is called.
    pub tool_name: String,
    /// The arguments it would run with.
    pub arguments: Arguments,
    /// The hash of those arguments; the answer names it.
    pub arguments_hash: ArgumentsHash,
    /// On whose behalf the call is made.
    pub agent: Option<String>,
    /// Why it is asked, if policy said so.
    pub reason: Option<String>,
}

/// What is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// This call may run, this once.
    AllowOnce,
    /// It may not.
    Reject,
}

/// No such question is open: it was answered or withdrawn, or was about other arguments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no question about call `{call_id}` with these arguments is open")]
pub struct NotOpen {
    call_id: String,
}

impl OpenApprovals {
    /// A list without questions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The open questions, oldest first.
    pub fn list(&self) -> Vec<OpenApproval> {
        self.open().iter().map(|open| open.question.clone()).collect()
    }

    /// The oldest open question, as soon as there is one; it stays open.
    ///
    /// # Cancel safety
    /// Yes: no question is lost when the future is dropped.
    pub async fn next(&self) -> OpenApproval {
        loop {
            let came = self.0.came.notified();
            if let Some(open) = self.open().first() {
                return open.question.clone();
            }
            came.await;
        }
    }

    /// Answers a question about exactly this call with exactly these arguments.
    ///
    /// # Errors
    /// No such question is open. Nothing is answered then.
    pub fn answer(
        &self,
        call_id: &str,
        arguments_hash: ArgumentsHash,
        answer: Answer,
    ) -> Result<(), NotOpen> {
        let is_asked = |open: &Open| {
            open.question.call_id == call_id && open.question.arguments_hash == arguments_hash
        };
        let mut all = self.open();
        let place = all.iter().position(is_asked);
        let answered = place.map(|place| all.remove(place));
        drop(all);
        // Where the receiver is gone the question was withdrawn at this moment.
        let answered = answered.and_then(|open| open.answer.send(answer).ok());
        answered.ok_or_else(|| NotOpen { call_id: call_id.to_owned() })
    }

    fn open(&self) -> std::sync::MutexGuard<'_, Vec<Open>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, request: &ApprovalRequest) -> (Withdraw<'_>, oneshot::Receiver<Answer>) {
        let (sender, receiver) = oneshot::channel();
        let number = request.number();
        let question = OpenApproval {
            call_id: request.call_id().to_owned(),
            tool_name: request.tool_name().to_owned(),
            arguments: request.raw_arguments().clone(),
            arguments_hash: request.arguments_hash(),
            agent: request.agent().map(str::to_owned),
            reason: request.reason().map(str::to_owned),
        };
        self.open().push(Open { number, question, answer: sender });
        self.0.came.notify_waiters();
        (Withdraw { approvals: self, number }, receiver)
    }
}

impl Approver for OpenApprovals {
    fn approve<'a>(&'a self, request: &'a ApprovalRequest) -> BoxFuture<'a, ToolResult<Approval>> {
        Box::pin(async move {
            let (_withdraw, answer) = self.ask(request);
            tokio::select! {
                biased;
                answer = answer => Ok(match answer {
                    Ok(Answer::AllowOnce) => request.allow_once(),
                    Ok(Answer::Reject) => Approval::Rejected,
                    Err(_) => Approval::Unavailable,
                }),
                () = request.cancellation().cancelled() => Ok(Approval::Cancelled),
            }
        })
    }
}

/// Takes a question off the list when nobody waits for its answer any more.
struct Withdraw<'a> {
    approvals: &'a OpenApprovals,
    number: u64,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        self.approvals.open().retain(|open| open.number != self.number);
    }
}

/// Arguments are left out, since they may hold secrets.
impl fmt::Debug for OpenApprovals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<_> = self.list().into_iter().map(|open| open.call_id).collect();
        f.debug_tuple("OpenApprovals").field(&ids).finish()
    }
}
