//! The core of the registry under a scheduler that tries many interleavings.
//!
//! `RUSTFLAGS='--cfg shuttle' cargo test -p dsh-tools-tests --test interleavings`
#![cfg(shuttle)]

use dsh_tools::{Scope, Step, ToolDefinition, ToolFilter, ToolRegistry};
use fixtures::constant;
use serde_json::json;
use shuttle::future::block_on;
use shuttle::thread;

const TRIES: usize = 2_000;

fn tool(name: &'static str) -> ToolDefinition {
    constant(name, json!(name))
}

fn names(scope: &Scope) -> Vec<String> {
    scope.definitions().iter().map(|definition| definition.name().to_owned()).collect()
}

fn is_part_of(some: &[String], all: &[String]) -> bool {
    some.iter().all(|name| all.contains(name))
}

/// What is read later is never older, in whatever scope, also where a snapshot is made meanwhile.
#[test]
fn nobody_goes_back_in_time() {
    shuttle::check_random(
        || {
            let registry = ToolRegistry::builder().build().unwrap();
            let agent = registry.scope("agent");
            let writer = {
                let registry = registry.clone();
                thread::spawn(move || {
                    for name in ["a", "b", "c"] {
                        registry.register(tool(name)).unwrap().keep();
                    }
                })
            };
            let readers: Vec<_> = (0..2)
                .map(|_| {
                    let agent = agent.clone();
                    thread::spawn(move || {
                        let mut before = Vec::new();
                        for _ in 0..3 {
                            let now = names(&agent);
                            assert!(is_part_of(&before, &now), "{before:?}, then {now:?}");
                            before = now;
                        }
                    })
                })
                .collect();
            writer.join().unwrap();
            readers.into_iter().for_each(|reader| reader.join().unwrap());
            assert_eq!(names(&agent), ["a", "b", "c"]);
        },
        TRIES,
    );
}

/// Writers do not lose each other's changes, and an undo takes exactly what it is for.
#[test]
fn no_change_is_lost() {
    shuttle::check_random(
        || {
            let registry = ToolRegistry::builder().build().unwrap();
            let agent = registry.scope("agent");
            let threads = [
                thread::spawn({
                    let registry = registry.clone();
                    move || {
                        let first = registry.register(tool("x")).unwrap();
                        drop(first);
                        registry.register(tool("x")).unwrap().keep();
                    }
                }),
                thread::spawn({
                    let agent = agent.clone();
                    move || agent.register(tool("own")).unwrap().keep()
                }),
                thread::spawn({
                    let registry = registry.clone();
                    move || {
                        let pair = registry.register_all([tool("a"), tool("b")]).unwrap();
                        let seen = registry.definitions();
                        assert!(
                            seen.iter().filter(|d| ["a", "b"].contains(&d.name())).count() == 2
                        );
                        drop(pair);
                    }
                }),
            ];
            threads.into_iter().for_each(|thread| thread.join().unwrap());
            assert_eq!(names(&agent), ["x", "own"]);
        },
        TRIES,
    );
}

/// One name is won by one of several who want it at the same time.
#[test]
fn a_name_is_given_once() {
    shuttle::check_random(
        || {
            let registry = ToolRegistry::builder().build().unwrap();
            let threads: Vec<_> = (0..3)
                .map(|_| {
                    let registry = registry.clone();
                    thread::spawn(move || {
                        registry.register(tool("x")).map(dsh_tools::Registration::keep).is_ok()
                    })
                })
                .collect();
            let won = threads.into_iter().filter_map(|thread| thread.join().ok());
            assert_eq!(won.filter(|won| *won).count(), 1);
            assert_eq!(registry.definitions().len(), 1);
        },
        TRIES,
    );
}

/// A set admits the registration it recorded and no other, whatever is replaced or hidden meanwhile.
#[test]
fn a_set_admits_what_it_recorded() {
    shuttle::check_random(
        || {
            let registry = ToolRegistry::builder().build().unwrap();
            let agent = registry.scope("agent");
            let original = tool("x");
            let handle = registry.register(original.clone()).unwrap();
            let replaces = thread::spawn({
                let registry = registry.clone();
                move || {
                    drop(handle);
                    registry.register(tool("x")).unwrap().keep();
                }
            });
            let hides = thread::spawn({
                let agent = agent.clone();
                move || agent.restrict(ToolFilter::allow(Vec::<String>::new())).map(drop)
            });
            let set = block_on(agent.resolve(Step::default())).unwrap();
            let admitted = set.get("x");
            replaces.join().unwrap();
            hides.join().unwrap().unwrap();
            // In the end the second one is there: only a set that was resolved later admits it.
            let now = set.get("x");
            if admitted.as_ref().is_some_and(|definition| definition.is_same(&original)) {
                assert!(now.is_none());
            }
            if let Some(now) = now {
                assert!(now.is_same(&registry.get("x").unwrap()));
            }
        },
        TRIES,
    );
}
