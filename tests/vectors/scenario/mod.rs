//! Scenarios: a registry is set up as a vector says, calls are made, and what happened is compared.
//!
//! `world.rs` is what all parts share, `tool.rs` and `hooks.rs` make what is registered, `steps.rs`
//! carries out the steps of listeners and bodies, `parts.rs` reads and writes results and decisions, `batch.rs` plays
//! whole batches.

mod batch;
mod hooks;
mod parts;
mod program;
mod ptc;
mod steps;
mod tool;
mod world;

use std::time::Duration;

use dsh_tools::around::Timeout;
use dsh_tools::{CallOptions, ToolCall, ToolFilter, ToolRegistry};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use self::world::World;
use super::tree::Tree;
use super::{Verdict, compare};

pub(crate) use self::program::Script;
pub(crate) use self::tool::definition;
pub(crate) use self::world::Agents;

/// A vector of the pipeline.
pub(crate) fn pipeline(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let expect = Tree::expand(expect);
    compare(&on_a_paused_clock(input, async |input| play(&input).await), &expect)
}

/// A vector of batches.
pub(crate) fn batch(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let happened = on_a_paused_clock(input, async |input| batch::play(&input).await);
    let settled = |tree: &Tree| batch::settled(tree.value(), input);
    compare(&settled(&happened).into(), &settled(&Tree::expand(expect)).into())
}

/// A vector of programs that call tools.
pub(crate) fn ptc(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let expect = Tree::expand(expect);
    let settled = |tree: &Tree| ptc::settled(tree.value(), expect.value());
    let played = |happened: Tree| compare(&settled(&happened).into(), &settled(&expect).into());
    // What is also given as data is carried out both ways.
    if !input["script"].is_null()
        && let Verdict::Differs(how) =
            played(on_a_paused_clock(input, async |input| ptc::play_script(&input).await))
    {
        return Verdict::Differs(format!("the stand-in: {how}"));
    }
    played(on_a_paused_clock(input, async |input| ptc::play_program(&input).await))
}

fn on_a_paused_clock(input: &Value, play: impl AsyncFnOnce(Value) -> Value) -> Tree {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .expect("a runtime");
    // On a paused clock this passes as soon as nothing else can happen.
    let input = Tree::expand(input).value().clone();
    let scenario = async { tokio::time::timeout(Duration::from_hours(1), play(input)).await };
    runtime.block_on(scenario).unwrap_or_else(|_| json!("it does not end")).into()
}

async fn play(input: &Value) -> Value {
    let world = set_up(input);
    let mut results = Vec::new();
    for call in list(&input["calls"]) {
        match call["op"].as_str() {
            Some("unregister") => world.unregister(text(&call["tool"])),
            _ => results.push(make(&world, call).await),
        }
    }
    json!({"trace": world.lines(), "results": results})
}

fn set_up(input: &Value) -> World {
    let mut builder = ToolRegistry::builder().specified_texts();
    if input["timeout_policy"] == true {
        builder = builder.around("timeout", Timeout);
    }
    let world = World::new(|world| {
        if !input["approval"].is_null() {
            builder = builder.approver(hooks::approver(world, list(&input["approval"]["steps"])));
        }
        builder.build().expect("a registry without tools")
    });
    for agent in list(&input["agents"]) {
        world.agents.add(world.registry(), agent);
    }
    for tool in list(&input["tools"]) {
        let made = definition(tool).map(|made| tool::with_body(&world, tool, &made));
        world.register(tool, made.expect("the tools of a scenario are right"));
    }
    for restriction in list(&input["restrictions"]) {
        let scope = world.agents.get(text(&restriction["agent"]));
        scope.restrict(filter(restriction)).expect("the filter is right").keep();
    }
    for guard in list(&input["guards"]) {
        hooks::add_guard(&world, guard);
    }
    for listener in list(&input["listeners"]) {
        hooks::add_listener(&world, listener);
    }
    world
}

/// Makes a call from outside and gives its result.
async fn make(world: &World, call: &Value) -> Value {
    let token = CancellationToken::new();
    world.set_caller(token.clone());
    if call["aborted"] == true {
        token.cancel();
    }
    let mut options = CallOptions::new().with_cancellation(token);
    if let Some(agent) = call["agent"].as_str() {
        options = options.with_scope(&world.agents.get(agent));
    }
    let arguments = Tree::read(call, "arguments").map(|tree| tree.value().clone());
    let call = ToolCall::new(
        text(&call["call_id"]),
        text(&call["tool"]),
        arguments.unwrap_or_else(|| json!({})),
    );
    parts::written(world.registry().execute(call, options).await.result())
}

pub(crate) fn filter(given: &Value) -> ToolFilter {
    let names = |key: &str| given[key].as_array().map(|_| list(&given[key]).iter().map(text));
    match (names("allow"), names("deny")) {
        (Some(allowed), None) => ToolFilter::allow(allowed),
        (Some(allowed), Some(denied)) => ToolFilter::allow(allowed).and_deny(denied),
        (None, Some(denied)) => ToolFilter::deny(denied),
        (None, None) => ToolFilter::default(),
    }
}

/// The items of a list that may be missing.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
