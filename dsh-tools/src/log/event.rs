//! The two events of a call, as plain data.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::CallOptions;
#[cfg(feature = "ptc")]
use crate::context::ToolContext;
use crate::model::{CallResult, Content, ErrorInfo, ToolCall};
use crate::stages::Completed;

/// One event of a session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
#[non_exhaustive]
pub enum Event {
    /// A call came.
    #[serde(rename = "tool/call")]
    Call(CallEvent),
    /// A call has its result.
    #[serde(rename = "tool/result")]
    Result(ResultEvent),
    /// A program has called a tool. No message of the conversation comes of it.
    #[serde(rename = "tool/ptc-dispatch-start")]
    ProgramCall(ProgramCallEvent),
    /// The call of a program has its result. No message of the conversation comes of it.
    #[serde(rename = "tool/ptc-dispatch")]
    ProgramResult(ProgramResultEvent),
}

/// A call that a program made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProgramCallEvent {
    /// The call of the model that it serves.
    pub root_call_id: String,
    /// The call that runs the program.
    pub parent_call_id: String,
    /// Identity of the call.
    pub sub_call_id: String,
    /// The name that was called.
    pub name: String,
    /// The arguments.
    pub arguments: Value,
}

/// What a call of a program came to; the program is given the value, which is not part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ProgramResultEvent {
    /// The call.
    #[serde(flatten)]
    pub call: ProgramCallEvent,
    /// Whether it failed.
    pub is_error: bool,
    /// What a model would read of it, whole.
    pub content: Content,
    /// The structured side of a failure, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorInfo>,
}

/// A call, as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct CallEvent {
    /// Identity of the call.
    pub call_id: String,
    /// The call of the model that this call serves; its own id when it is that call.
    pub root_call_id: String,
    /// The name that was called.
    pub name: String,
    /// The arguments as they were sent; of arguments that came as a value, its JSON.
    pub arguments: String,
    /// On whose behalf the call is made, if on anyone's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
}

/// What a call came to, as the model is told. The value of the tool is not part of it.
///
/// Messages that follow the result are events of the conversation and are left to its owner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ResultEvent {
    /// Identity of the call that this is the result of.
    pub call_id: String,
    /// What the model reads.
    pub content: Content,
    /// Whether the call failed.
    pub is_error: bool,
    /// The structured side of a failure, if it has one: kind, code and the reason for the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorInfo>,
    /// What the tool recorded for the card that shows this call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Value>,
    /// How long the stages of the call took, in whole microseconds.
    #[serde(rename = "tookMicros", with = "micros")]
    pub took: Duration,
}

impl Event {
    /// Identity of the call.
    pub fn call_id(&self) -> &str {
        match self {
            Self::Call(call) => &call.call_id,
            Self::Result(result) => &result.call_id,
            Self::ProgramCall(call) => &call.sub_call_id,
            Self::ProgramResult(result) => &result.call.sub_call_id,
        }
    }

    pub(crate) fn call(call: &ToolCall, options: &CallOptions) -> Self {
        let root = options.parent.as_ref().map_or(&*call.id, |(_, root)| root);
        Self::Call(CallEvent {
            call_id: call.id.clone(),
            root_call_id: root.to_owned(),
            name: call.name.clone(),
            arguments: call.arguments.to_text().into_owned(),
            agent: options.scope.as_ref().map(|scope| scope.name().to_owned()),
        })
    }

    pub(crate) fn result(completed: &Completed) -> Self {
        let result: &CallResult = completed.result();
        Self::Result(ResultEvent {
            call_id: completed.call_id().to_owned(),
            content: result.content().clone(),
            is_error: result.is_error(),
            error: result.error().and_then(|error| error.info()).cloned(),
            meta: result.meta().cloned(),
            took: completed.took(),
        })
    }
}

#[cfg(feature = "ptc")]
impl Event {
    pub(crate) fn program_call(call: &ToolCall, parent: &ToolContext) -> Self {
        Self::ProgramCall(ProgramCallEvent::of(call, parent))
    }

    pub(crate) fn program_result(
        call: &ToolCall,
        result: &CallResult,
        parent: &ToolContext,
    ) -> Self {
        Self::ProgramResult(ProgramResultEvent {
            call: ProgramCallEvent::of(call, parent),
            is_error: result.is_error(),
            content: result.content().clone(),
            error: result.error().and_then(|error| error.info()).cloned(),
        })
    }
}

#[cfg(feature = "ptc")]
impl ProgramCallEvent {
    fn of(call: &ToolCall, parent: &ToolContext) -> Self {
        Self {
            root_call_id: parent.root_call_id().to_owned(),
            parent_call_id: parent.call_id().to_owned(),
            sub_call_id: call.id.clone(),
            name: call.name.clone(),
            arguments: call.arguments.value().clone(),
        }
    }
}

/// A duration as a number of microseconds.
mod micros {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(took: &Duration, to: S) -> Result<S::Ok, S::Error> {
        u64::try_from(took.as_micros()).unwrap_or(u64::MAX).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        u64::deserialize(from).map(Duration::from_micros)
    }
}
