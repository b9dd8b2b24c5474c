//! Who hears that the set of tools changed, and what a refusal undoes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dsh_tools::hooks::ConditionContext;
use dsh_tools::{Execution, RestrictError, Step, ToolError, ToolFilter, ToolRegistry};
use fixtures::{Trace, constant};
use serde_json::json;

/// A registry whose changes are noted, with the tools that are there then.
fn heard() -> (ToolRegistry, Trace, Arc<AtomicBool>) {
    let registry = ToolRegistry::builder().build().unwrap();
    let (trace, broken) = (Trace::default(), Arc::new(AtomicBool::new(false)));
    let (notes, breaks) = (trace.clone(), Arc::clone(&broken));
    registry
        .on_change("notes", move |registry: &ToolRegistry| {
            let names: Vec<_> =
                registry.definitions().iter().map(|d| d.name().to_owned()).collect();
            notes.add(names.join(" "));
            if breaks.load(Ordering::Relaxed) {
                return Err(ToolError::new("observer broke"));
            }
            Ok(())
        })
        .keep();
    (registry, trace, broken)
}

#[test]
fn every_change_of_what_is_seen_is_told_after_it_was_made() {
    let (registry, trace, _) = heard();
    let a = registry.register(constant("a", json!(1))).unwrap();
    let scope = registry.scope("s");
    let own = scope.register(constant("own", json!(1))).unwrap();
    let restriction = scope.restrict(ToolFilter::deny(["a"])).unwrap();
    assert_eq!(trace.lines(), ["a", "a", "a"]);
    drop(restriction);
    drop(own);
    drop(a);
    assert_eq!(trace.lines()[3..], ["a", "a", ""]);
}

#[test]
fn hooks_and_refused_tools_are_no_change() {
    let (registry, trace, _) = heard();
    let guard = registry.guard("g", |_: &Execution| Ok(None));
    drop(guard);
    registry.scope("s").restrict(ToolFilter::deny(["nobody"])).unwrap_err();
    registry.register(constant("run_code", json!(1))).unwrap_err();
    assert!(trace.lines().is_empty());
}

#[test]
fn what_a_listener_refuses_is_undone_and_told_again() {
    let (registry, trace, broken) = heard();
    registry.register(constant("a", json!(1))).unwrap().keep();
    broken.store(true, Ordering::Relaxed);
    let error = registry.register(constant("b", json!(1))).unwrap_err();
    assert_eq!(error.to_string(), "observer broke");
    assert_eq!(trace.lines(), ["a", "a b", "a"]);
    let scope = registry.scope("s");
    let refused = scope.restrict(ToolFilter::deny(["a"])).unwrap_err();
    assert_eq!(refused, RestrictError::Listener(ToolError::new("observer broke")));
    assert!(scope.get("a").is_some());

    broken.store(false, Ordering::Relaxed);
    registry.register(constant("b", json!(2))).unwrap().keep();
    assert_eq!(registry.definitions().len(), 2);
}

#[test]
fn a_listener_that_panics_refuses() {
    let registry = ToolRegistry::builder().build().unwrap();
    let listener = registry.on_change("breaks", |_: &ToolRegistry| panic!("boom"));
    let error = registry.register(constant("a", json!(1))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a change listener panicked, which is a defect in it and not in the call"
    );
    drop(listener);
    registry.register(constant("a", json!(1))).unwrap().keep();
}

#[test]
fn a_listener_may_change_the_registry() {
    let registry = ToolRegistry::builder().build().unwrap();
    registry
        .on_change("adds", |registry: &ToolRegistry| {
            if registry.get("second").is_none() && registry.get("first").is_some() {
                registry.register(constant("second", json!(2))).unwrap().keep();
            }
            Ok(())
        })
        .keep();
    let first = registry.register(constant("first", json!(1))).unwrap();
    assert!(registry.get("second").is_some());
    drop(first);
    assert_eq!(registry.definitions().len(), 1);
}

#[tokio::test]
async fn a_condition_that_changes_its_mind_is_no_change() {
    let (registry, trace, _) = heard();
    let on = Arc::new(AtomicBool::new(true));
    let asked = Arc::clone(&on);
    let tool = constant("a", json!(1)).with_condition(move |_: ConditionContext| {
        let answer = asked.load(Ordering::Relaxed);
        async move { Ok(answer) }
    });
    registry.register(tool).unwrap().keep();
    assert_eq!(registry.resolve(Step::default()).await.unwrap().definitions().len(), 1);
    on.store(false, Ordering::Relaxed);
    assert_eq!(registry.resolve(Step::default()).await.unwrap().definitions().len(), 0);
    assert_eq!(trace.lines(), ["a"]);
}
