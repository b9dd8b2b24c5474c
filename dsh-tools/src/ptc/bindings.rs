//! The calls of a program on their way to the lane that runs them.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};

use super::runtime::Argument;
use crate::hooks::BoxFuture;
use crate::json::is_lossless;

/// The functions that a program may call.
///
/// A clone is the same. A call is cheap to drop: its sub-call goes on, and nobody hears of it.
#[derive(Clone)]
pub struct Bindings {
    names: Arc<[String]>,
    submissions: mpsc::UnboundedSender<Submission>,
}

/// One call of a program.
pub(super) struct Submission {
    pub(super) name: String,
    pub(super) arguments: Value,
    pub(super) reply: Reply,
}

/// What a program is told of a call: its value, or the message of its failure.
pub(super) type Reply = oneshot::Sender<Result<Value, String>>;

impl Bindings {
    pub(super) fn new(names: Vec<String>) -> (Self, mpsc::UnboundedReceiver<Submission>) {
        let (submissions, submitted) = mpsc::unbounded_channel();
        (Self { names: names.into(), submissions }, submitted)
    }

    /// The names, in order; any text may be one.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Calls one, and gives its value.
    ///
    /// Calls are taken in the order in which this function is called, also when what it returns is never
    /// polled.
    ///
    /// # Errors
    /// The message for the program: the argument is no lossless JSON, there is no such function, the call
    /// failed, or the run is over.
    pub fn call(
        &self,
        name: &str,
        argument: Argument,
    ) -> BoxFuture<'static, Result<Value, String>> {
        let answer = self.submit(name, argument);
        let name = name.to_owned();
        Box::pin(async move {
            let over = || format!("run_code run is over (run_code settled); {name} not dispatched");
            answer?.await.map_err(|_dropped| over())?
        })
    }

    fn submit(
        &self,
        name: &str,
        argument: Argument,
    ) -> Result<oneshot::Receiver<Result<Value, String>>, String> {
        if !self.names.iter().any(|own| own == name) {
            return Err(format!("unknown binding \"tools.{name}\""));
        }
        let arguments = match argument {
            Argument::Value(value) if is_lossless(&value) => value,
            Argument::Value(_) | Argument::Missing => {
                return Err("binding arguments must be lossless JSON".to_owned());
            }
            Argument::Unreadable(why) => {
                return Err(format!("tool arguments must be lossless JSON: {why}"));
            }
        };
        let (reply, answer) = oneshot::channel();
        let submission = Submission { name: name.to_owned(), arguments, reply };
        // Where nobody takes calls any more, the reply is dropped, which says so.
        let _taken = self.submissions.send(submission);
        Ok(answer)
    }
}

impl fmt::Debug for Bindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bindings").field("names", &self.names).finish_non_exhaustive()
    }
}
