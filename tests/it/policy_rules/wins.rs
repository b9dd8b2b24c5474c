//! The strictest decision wins, wherever it stands.

use dsh_tools::CallOptions;
use dsh_tools::policy::Decision::{self, Allow, Ask, Deny};
use fixtures::Trace;
use serde_json::json;

use super::{call, decide, policy, tools};

/// Rules that all match, in this order.
fn rules(decisions: &[Decision]) -> String {
    // No two are the same, so that none is found to be in vain.
    let rules = decisions.iter().enumerate().map(|(index, decision)| {
        format!(
            "[[rule]]\nname = \"{index}\"\ndecision = \"{decision}\"\n\
             when = {{ a{index} = {{ exists = true }} }}\n"
        )
    });
    std::iter::once("default = \"allow\"\n".to_owned()).chain(rules).collect()
}

#[test]
fn the_strictest_of_all_that_match_wins_in_every_order() {
    let arguments = json!({"a0": 1, "a1": 1, "a2": 1});
    for (decisions, decision, rule) in [
        ([Allow, Ask, Deny], Deny, "2"),
        ([Deny, Ask, Allow], Deny, "0"),
        ([Ask, Deny, Allow], Deny, "1"),
        ([Allow, Ask, Allow], Ask, "1"),
        ([Allow, Allow, Allow], Allow, "0"),
        ([Ask, Deny, Deny], Deny, "1"),
    ] {
        let policy = policy(&rules(&decisions));
        let registry = tools(&Trace::default());
        let call = call("add", arguments.clone());
        let explanation = policy.explain_call(&registry, call, CallOptions::new());
        assert_eq!((explanation.decision(), explanation.rule()), (decision, Some(rule)));
    }
}

#[test]
fn the_default_counts_only_where_no_rule_matches() {
    for default in [Allow, Ask, Deny] {
        let policy = policy(&format!(
            "default = \"{default}\"\n\
             rule = [{{ name = \"a\", tools = [\"add\"], decision = \"allow\" }}]"
        ));
        assert_eq!(policy.default_decision(), default);
        assert_eq!(decide(&policy, call("add", json!({}))), Allow);
        assert_eq!(decide(&policy, call("run_command", json!({}))), default);
    }
}

#[test]
fn an_explanation_tells_of_every_rule() {
    let policy = policy(
        r#"default = "ask"

[[rule]]
name = "reads"
tools = ["read_*"]
decision = "allow"

[[rule]]
name = "no keys"
when = { path = { glob = "**/.ssh/**" } }
decision = "deny"

[[rule]]
name = "small"
when = { size = { below = 10 } }
decision = "allow"

[[rule]]
name = "files"
tags = ["files"]
annotations = ["open_world"]
decision = "deny"

[[rule]]
name = "main"
agents = ["main"]
decision = "allow"
"#,
    );
    let registry = tools(&Trace::default());
    let explain = |tool, arguments| {
        policy.explain_call(&registry, call(tool, arguments), CallOptions::new()).to_string()
    };
    assert_eq!(
        explain("read_file", json!({"path": "/a/.ssh/id", "size": "9"})),
        "deny by rule \"no keys\"\n\
         line 3    allow \"reads\" matches\n\
         line 8    deny  \"no keys\" matches\n\
         line 13   allow \"small\" does not match in doubt: \"size\" must be a number\n\
         line 18   deny  \"files\" does not match: annotations\n\
         line 24   allow \"main\" does not match in doubt: the call is for no agent\n"
    );
    assert_eq!(
        explain("add", json!({"path": ["/a"], "size": 10})),
        "deny by rule \"no keys\"\n\
         line 3    allow \"reads\" does not match: tools\n\
         line 8    deny  \"no keys\" matches in doubt: \"path\" must be a string\n\
         line 13   allow \"small\" does not match: \"size\"\n\
         line 18   deny  \"files\" does not match: tags\n\
         line 24   allow \"main\" does not match in doubt: the call is for no agent\n"
    );
    assert!(explain("add", json!({})).starts_with("ask by default\n"));
}
