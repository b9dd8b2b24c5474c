//! Each matcher, and paths to arguments.

use dsh_tools::policy::Decision::{Allow, Ask, Deny};
use dsh_tools::{CallOptions, Schema, ToolCall, ToolDefinition, ToolRegistry};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{matches, one_rule};

/// Values that one condition on `x` is met by, and values that it is not met by, in every rule.
#[track_caller]
fn check(matchers: &str, met: &[Value], unmet: &[Value]) {
    for decision in [Allow, Ask, Deny] {
        for (values, expected) in [(met, true), (unmet, false)] {
            for value in values {
                let matched =
                    matches(decision, &format!("x = {{ {matchers} }}"), json!({"x": value}));
                assert_eq!(matched, expected, "{decision} where {matchers} of {value}");
            }
        }
    }
}

#[test]
fn equals_compares_strings_numbers_and_booleans() {
    check("equals = 'a'", &[json!("a")], &[json!("b"), json!("A"), json!("")]);
    check("equals = 1", &[json!(1), json!(1.0)], &[json!(2), json!(1.5), json!(-1)]);
    check("equals = 0.5", &[json!(0.5)], &[json!(0), json!(1)]);
    check("equals = 0x10", &[json!(16)], &[json!(10)]);
    check("equals = true", &[json!(true)], &[json!(false)]);
    check("equals = 9223372036854775807", &[json!(i64::MAX)], &[json!(i64::MAX as u64 + 1)]);
}

#[test]
fn one_of_is_any_of_them() {
    check("one_of = ['a', 'b']", &[json!("a"), json!("b")], &[json!("c"), json!("ab")]);
    check("one_of = [1, 2.5]", &[json!(1), json!(2.5)], &[json!(2)]);
}

#[test]
fn prefix_is_how_text_begins() {
    check(
        "prefix = 'git '",
        &[json!("git log"), json!("git ")],
        &[json!("git"), json!(" git log")],
    );
}

#[test]
fn above_and_below_leave_out_the_bound() {
    check("above = 5", &[json!(6), json!(5.1), json!(u64::MAX)], &[json!(5), json!(4), json!(-6)]);
    check("below = 0.5", &[json!(0), json!(0.4), json!(i64::MIN)], &[json!(0.5), json!(1)]);
    check("above = 1, below = 3", &[json!(2)], &[json!(1), json!(3)]);
    check("above = 9007199254740992", &[json!(9_007_199_254_740_993_u64)], &[json!(1)]);
}

#[test]
fn exists_is_about_values_that_are_not_null() {
    check("exists = true", &[json!("a"), json!(0), json!([]), json!({})], &[json!(null)]);
    check("exists = false", &[json!(null)], &[json!("a"), json!(false)]);
    for decision in [Allow, Ask, Deny] {
        assert!(matches(decision, "x = { exists = false }", json!({})));
        assert!(!matches(decision, "x = { exists = true }", json!({})));
        assert!(matches(decision, "x = { not = { exists = true } }", json!({})));
    }
}

#[test]
fn not_is_the_opposite_of_all_that_it_holds() {
    check("not = { equals = 'a' }", &[json!("b")], &[json!("a")]);
    check("not = { above = 1, below = 3 }", &[json!(1), json!(3)], &[json!(2)]);
    check("prefix = 'a', not = { equals = 'ab' }", &[json!("ac")], &[json!("ab"), json!("b")]);
}

#[test]
fn a_regex_that_lets_through_has_to_match_all_and_one_that_stops_any_part() {
    let (part, whole) = (json!({"x": "say ls now"}), json!({"x": "ls"}));
    for (condition, allows_part) in [("regex = 'ls'", false), ("not = { regex = 'ls' }", false)] {
        let condition = format!("x = {{ {condition} }}");
        assert_eq!(matches(Allow, &condition, part.clone()), allows_part, "{condition}");
        assert!(matches(Deny, &condition, part.clone()), "{condition}");
    }
    assert!(matches(Allow, "x = { regex = 'ls' }", whole.clone()));
    assert!(!matches(Deny, "x = { not = { regex = 'ls' } }", whole.clone()));
    assert!(matches(Allow, "x = { not = { regex = 'rm' } }", part));
    // The longer branch, though the shorter one is found first.
    assert!(matches(Allow, "x = { regex = 'l|ls' }", whole));
    assert!(!matches(Allow, "x = { regex = 'ls' }", json!({"x": "ls\n"})));
}

#[test]
fn all_conditions_and_all_matchers_have_to_hold() {
    let both = "x = { equals = 1 }, y = { equals = 2 }";
    for decision in [Allow, Deny] {
        assert!(matches(decision, both, json!({"x": 1, "y": 2})));
        assert!(!matches(decision, both, json!({"x": 1, "y": 3})));
        assert!(!matches(decision, both, json!({"x": 0, "y": 2})));
    }
}

#[test]
fn a_path_leads_through_objects_and_lists() {
    for decision in [Allow, Ask, Deny] {
        let check = |path: &str, arguments: Value| {
            matches(decision, &format!("{path} = {{ equals = 1 }}"), arguments)
        };
        assert!(check("'env.PATH'", json!({"env": {"PATH": 1}})));
        assert!(!check("'env.PATH'", json!({"env": {"PATH": 2}, "env.PATH": 1})));
        assert!(check(r"'env\.PATH'", json!({"env.PATH": 1})));
        assert!(check(r"'a\[\]'", json!({"a[]": 1})));
        assert!(check("'filters[].kind'", json!({"filters": [{"kind": 1}]})));
        assert!(check("'rows[][]'", json!({"rows": [[1], [1, 1]]})));
        assert!(check("'a.b[].c.d'", json!({"a": {"b": [{"c": {"d": 1}}]}})));
    }
}

#[test]
fn allow_needs_every_value_and_what_stops_needs_one() {
    let inside = "'paths[]' = { glob = '/work/**' }";
    let outside = "'paths[]' = { not = { glob = '/work/**' } }";
    let mixed = json!({"paths": ["/work/a", "/etc/passwd"]});
    let good = json!({"paths": ["/work/a", "/work/b"]});
    assert!(matches(Allow, inside, good.clone()) && !matches(Allow, inside, mixed.clone()));
    assert!(matches(Deny, outside, mixed.clone()) && !matches(Deny, outside, good));
    assert!(matches(Ask, inside, mixed.clone()) && !matches(Allow, outside, mixed));
}

/// What `open` takes.
#[derive(Deserialize, Schema)]
#[expect(dead_code, reason = "nothing runs")]
struct Open {
    #[serde(alias = "file", alias = "filename")]
    path: String,
    #[serde(default)]
    target: Option<Target>,
    #[serde(flatten)]
    more: More,
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
#[expect(dead_code, reason = "nothing runs")]
enum Target {
    Name(String),
    Host {
        #[serde(alias = "address")]
        host: String,
    },
}

#[derive(Deserialize, Schema)]
#[expect(dead_code, reason = "nothing runs")]
struct More {
    #[serde(default)]
    hops: Vec<Hop>,
}

#[derive(Deserialize, Schema)]
#[expect(dead_code, reason = "nothing runs")]
struct Hop {
    #[serde(alias = "via")]
    through: String,
    #[serde(default)]
    inner: Vec<Hop>,
}

#[test]
fn an_alias_is_no_way_round_a_rule() {
    let open = ToolDefinition::typed("open", "Opens.", |_: Open, _| async { Ok(()) });
    let registry = ToolRegistry::builder().tool(open).build().unwrap();
    for (path, arguments) in [
        ("path", json!({"path": "bad"})),
        ("path", json!({"file": "bad"})),
        ("path", json!({"path": null, "filename": "bad"})),
        ("path", json!({"path": "good", "file": "bad"})),
        ("file", json!({"path": "bad"})),
        ("target.host", json!({"target": {"address": "bad"}})),
        ("hops[].through", json!({"hops": [{"via": "good"}, {"via": "bad"}]})),
        ("hops[].inner[].through", json!({"hops": [{"inner": [{"via": "bad"}]}]})),
    ] {
        let policy = one_rule(Deny, &format!("when = {{ '{path}' = {{ equals = 'bad' }} }}"));
        let call = ToolCall::new("c1", "open", arguments.clone());
        let explanation = policy.explain_call(&registry, call, CallOptions::new());
        assert_eq!(explanation.decision(), Deny, "{path} of {arguments}");
    }
}
