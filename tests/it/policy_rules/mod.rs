//! Policies read from TOML: what matches, what wins, what is refused, and how they are replaced.

mod conditions;
mod doubt;
mod globs;
mod hook;
mod random;
mod reach;
mod refused;
mod selectors;
mod shared;
mod watch;
mod wins;

use dsh_tools::policy::{Decision, Policy};
use dsh_tools::{
    Annotations, CallOptions, Parameters, ToolCall, ToolDefinition, ToolRegistry, ToolResult,
};
use fixtures::Trace;
use serde_json::{Value, json};

#[track_caller]
fn policy(text: &str) -> Policy {
    Policy::from_toml(text).unwrap()
}

/// A policy of one rule, beside a default that the rule is not.
#[track_caller]
fn one_rule(decision: Decision, selectors: &str) -> Policy {
    let default = if decision == Decision::Allow { "deny" } else { "allow" };
    policy(&format!(
        "default = \"{default}\"\n[[rule]]\nname = \"it\"\ndecision = \"{decision}\"\n{selectors}\n"
    ))
}

/// Tools that take any arguments and note that they ran.
fn tools(trace: &Trace) -> ToolRegistry {
    let tool = |name: &'static str| {
        let trace = trace.clone();
        let parameters = Parameters::Unchecked(json!({"type": "object"}).into());
        ToolDefinition::from_fn(name, "Runs.", parameters, move |_, _| {
            trace.add(name);
            async { ToolResult::Ok(json!("done")) }
        })
    };
    let reads = Annotations { read_only: Some(true), open_world: Some(false), ..Annotations::NONE };
    ToolRegistry::builder()
        .tool(tool("read_file").with_annotations(reads).with_tag("files").with_tag("local"))
        .tool(tool("run_command").with_tag("commands"))
        .tool(tool("add"))
        .build()
        .unwrap()
}

fn call(tool: &str, arguments: impl Into<dsh_tools::Arguments>) -> ToolCall {
    ToolCall::new("c1", tool, arguments)
}

/// What is decided about a call that nobody in particular makes.
fn decide(policy: &Policy, call: ToolCall) -> Decision {
    let registry = tools(&Trace::default());
    policy.explain_call(&registry, call, CallOptions::new()).decision()
}

/// Whether a rule with this condition matches a call with these arguments.
fn matches(decision: Decision, condition: &str, arguments: Value) -> bool {
    let policy = one_rule(decision, &format!("when = {{ {condition} }}"));
    decide(&policy, call("add", arguments)) == decision
}
