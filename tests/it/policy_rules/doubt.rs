//! What cannot be judged is never let through.

use dsh_tools::CallOptions;
use dsh_tools::policy::Decision::{self, Allow, Ask, Deny};
use dsh_tools::policy::RuleOutcome;
use fixtures::Trace;
use serde_json::{Value, json};

use super::{call, decide, matches, one_rule, tools};

const PATH: &str = "path = { glob = '/work/**' }";
const NOT_PATH: &str = "path = { not = { glob = '/work/**' } }";

#[test]
fn a_value_that_is_not_there_fits_nothing() {
    for arguments in [json!({}), json!({"path": null}), json!({"other": 1})] {
        let check = |decision, condition| matches(decision, condition, arguments.clone());
        assert!(!check(Allow, PATH) && !check(Allow, NOT_PATH), "allow needs the value");
        for decision in [Ask, Deny] {
            assert!(!check(decision, PATH), "there is nothing to stop");
            assert!(check(decision, NOT_PATH), "it is not inside");
        }
    }
    for arguments in [json!({"a": []}), json!({"a": [{}]}), json!({"a": null})] {
        let each = |not| {
            format!("'a[].b' = {}", if not { "{ not = { equals = 1 } }" } else { "{ equals = 1 }" })
        };
        assert!(!matches(Allow, &each(false), arguments.clone()));
        assert!(!matches(Allow, &each(true), arguments.clone()));
        assert!(!matches(Deny, &each(false), arguments.clone()));
        assert!(matches(Deny, &each(true), arguments));
    }
    // One of several is not there.
    let some = json!({"a": [{"b": 1}, {}]});
    assert!(!matches(Allow, "'a[].b' = { equals = 1 }", some.clone()));
    assert!(matches(Deny, "'a[].b' = { equals = 1 }", some));
}

/// Rules that stop calls match in doubt, and those that allow do not.
#[track_caller]
fn in_doubt(condition: &str, arguments: impl Into<dsh_tools::Arguments>, reason: &str) {
    let arguments = arguments.into();
    let registry = tools(&Trace::default());
    for decision in [Allow, Ask, Deny] {
        let policy = one_rule(decision, &format!("when = {{ {condition} }}"));
        let call = call("add", arguments.clone());
        let explanation = policy.explain_call(&registry, call, CallOptions::new());
        let expected = match decision {
            Allow => RuleOutcome::MissesInDoubt(reason.to_owned()),
            _ => RuleOutcome::MatchesInDoubt(reason.to_owned()),
        };
        assert_eq!(explanation.rules()[0].outcome, expected, "{decision} {condition}");
    }
}

#[test]
fn a_value_of_another_type_is_a_doubt() {
    let text = "\"x\" must be a string";
    for matcher in ["equals = 'a'", "one_of = ['a']", "glob = 'a'", "regex = 'a'", "prefix = 'a'"] {
        for value in [json!(1), json!(true), json!(["a"]), json!({"a": "a"})] {
            in_doubt(&format!("x = {{ {matcher} }}"), json!({ "x": value }), text);
            in_doubt(&format!("x = {{ not = {{ {matcher} }} }}"), json!({ "x": value }), text);
        }
    }
    for matcher in ["equals = 1", "above = 1", "below = 1"] {
        for value in [json!("1"), json!(true), json!([1])] {
            in_doubt(
                &format!("x = {{ {matcher} }}"),
                json!({ "x": value }),
                "\"x\" must be a number",
            );
        }
    }
    in_doubt("x = { equals = true }", json!({"x": "true"}), "\"x\" must be a boolean");
}

#[test]
fn a_path_that_is_blocked_is_a_doubt() {
    let condition = "'a.b[].c' = { exists = true }";
    in_doubt(condition, json!({"a": 1}), "\"a\" must be an object");
    in_doubt(condition, json!({"a": [{"b": []}]}), "\"a\" must be an object");
    in_doubt(condition, json!({"a": {"b": {"c": 1}}}), "\"a.b\" must be an array");
    in_doubt(condition, json!({"a": {"b": ["c"]}}), "\"a.b[]\" must be an object");
    in_doubt("x = { glob = 'a' }", json!({"x": "../a"}), "\"x\" must not contain \"..\"");
}

#[test]
fn arguments_that_are_no_json_object_are_a_doubt() {
    let reason = "the arguments must be a JSON object";
    for condition in [PATH, NOT_PATH, "path = { exists = false }"] {
        in_doubt(condition, r#"{"path": "/work/a""#, reason);
        in_doubt(condition, json!(["/work/a"]), reason);
        in_doubt(condition, json!("/work/a"), reason);
        in_doubt(condition, Value::Null, reason);
    }
    // No arguments at all are an empty object.
    assert_eq!(decide(&one_rule(Deny, "when = { x = { equals = 1 } }"), call("add", "")), Allow);
    // A rule without conditions is about the tool, whatever it is called with.
    assert_eq!(decide(&one_rule(Allow, "tools = ['add']"), call("add", "{")), Allow);
}

#[test]
fn what_is_certain_ends_a_doubt() {
    let rule = "x = { equals = 'a', above = 1 }";
    assert!(!matches(Deny, "x = { equals = 'a' }, y = { equals = 1 }", json!({"x": 1, "y": 2})));
    assert!(matches(Deny, rule, json!({"x": "a"})), "it is a, and cannot be compared with 1");
    assert!(!matches(Deny, rule, json!({"x": "b"})), "it is not a");
    let any = "'x[]' = { equals = 'a' }";
    assert!(matches(Deny, any, json!({"x": [1, "a"]})));
    assert!(!matches(Allow, any, json!({"x": ["a", 1]})));
}

#[test]
fn of_a_tool_that_is_not_registered_only_the_name_is_known() {
    let check = |decision: Decision, selectors: &str| {
        decide(&one_rule(decision, selectors), call("gone", json!({}))) == decision
    };
    for selectors in ["tags = ['a']", "tags = ['!a']", "annotations = ['read_only']"] {
        assert!(!check(Allow, selectors) && check(Deny, selectors) && check(Ask, selectors));
    }
    assert!(check(Allow, "tools = ['g*']") && !check(Deny, "tools = ['a*']\ntags = ['a']"));
}
