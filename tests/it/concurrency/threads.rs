//! Several threads at one registry: nobody sees half of a change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use dsh_tools::{CallOptions, Scope, Step, ToolCall, ToolFilter, ToolRegistry};
use fixtures::{constant, read};
use serde_json::json;

const ROUNDS: usize = 300;

fn names(scope: &Scope) -> Vec<String> {
    scope.definitions().iter().map(|definition| definition.name().to_owned()).collect()
}

/// Tools that come and go together are seen together, in every scope.
#[test]
fn what_is_registered_as_one_is_seen_as_one() {
    let registry = ToolRegistry::builder().build().unwrap();
    let (agent, other) = (registry.scope("agent"), registry.scope("other"));
    let done = AtomicBool::new(false);
    let seen = AtomicUsize::new(0);
    std::thread::scope(|threads| {
        for scope in [&agent, &other, &agent.scope("nested")] {
            let (done, seen) = (&done, &seen);
            let scope = scope.clone();
            threads.spawn(move || {
                while !done.load(Ordering::Relaxed) {
                    let names = names(&scope);
                    assert!(names.is_empty() || names == ["a", "b"], "{names:?}");
                    seen.fetch_add(names.len(), Ordering::Relaxed);
                }
            });
        }
        for _ in 0..ROUNDS {
            let pair = ["a", "b"].map(|name| constant(name, json!(1)));
            let handle = registry.register_all(pair).unwrap();
            assert_eq!(names(&agent), ["a", "b"]);
            drop(handle);
            assert!(names(&other).is_empty());
        }
        done.store(true, Ordering::Relaxed);
    });
}

/// Writers in scopes of their own do not lose each other's changes.
#[test]
fn no_change_is_lost() {
    let registry = ToolRegistry::builder().build().unwrap();
    let agents: Vec<_> = (0..4).map(|index| registry.scope(index.to_string())).collect();
    std::thread::scope(|threads| {
        for agent in &agents {
            threads.spawn(move || {
                for round in 0..ROUNDS {
                    let own = agent.register(constant("own", json!(round))).unwrap();
                    assert_eq!(names(agent).iter().filter(|name| *name == "own").count(), 1);
                    let shared = format!("{}_{round}", agent.name());
                    let tool = dsh_tools::ToolDefinition::from_fn(
                        shared,
                        "Shared.",
                        json!({"type": "object"}),
                        |_, _| async { Ok(json!(1)) },
                    );
                    agent.registry().register(tool).unwrap().keep();
                    drop(own);
                }
            });
        }
    });
    assert_eq!(registry.definitions().len(), 4 * ROUNDS);
    assert!(agents.iter().all(|agent| agent.get("own").is_none()));
}

/// Calls run while everything changes; each has an answer that some moment explains.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn calls_see_one_moment() {
    let registry = ToolRegistry::builder().tool(constant("base", json!("base"))).build().unwrap();
    let agent = registry.scope("agent");
    let done = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..3)
        .map(|_| {
            let (agent, done) = (agent.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                let mut answers = 0;
                while !done.load(Ordering::Relaxed) {
                    let set = agent.resolve(Step::default()).await.unwrap();
                    let options = CallOptions::new().with_scope(&agent).with_tool_set(&set);
                    let call = ToolCall::new("c", "base", "{}");
                    let completed = agent.registry().execute(call, options).await;
                    let text = read(completed.result());
                    assert!(
                        ["base", "shadow", "Error: unknown tool \"base\""].contains(&&*text),
                        "{text}"
                    );
                    answers += 1;
                    tokio::task::yield_now().await;
                }
                answers
            })
        })
        .collect();
    for _ in 0..ROUNDS {
        let mask = agent.restrict(ToolFilter::deny(["base"])).unwrap();
        let shadow = agent.register(constant("base", json!("shadow"))).unwrap();
        tokio::task::yield_now().await;
        drop(mask);
        drop(shadow);
        tokio::task::yield_now().await;
    }
    done.store(true, Ordering::Relaxed);
    for caller in callers {
        assert!(caller.await.unwrap() > 0);
    }
}
