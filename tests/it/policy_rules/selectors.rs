//! Tools, agents, tags and annotations.

use dsh_tools::CallOptions;
use dsh_tools::policy::Decision::{Allow, Ask, Deny};
use fixtures::Trace;
use serde_json::json;

use super::{call, decide, one_rule, tools};

/// The tools whose calls a rule with these selectors matches, whatever it decides.
#[track_caller]
fn check(selectors: &str, expected: &[&str]) {
    for decision in [Allow, Ask, Deny] {
        let policy = one_rule(decision, selectors);
        let matching: Vec<_> = ["add", "read_file", "run_command"]
            .into_iter()
            .filter(|tool| decide(&policy, call(tool, json!({}))) == decision)
            .collect();
        assert_eq!(matching, expected, "{decision} with {selectors}");
    }
}

#[test]
fn tools_are_selected_by_patterns_of_their_names() {
    check("", &["add", "read_file", "run_command"]);
    check("tools = ['add']", &["add"]);
    check("tools = ['r*']", &["read_file", "run_command"]);
    check("tools = ['*_*', '!run_*']", &["read_file"]);
    check("tools = ['!add']", &["read_file", "run_command"]);
    check("tools = ['*']", &["add", "read_file", "run_command"]);
    check("tools = ['a?d', 're*_f*e']", &["add", "read_file"]);
    check("tools = ['ad', 'd', 'dd', '?', 'addd', 'a??d', 'ADD']", &[]);
}

#[test]
fn annotations_all_have_to_hold_and_have_the_defaults_of_mcp() {
    check("annotations = ['read_only']", &["read_file"]);
    check("annotations = ['!read_only']", &["add", "run_command"]);
    check("annotations = ['destructive']", &["add", "run_command"]);
    check("annotations = ['!destructive']", &["read_file"]);
    check("annotations = ['idempotent']", &["read_file"]);
    check("annotations = ['!idempotent', 'open_world']", &["add", "run_command"]);
    check("annotations = ['read_only', 'open_world']", &[]);
}

#[test]
fn tags_select_tools_that_have_one_and_none_that_is_refused() {
    check("tags = ['files']", &["read_file"]);
    check("tags = ['files', 'c*']", &["read_file", "run_command"]);
    check("tags = ['files', '!local']", &[]);
    check("tags = ['!commands']", &["add", "read_file"]);
    check("tags = ['!*']", &["add"]);
}

#[test]
fn all_selectors_have_to_hold() {
    check("tools = ['r*']\nannotations = ['!read_only']", &["run_command"]);
    check("tools = ['r*']\ntags = ['files']\nannotations = ['!read_only']", &[]);
}

#[test]
fn agents_are_known_by_the_name_of_their_scope() {
    let registry = tools(&Trace::default());
    let main = registry.scope("main");
    let nested = main.scope("helper");
    for (decision, agents, on_main, on_nested, on_nobody) in [
        (Deny, "'main'", true, true, false),
        (Ask, "'main'", true, true, false),
        (Allow, "'main'", true, false, false),
        (Deny, "'help*'", false, true, false),
        (Allow, "'help*'", false, true, false),
        (Deny, "'!main'", false, true, true),
        (Allow, "'!main'", false, true, false),
        (Deny, "'*'", true, true, false),
    ] {
        let policy = one_rule(decision, &format!("agents = [{agents}]"));
        let matches = |options| {
            policy.explain_call(&registry, call("add", json!({})), options).decision() == decision
        };
        let found = [
            matches(CallOptions::new().with_scope(&main)),
            matches(CallOptions::new().with_scope(&nested)),
            matches(CallOptions::new()),
        ];
        assert_eq!(found, [on_main, on_nested, on_nobody], "{decision} with {agents}");
    }
}
