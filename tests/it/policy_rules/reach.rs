//! Rules that can decide nothing.

use dsh_tools::policy::Policy;

/// The problems of two rules named `a` and `b`.
#[track_caller]
fn check(a: &str, b: &str, expected: &[&str]) {
    let text = format!("default = 'ask'\n[[rule]]\nname = 'a'\n{a}\n[[rule]]\nname = 'b'\n{b}\n");
    let messages: Vec<_> = match Policy::from_toml(&text) {
        Ok(_) => Vec::new(),
        Err(error) => error.problems().iter().map(|problem| problem.message.clone()).collect(),
    };
    assert_eq!(messages, expected, "{a} / {b}");
}

const ALLOW: &str = "decision = 'allow'";
const ASK: &str = "decision = 'ask'";
const DENY: &str = "decision = 'deny'";

fn b_never_decides(decision: &str) -> String {
    format!(
        "the rule \"b\" never decides: \"a\" at line 2 matches every call that it matches, and \
         decides {decision}"
    )
}

#[test]
fn a_rule_that_a_stricter_one_covers_never_decides() {
    let covered = |a: &str, b: &str| {
        for (first, then) in [(DENY, ALLOW), (DENY, ASK), (ASK, ALLOW)] {
            let decision = if first == DENY { "deny" } else { "ask" };
            let (a, b) = (format!("{first}\n{a}"), format!("{then}\n{b}"));
            check(&a, &b, &[&b_never_decides(decision)]);
        }
    };
    covered("tools = ['read_*']", "tools = ['read_file', 'read_*_dir', 'read_?']");
    covered("tools = ['r?ad*']", "tools = ['read', 'r?ad_*']");
    covered("tools = ['a*', '!ab']", "tools = ['ac*', '!a?', '!ab*']");
    covered("tags = ['a', 'b']", "tags = ['a']");
    covered("agents = ['a*']", "agents = ['ab']\ntools = ['x']");
    covered("annotations = ['open_world']", "annotations = ['idempotent', 'open_world']");
    covered("when = { x.equals = 1 }", "when = { x.equals = 1, y.equals = 2 }");
    covered("when = { x = { regex = 'a' } }", "when = { x = { regex = 'a' } }\ntools = ['t']");
    covered("when = { x.not.glob = '/a/**' }", "when = { x.not.glob = '/a/**' }");
}

#[test]
fn the_first_of_equals_decides() {
    for decision in [ALLOW, ASK, DENY] {
        let word = decision.rsplit('\'').nth(1).unwrap();
        let (wide, narrow) =
            (format!("{decision}\ntools = ['x*']"), format!("{decision}\ntools = ['x']"));
        check(&wide, &narrow, &[&b_never_decides(word)]);
        check(&narrow, &wide, &[]);
        check(&wide, &wide, &[&b_never_decides(word)]);
    }
}

#[test]
fn everything_can_be_stopped_without_deleting_the_other_rules() {
    for rule in [ALLOW, ASK, DENY, "decision = 'allow'\ntools = ['x']"] {
        check(DENY, rule, &[]);
        check(&format!("{DENY}\ntools = ['*']"), rule, &[]);
    }
    check(ASK, ALLOW, &[&b_never_decides("ask")]);
    check(&format!("{ASK}\ntools = ['*']"), ALLOW, &[&b_never_decides("ask")]);
}

#[test]
fn a_rule_that_may_decide_something_is_left_alone() {
    let fine = |a: &str, b: &str| check(&format!("{DENY}\n{a}"), &format!("{ALLOW}\n{b}"), &[]);
    fine("tools = ['read_*']", "");
    fine("tools = ['read_*']", "tools = ['*']");
    fine("tools = ['read_*']", "tools = ['read_a', 'write']");
    fine("tools = ['r?']", "tools = ['r*']");
    fine("tools = ['rea?']", "tools = ['rea']");
    fine("tools = ['a*', '!ab']", "tools = ['a*']");
    fine("tools = ['!ab']", "tools = ['!ac']");
    fine("tags = ['*']", "");
    fine("tags = ['!b']", "tags = ['a']");
    fine("agents = ['*']", "tools = ['x']");
    fine("annotations = ['open_world']", "annotations = ['!open_world']");
    fine("when = { x.equals = 1 }", "when = { x.equals = 2 }");
    fine("when = { x.equals = 1 }", "when = { y.equals = 1 }");
    fine("when = { x.glob = 'a' }", "when = { x.prefix = 'a' }");
    fine("when = { x = { equals = 1 } }", "when = { x = { above = 0 } }");
    check(&format!("{ALLOW}\n"), &format!("{DENY}\ntools = ['x']"), &[]);
    check(&format!("{ASK}\n"), &format!("{DENY}\ntools = ['x']"), &[]);
}

#[test]
fn a_rule_that_contradicts_itself_matches_no_call() {
    for (rule, reason) in [
        ("annotations = ['read_only', '!read_only']", "no tool has all of these \"annotations\""),
        ("annotations = ['destructive', 'read_only']", "no tool has all of these \"annotations\""),
        ("tools = ['read_*', '!r*']", "\"tools\" refuses everything that it names"),
        ("tags = ['a', '!a']", "\"tags\" refuses everything that it names"),
        ("agents = ['a', '!?']", "\"agents\" refuses everything that it names"),
        ("when = { x = { above = 3, below = 3 } }", "no value fits the matchers of \"x\""),
        ("when = { x = { exists = false, equals = 1 } }", "no value fits the matchers of \"x\""),
    ] {
        let message = format!("the rule \"b\" matches no call: {reason}");
        check(&format!("{ALLOW}\ntools = ['y']"), &format!("{DENY}\n{rule}"), &[&message]);
    }
}

#[test]
fn a_rule_that_matches_no_call_covers_none() {
    let impossible = "when = { x = { exists = false, equals = 1 } }";
    let message = "matches no call: no value fits the matchers of \"x\"";
    check(
        &format!("{DENY}\n{impossible}"),
        &format!("{ALLOW}\n{impossible}\ntools = ['y']"),
        &[&format!("the rule \"a\" {message}"), &format!("the rule \"b\" {message}")],
    );
}
