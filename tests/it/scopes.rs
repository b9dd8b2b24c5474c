//! Scopes: who sees which tools, and whose calls pass which hooks.

use dsh_tools::hooks::{PreDecision, pre_execute_fn};
use dsh_tools::{
    CallOptions, CallResult, DecisionRecord, Execution, RestrictError, Scope, ToolCall, ToolFilter,
    ToolRegistry, ToolResult,
};
use fixtures::{Trace, constant, read};
use serde_json::json;

fn empty() -> ToolRegistry {
    ToolRegistry::builder().build().unwrap()
}

/// A registry with these tools, each of which gives its name.
fn with(names: &[&'static str]) -> ToolRegistry {
    let registry = empty();
    for name in names {
        registry.register(constant(name, json!(name))).unwrap().keep();
    }
    registry
}

fn add(scope: &Scope, name: &'static str, value: &str) -> dsh_tools::Registration {
    scope.register(constant(name, json!(value))).unwrap()
}

#[track_caller]
fn sees(scope: &Scope, names: &[&str]) {
    let seen: Vec<_> = scope.definitions().iter().map(|d| d.name().to_owned()).collect();
    assert_eq!(seen, names);
}

async fn call(scope: &Scope, name: &str) -> String {
    let options = CallOptions::new().with_scope(scope);
    let completed = scope.registry().execute(ToolCall::new("c1", name, "{}"), options).await;
    read(completed.result())
}

#[tokio::test]
async fn a_scoped_tool_is_there_for_its_scope_only() {
    let registry = with(&["a"]);
    let (one, other) = (registry.scope("one"), registry.scope("other"));
    let own = add(&one, "own", "mine");
    sees(&one, &["a", "own"]);
    sees(&other, &["a"]);
    assert_eq!(registry.definitions().len(), 1);
    assert_eq!(call(&one, "own").await, "mine");
    assert_eq!(call(&other, "own").await, "Error: unknown tool \"own\"");
    let unscoped =
        registry.execute(ToolCall::new("c1", "own", "{}"), CallOptions::new()).await.into_result();
    assert_eq!(read(&unscoped), "Error: unknown tool \"own\"");
    drop(own);
    assert_eq!(call(&one, "own").await, "Error: unknown tool \"own\"");
}

#[tokio::test]
async fn a_nearer_tool_takes_the_place_of_a_farther_one() {
    let registry = with(&["a", "b", "c"]);
    let parent = registry.scope("parent");
    let child = parent.scope("child");
    let shadow = add(&parent, "b", "parent's");
    sees(&child, &["a", "b", "c"]);
    assert_eq!(call(&child, "b").await, "parent's");
    let nearest = add(&child, "b", "child's");
    assert_eq!(
        (call(&child, "b").await, call(&parent, "b").await),
        ("child's".into(), "parent's".into())
    );
    drop(shadow);
    assert_eq!((call(&child, "b").await, call(&parent, "b").await), ("child's".into(), "b".into()));
    drop(nearest);
    assert_eq!(call(&child, "b").await, "b");
}

#[test]
fn a_name_belongs_to_one_tool_of_a_scope() {
    let registry = with(&["a"]);
    let scope = registry.scope("s");
    add(&scope, "a", "own").keep();
    let error = scope.register(constant("a", json!(2))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "tool \"a\" is already registered in this scope\n\
         - tool `a` made at run time\n- tool `a` made at run time"
    );
    let error = registry.register(constant("a", json!(2))).unwrap_err();
    assert!(error.to_string().starts_with(
        "tool \"a\" is already registered (for a per-agent variant, register through that agent's \
         `agent.ctx` instead)"
    ));
}

#[test]
fn the_name_of_the_tool_that_runs_programs_is_nobodys() {
    let error = empty().scope("s").register(constant("run_code", json!(1))).unwrap_err();
    assert!(error.to_string().starts_with(
        "tool name \"run_code\" is reserved for the PTC presentation transport and cannot be \
         registered or shadowed"
    ));
}

#[test]
fn several_tools_come_and_go_as_one() {
    let registry = with(&["c"]);
    let tools = || ["a", "b", "c"].map(|name| constant(name, json!(1)));
    let error = registry.register_all(tools()).unwrap_err();
    assert_eq!(error.problems().len(), 1);
    assert_eq!(registry.definitions().len(), 1);
    let scope = registry.scope("s");
    let handle = scope.register_all(tools()).unwrap();
    sees(&scope, &["c", "a", "b"]);
    drop(handle);
    sees(&scope, &["c"]);
}

#[tokio::test]
async fn a_restriction_hides_what_is_inherited_and_nothing_else() {
    let registry = with(&["read", "write"]);
    let scope = registry.scope("s");
    add(&scope, "own", "mine").keep();
    let only_read = scope.restrict(ToolFilter::allow(["read"])).unwrap();
    sees(&scope, &["read", "own"]);
    assert_eq!(call(&scope, "write").await, "Error: unknown tool \"write\"");
    assert!(registry.get("write").is_some());

    // It holds for what comes later, too, and an own tool is never hidden.
    registry.register(constant("exec", json!(1))).unwrap().keep();
    add(&scope, "write", "mine").keep();
    sees(&scope, &["read", "own", "write"]);
    drop(only_read);
    sees(&scope, &["read", "write", "exec", "own"]);
}

#[test]
fn restrictions_intersect_and_lift_one_by_one() {
    let registry = with(&["a", "b", "c"]);
    let scope = registry.scope("s");
    let first = scope.restrict(ToolFilter::allow(["a", "b"])).unwrap();
    let second = scope.restrict(ToolFilter::allow(["b", "c"]).and_deny(["c"])).unwrap();
    sees(&scope, &["b"]);
    let again = scope.restrict(ToolFilter::deny(["b"])).unwrap();
    sees(&scope, &[]);
    drop((second, again));
    sees(&scope, &["a", "b"]);
    drop(first);
    sees(&scope, &["a", "b", "c"]);
    let nothing = scope.restrict(ToolFilter::allow(Vec::<String>::new())).unwrap();
    sees(&scope, &[]);
    drop(nothing);
}

#[test]
fn a_restriction_reaches_nested_scopes_and_no_other() {
    let registry = with(&["a", "b"]);
    let parent = registry.scope("parent");
    let child = parent.scope("child");
    add(&parent, "p", "parent's").keep();
    let of_parent = parent.restrict(ToolFilter::deny(["a"])).unwrap();
    sees(&child, &["b", "p"]);
    let of_child = child.restrict(ToolFilter::deny(["p"])).unwrap();
    sees(&child, &["b"]);
    sees(&parent, &["b", "p"]);
    // An own tool of a name that is hidden stands at the end: the hidden one never had a place.
    add(&child, "a", "child's").keep();
    sees(&child, &["b", "a"]);
    drop((of_parent, of_child));
    sees(&child, &["a", "b", "p"]);
}

#[test]
fn a_filter_that_names_nothing_or_nobody_is_refused() {
    let registry = with(&["read", "exec"]);
    let scope = registry.scope("s");
    add(&scope, "own", "mine").keep();
    let refused = |filter: ToolFilter| scope.restrict(filter).unwrap_err();
    assert_eq!(refused(ToolFilter::default()), RestrictError::Empty);
    assert_eq!(
        refused(ToolFilter::allow(["zap", "read"]).and_deny(["own"])).to_string(),
        "tools.restrict() names unknown global tools \"zap\", \"own\"; known global tools: exec, read"
    );
    assert_eq!(
        refused(ToolFilter::deny(["run_code", "zap"])).to_string(),
        "tools.restrict() cannot name reserved PTC presentation transport \"run_code\"; restrict \
         end-capability tools instead"
    );
    let none = empty().scope("s").restrict(ToolFilter::deny(["a"])).unwrap_err();
    assert_eq!(
        none.to_string(),
        "tools.restrict() names unknown global tool \"a\"; known global tools: (none)"
    );
    sees(&scope, &["read", "exec", "own"]);
}

#[test]
fn what_is_filed_under_a_scope_goes_with_it() {
    let registry = with(&["a"]);
    let parent = registry.scope("parent");
    let child = parent.scope("child");
    add(&parent, "p", "parent's").keep();
    parent.restrict(ToolFilter::deny(["a"])).unwrap().keep();
    sees(&child, &["p"]);
    // The child keeps what it inherits from going away.
    drop(parent);
    sees(&child, &["p"]);
    child.parent().unwrap().clear();
    sees(&child, &["a"]);

    let heard = Trace::default();
    let listener = heard.clone();
    registry
        .on_change("heard", move |_: &ToolRegistry| {
            listener.add("changed");
            Ok(())
        })
        .keep();
    add(&child, "own", "mine").keep();
    drop(child);
    assert_eq!(heard.lines().len(), 2);
}

#[tokio::test]
async fn hooks_see_the_calls_of_their_scope_and_of_those_in_it() {
    let registry = with(&["a"]);
    let parent = registry.scope("parent");
    let (child, other) = (parent.scope("child"), registry.scope("other"));
    let trace = Trace::default();
    let note = |what: &'static str| {
        let trace = trace.clone();
        move |execution: &Execution, _: &CallResult, _: &DecisionRecord| {
            trace.add(format!("{what}: {}", execution.agent().unwrap_or("nobody")));
            ToolResult::Ok(())
        }
    };
    registry.observe("all", note("all")).keep();
    parent.observe("parent", note("parent")).keep();
    child.observe("child", note("child")).keep();
    for scope in [&parent, &child, &other] {
        call(scope, "a").await;
    }
    registry.execute(ToolCall::new("c1", "a", "{}"), CallOptions::new()).await;
    assert_eq!(
        trace.lines(),
        [
            "all: parent",
            "parent: parent",
            "all: child",
            "parent: child",
            "child: child",
            "all: other",
            "all: nobody",
        ]
    );
}

#[tokio::test]
async fn hooks_of_several_scopes_run_in_the_order_they_were_added_guards_by_layer() {
    let registry = with(&["a"]);
    let scope = registry.scope("s");
    let trace = Trace::default();
    let hook = |what: &'static str| {
        let trace = trace.clone();
        pre_execute_fn(move |_, next| {
            trace.add(what);
            next.run()
        })
    };
    let guard = |what: &'static str| {
        let trace = trace.clone();
        move |_: &Execution| {
            trace.add(what);
            ToolResult::Ok(None)
        }
    };
    scope.guard("own", guard("own guard")).keep();
    scope.pre_execute("scoped", hook("scoped")).keep();
    registry.pre_execute("global", hook("global")).keep();
    scope.prepend_pre_execute("outermost", hook("outermost")).keep();
    registry.guard("global", guard("global guard")).keep();
    call(&scope, "a").await;
    assert_eq!(trace.lines(), ["outermost", "scoped", "global", "global guard", "own guard"]);
}

#[tokio::test]
async fn a_prepended_allow_does_not_get_past_a_guard() {
    let registry = with(&["a"]);
    let scope = registry.scope("s");
    let deny = || |_: &Execution| ToolResult::Ok(Some("never".to_owned()));
    let (first, second) = (scope.guard("g", deny()), scope.guard("g", deny()));
    scope
        .prepend_pre_execute(
            "yes",
            pre_execute_fn(|_, _| Box::pin(async { Ok(PreDecision::Allow) })),
        )
        .keep();
    assert_eq!(call(&scope, "a").await, "Error: never");
    drop(first);
    assert_eq!(call(&scope, "a").await, "Error: never");
    drop(second);
    assert_eq!(call(&scope, "a").await, "a");
}

#[tokio::test]
async fn a_guard_that_comes_while_guards_are_asked_is_asked_too() {
    let registry = with(&["a"]);
    let scope = registry.scope("s");
    let inner = scope.clone();
    scope
        .guard("adds", move |_: &Execution| {
            inner.guard("late", |_: &Execution| Ok(Some("late".to_owned()))).keep();
            Ok(None)
        })
        .keep();
    assert_eq!(call(&scope, "a").await, "Error: late");
    scope.clear();
    assert_eq!(call(&scope, "a").await, "a");
}
