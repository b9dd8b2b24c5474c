//! The two events of a call, as plain data.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::context::CallOptions;
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
