//! Listeners, guards and the approval service of a scenario.

use dsh_tools::hooks::{
    Approval, ApprovalRequest, Approver, Around, Guard, PostExecute, PreExecute, ResultObserver,
    approver_fn, around_fn, post_execute_fn, pre_execute_fn,
};
use dsh_tools::{
    CallResult, DecisionRecord, Execution, Registration, Scope, ToolError, ToolResult,
};
use serde_json::Value;

use super::parts::{self, summary};
use super::steps::{Actor, Call, Last, Place};
use super::world::World;
use super::{list, text};

pub(super) fn approver(world: &World, steps: &[Value]) -> impl Approver + use<> {
    let (world, steps) = (world.clone(), steps.to_vec());
    approver_fn(move |request: &ApprovalRequest| {
        let (world, steps) = (world.clone(), steps.clone());
        Box::pin(async move {
            world.note(format!(
                "{} approval tool={} agent={} reason={}",
                request.call_id(),
                request.tool_name(),
                request.agent().unwrap_or("-"),
                request.reason().unwrap_or("-"),
            ));
            let mut actor = Actor {
                world: &world,
                who: "approval".to_owned(),
                call: Call {
                    id: request.call_id().to_owned(),
                    root: request.call_id().to_owned(),
                    is_nested: false,
                    arguments: request.arguments(),
                    signal: request.cancellation().clone(),
                },
                place: Place::Approval,
                last: None,
            };
            let returned = actor.run(&steps).await?;
            Ok(match returned["outcome"].as_str() {
                Some("allowed-once") => request.allow_once(),
                Some("rejected") => Approval::Rejected,
                Some("cancelled") => Approval::Cancelled,
                _ => Approval::Unavailable,
            })
        })
    })
}

pub(super) fn add_guard(world: &World, given: &Value) {
    let name = text(&given["id"]).to_owned();
    match world.agents.find(text(&given["scope"])) {
        Some(scope) => scope.guard(name, guard(world, given)),
        None => world.registry().guard(name, guard(world, given)),
    }
    .keep();
}

fn guard(world: &World, given: &Value) -> impl Guard + use<> {
    let (world, given) = (world.clone(), given.clone());
    move |execution: &Execution| {
        world.note(format!("{} guard:{}", execution.call_id(), text(&given["id"])));
        if !concerns(&given, execution) {
            return Ok(None);
        }
        if given["abort_caller"] == true {
            world.abort_caller();
        }
        if let Some(other) = given.get("register") {
            add_guard(&world, other);
        }
        match given.get("throw") {
            Some(error) => Err(parts::error(error)),
            None => Ok(given["deny"].as_str().map(str::to_owned)),
        }
    }
}

/// Whether it is about this call; a listener that is not leaves no trace.
fn concerns(given: &Value, execution: &Execution) -> bool {
    given["only"].as_str().is_none_or(|only| only == execution.name())
}

pub(super) fn add_listener(world: &World, given: &Value) {
    let scope = world.agents.find(text(&given["scope"]));
    let first = given["prepend"] == true;
    let listener = Listener { world: world.clone(), given: given.clone() };
    listener.add(scope.as_ref(), first).keep();
}

#[derive(Clone)]
struct Listener {
    world: World,
    given: Value,
}

/// Adds to the registry or to a scope, which have the same methods.
macro_rules! add {
    ($self:ident, $scope:ident, $method:ident, $hook:expr) => {
        match $scope {
            Some(scope) => scope.$method($self.id(), $hook),
            None => $self.world.registry().$method($self.id(), $hook),
        }
    };
}

impl Listener {
    fn id(&self) -> String {
        text(&self.given["id"]).to_owned()
    }

    fn add(&self, scope: Option<&Scope>, first: bool) -> Registration {
        match (text(&self.given["stage"]), first) {
            ("pre", false) => add!(self, scope, pre_execute, self.pre()),
            ("pre", true) => add!(self, scope, prepend_pre_execute, self.pre()),
            ("around", false) => add!(self, scope, around, self.around()),
            ("around", true) => add!(self, scope, prepend_around, self.around()),
            ("post", false) => add!(self, scope, post_execute, self.post()),
            ("post", true) => add!(self, scope, prepend_post_execute, self.post()),
            (_, false) => add!(self, scope, observe, self.observer()),
            (_, true) => add!(self, scope, prepend_observe, self.observer()),
        }
    }

    fn actor<'a>(&'a self, execution: &'a Execution, place: Place<'a>) -> Actor<'a> {
        let who = format!("{}:{}", text(&self.given["stage"]), text(&self.given["id"]));
        Actor { world: &self.world, who, call: Call::of(execution), place, last: None }
    }

    fn pre(&self) -> impl PreExecute + use<> {
        let listener = self.clone();
        pre_execute_fn(move |execution, next| {
            let listener = listener.clone();
            Box::pin(async move {
                if !concerns(&listener.given, execution) {
                    return next.run().await;
                }
                let mut actor = listener.actor(execution, Place::Pre(Some(next)));
                actor.note(&format!("{} enter", actor.who));
                let returned = actor.run(list(&listener.given["steps"])).await;
                let decision = returned.map(|step| match (&step["last"], actor.last.take()) {
                    (Value::Bool(true), Some(Last::Pre(last))) => last,
                    _ => parts::pre_decision(&step["decision"]),
                });
                noted(&actor, decision, |decision| parts::pre_kind(decision).to_owned())
            })
        })
    }

    fn around(&self) -> impl Around + use<> {
        let listener = self.clone();
        around_fn(move |execution, next| {
            let listener = listener.clone();
            Box::pin(async move {
                if !concerns(&listener.given, execution) {
                    return next.run().await;
                }
                let place = Place::Around { next, replaced: None };
                let mut actor = listener.actor(execution, place);
                actor.note(&format!("{} enter", actor.who));
                let returned = actor.run(list(&listener.given["steps"])).await;
                let result = returned.and_then(|step| listener.result(&actor, &step));
                noted(&actor, result, summary)
            })
        })
    }

    fn result(&self, actor: &Actor<'_>, step: &Value) -> ToolResult<CallResult> {
        if let Some(name) = step["saved"].as_str() {
            return self.world.saved(name).ok_or_else(|| ToolError::new("nothing was kept"));
        }
        let last = actor.last_result().cloned();
        match step.get("result") {
            Some(given) => parts::result(&self.id(), &actor.filled(given), last),
            None => last.ok_or_else(|| ToolError::new("nothing came")),
        }
    }

    fn post(&self) -> impl PostExecute + use<> {
        let listener = self.clone();
        post_execute_fn(move |execution, result, next| {
            let listener = listener.clone();
            Box::pin(async move {
                if !concerns(&listener.given, execution) {
                    return next.run().await;
                }
                let mut actor = listener.actor(execution, Place::Post(Some(next)));
                actor.note(&format!("{} enter {}", actor.who, summary(result)));
                let returned = actor.run(list(&listener.given["steps"])).await;
                let last = match actor.last.take() {
                    Some(Last::Post(last)) => Some(last),
                    _ => None,
                };
                let decision = returned.and_then(|step| match (&step["last"], last) {
                    (Value::Bool(true), Some(last)) => Ok(last),
                    (_, last) => parts::post_decision(&listener.id(), &step["decision"], last),
                });
                noted(&actor, decision, |decision| parts::post_kind(decision).to_owned())
            })
        })
    }

    fn observer(&self) -> impl ResultObserver + use<> {
        let listener = self.clone();
        move |execution: &Execution, result: &CallResult, _: &DecisionRecord| {
            let Self { world, given } = &listener;
            if !concerns(given, execution) {
                return Ok(());
            }
            let id = text(&given["id"]);
            world.note(format!("{} result:{id} {}", execution.call_id(), summary(result)));
            if given["abort_caller"] == true {
                world.abort_caller();
            }
            given.get("throw").map_or(Ok(()), |error| Err(parts::error(error)))
        }
    }
}

/// Notes how a listener came to its end.
fn noted<T>(
    actor: &Actor<'_>,
    outcome: ToolResult<T>,
    told: impl Fn(&T) -> String,
) -> ToolResult<T> {
    match &outcome {
        Ok(outcome) => actor.note(&format!("{} exit {}", actor.who, told(outcome))),
        Err(_) => actor.note(&format!("{} throw", actor.who)),
    }
    outcome
}
