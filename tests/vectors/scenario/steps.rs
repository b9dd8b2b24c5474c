//! Carries out the steps of a listener, a body or the approval service.

use std::collections::VecDeque;
use std::time::Duration;

use dsh_tools::hooks::{AroundNext, PostDecision, PostNext, PreDecision, PreNext};
use dsh_tools::{
    CallOptions, CallResult, Context, Execution, ToolCall, ToolContext, ToolError, ToolResult,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::parts::{self, summary};
use super::world::World;
use super::{list, text};

/// Whose steps they are, and in which call.
pub(super) struct Actor<'a> {
    pub(super) world: &'a World,
    /// `pre:ID`, `body:TOOL` and so on.
    pub(super) who: String,
    pub(super) call: Call<'a>,
    pub(super) place: Place<'a>,
    pub(super) last: Option<Last>,
}

/// The call that the steps belong to.
pub(super) struct Call<'a> {
    pub(super) id: String,
    pub(super) root: String,
    pub(super) is_nested: bool,
    pub(super) arguments: &'a Value,
    /// The token that the actor sees, but for what it puts in its place.
    pub(super) signal: CancellationToken,
}

/// Where in the pipeline the steps stand: what `next` does there.
pub(super) enum Place<'a> {
    Pre(Option<PreNext<'a>>),
    Around { next: AroundNext<'a>, replaced: Option<CancellationToken> },
    Post(Option<PostNext<'a>>),
    Body(&'a ToolContext),
    Approval,
}

/// What came of the last step that gave something.
#[derive(Clone)]
pub(super) enum Last {
    Pre(PreDecision),
    Result(CallResult),
    Post(PostDecision),
}

impl<'a> Call<'a> {
    pub(super) fn of(execution: &'a Execution) -> Self {
        Self {
            id: execution.call_id().to_owned(),
            root: execution.root_call_id().to_owned(),
            is_nested: execution.parent().is_some(),
            arguments: execution.arguments(),
            signal: execution.cancellation().clone(),
        }
    }
}

impl Last {
    fn told(&self) -> String {
        match self {
            Self::Pre(decision) => parts::pre_kind(decision).to_owned(),
            Self::Result(result) => summary(result),
            Self::Post(decision) => parts::post_kind(decision).to_owned(),
        }
    }

    fn as_result(&self) -> Option<&CallResult> {
        match self {
            Self::Result(result) => Some(result),
            _ => None,
        }
    }
}

impl Actor<'_> {
    /// Carries the steps out, and gives the one that returns; without one it is `null`.
    pub(super) async fn run(&mut self, steps: &[Value]) -> ToolResult<Value> {
        let mut todo: VecDeque<Value> = steps.iter().cloned().collect();
        while let Some(step) = todo.pop_front() {
            match text(&step["op"]) {
                "return" => return Ok(step),
                "throw" => return Err(parts::error(&step["error"])),
                "next" => self.last = Some(self.next().await?),
                "if_error" => {
                    let failed = self.last_result().is_some_and(CallResult::is_error);
                    branch(&mut todo, &step, failed);
                }
                "if_saved" => {
                    let saved = self.world.saved(text(&step["name"])).is_some();
                    branch(&mut todo, &step, saved);
                }
                "pause" => tokio::task::yield_now().await,
                "sleep_ms" => tokio::time::sleep(milliseconds(&step)).await,
                "wait_aborted" => self.signal().cancelled().await,
                "sleep_unless_aborted" => {
                    // Whichever comes first; neither has anything to say.
                    let sleep = tokio::time::sleep(milliseconds(&step));
                    let signal = self.signal();
                    tokio::select! { () = sleep => {}, () = signal.cancelled() => {} }
                }
                "call" => self.last = Some(Last::Result(self.call(&step).await)),
                _ => self.act(&step),
            }
        }
        Ok(Value::Null)
    }

    /// A step that takes no time.
    fn act(&mut self, step: &Value) {
        let name = text(&step["name"]);
        match text(&step["op"]) {
            "abort_caller" => self.world.abort_caller(),
            "unregister" => self.world.unregister(text(&step["tool"])),
            "abort_signal" => self.world.abort_signal(name),
            "replace_signal" => {
                let token = self.world.signal(name);
                if step["aborted"] == true {
                    token.cancel();
                }
                self.replace(Some(token));
            }
            "restore_signal" => self.replace(None),
            "defer_context" => {
                let context =
                    Context { source: self.who.clone(), content: text(&step["text"]).into() };
                self.body().forward_contexts([context]);
            }
            "conclude_turn" => self.body().conclude_turn(),
            "forward_contexts" => {
                let contexts = self.last_result().map(CallResult::contexts).unwrap_or_default();
                self.body().forward_contexts(contexts.iter().cloned());
            }
            "forward_conclusion" => {
                if self.last_result().is_some_and(CallResult::concludes_turn) {
                    self.body().conclude_turn();
                }
            }
            "save" => {
                let last = self.last_result().expect("there is a result to keep").clone();
                self.world.save(text(&step["as"]), last);
            }
            "note" => self.note(&format!("note {}", text(&step["text"]))),
            "note_args" => self.note(&format!("args {}", as_printed(self.call.arguments))),
            "note_ids" => {
                let Call { root, is_nested, .. } = &self.call;
                self.note(&format!("ids root={root} nested={is_nested}"));
            }
            "note_last" => {
                let told = self.last.as_ref().map(Last::told).unwrap_or_default();
                self.note(&format!("last {told}"));
            }
            "note_signal" => {
                let aborted = match &self.place {
                    Place::Body(cx) => cx.is_cancelled(),
                    _ => self.signal().is_cancelled(),
                };
                let state = if aborted { "aborted" } else { "live" };
                self.note(&format!("signal {} {state}", self.who));
            }
            other => panic!("no such step: {other}"),
        }
    }

    pub(super) fn note(&self, what: &str) {
        self.world.note(format!("{} {what}", self.call.id));
    }

    pub(super) fn last_result(&self) -> Option<&CallResult> {
        self.last.as_ref().and_then(Last::as_result)
    }

    async fn next(&mut self) -> ToolResult<Last> {
        const ONCE: &str = "it delegates once";
        match &mut self.place {
            Place::Pre(next) => next.take().expect(ONCE).run().await.map(Last::Pre),
            Place::Post(next) => next.take().expect(ONCE).run().await.map(Last::Post),
            Place::Around { next, replaced } => match replaced.clone() {
                Some(signal) => next.run_with(signal).await.map(Last::Result),
                None => next.run().await.map(Last::Result),
            },
            Place::Body(_) | Place::Approval => Err(ToolError::new("there is nothing inside")),
        }
    }

    /// The token as the actor sees it now.
    fn signal(&self) -> CancellationToken {
        match &self.place {
            Place::Around { replaced: Some(signal), .. } => signal.clone(),
            Place::Around { next, .. } => next.cancellation().clone(),
            _ => self.call.signal.clone(),
        }
    }

    fn replace(&mut self, signal: Option<CancellationToken>) {
        if let Place::Around { replaced, .. } = &mut self.place {
            *replaced = signal;
        }
    }

    fn body(&self) -> &ToolContext {
        match &self.place {
            Place::Body(cx) => cx,
            _ => panic!("only a body does this"),
        }
    }

    /// Calls another tool under this call, or beside it.
    async fn call(&self, step: &Value) -> CallResult {
        let cx = self.body();
        let options = if step["nested"] == false {
            let beside = CallOptions::new().with_cancellation(self.signal());
            match cx.agent().and_then(|agent| self.world.agents.find(agent)) {
                Some(scope) => beside.with_scope(&scope),
                None => beside,
            }
        } else {
            CallOptions::new().nested_in(cx)
        };
        let arguments = step.get("arguments").cloned().unwrap_or_else(|| json!({}));
        let call = ToolCall::new(text(&step["call_id"]), text(&step["tool"]), arguments);
        self.world.registry().execute(call, options).await.into_result()
    }

    /// A value in which `{"$get": "args.a"}` stands for a part of the arguments or of what came last.
    pub(super) fn filled(&self, value: &Value) -> Value {
        match value {
            Value::Object(members) => match members.get("$get").and_then(Value::as_str) {
                Some(path) => self.part(path),
                None => {
                    members.iter().map(|(key, value)| (key.clone(), self.filled(value))).collect()
                }
            },
            Value::Array(items) => items.iter().map(|item| self.filled(item)).collect(),
            scalar => scalar.clone(),
        }
    }

    fn part(&self, path: &str) -> Value {
        let (from, keys) = path.split_once('.').unwrap_or((path, ""));
        let from = match from {
            "args" => self.call.arguments.clone(),
            _ => self.last_result().map(parts::written).unwrap_or_default(),
        };
        let keys = keys.split('.').filter(|key| !key.is_empty());
        keys.fold(from, |value, key| match &value {
            Value::Array(items) => key
                .parse()
                .ok()
                .and_then(|index: usize| items.get(index))
                .cloned()
                .unwrap_or_default(),
            other => other.get(key).cloned().unwrap_or_default(),
        })
    }
}

/// Puts the steps of a branch before what is left to do.
fn branch(todo: &mut VecDeque<Value>, step: &Value, then: bool) {
    for step in list(&step[if then { "then" } else { "else" }]).iter().rev() {
        todo.push_front(step.clone());
    }
}

fn milliseconds(step: &Value) -> Duration {
    Duration::from_secs_f64(step["ms"].as_f64().unwrap_or_default() / 1000.0)
}

/// The value as the described system prints it: whole numbers have no point.
fn as_printed(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64().filter(|float| float.fract() == 0.0) {
            Some(float) if float.abs() < 1e15 => {
                serde_json::from_str(&format!("{float:.0}")).expect("digits are a number")
            }
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(as_printed).collect(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.clone(), as_printed(value))).collect()
        }
        other => other.clone(),
    }
}
