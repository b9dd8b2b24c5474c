//! Random policies over random calls.

use dsh_tools::CallOptions;
use dsh_tools::policy::{Decision, Policy, RuleOutcome};
use fixtures::{Trace, code};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::tools;

const TOOLS: [&str; 3] = ["read_file", "run_command", "add"];

/// The lines of a rule after its name and decision.
fn selectors() -> impl Strategy<Value = String> {
    let names =
        select(vec!["", "tools = ['*']", "tools = ['r*']", "tools = ['!add']", "tools = ['add']"]);
    let more = select(vec![
        "",
        "annotations = ['!read_only']",
        "annotations = ['read_only']",
        "tags = ['files', 'commands']",
        "agents = ['ma*']",
    ]);
    let when = select(vec![
        "",
        "when.x.equals = 1",
        "when.x = { above = 0, below = 9 }",
        "when.x.not.glob = '/work/**'",
        "when.x.glob = '**/a*'",
        "when.'x[]'.regex = '^a'",
        "when.'x.y'.exists = true",
        "when.x.prefix = 'a'",
    ]);
    (names, more, when).prop_map(|(names, more, when)| [names, more, when].join("\n"))
}

fn arguments() -> impl Strategy<Value = Value> {
    let values = select(vec![
        json!({}),
        json!({"x": 1}),
        json!({"x": null}),
        json!({"x": "/work/abc"}),
        json!({"x": "/work/../a"}),
        json!({"x": ["abc", 1]}),
        json!({"x": {"y": 2}}),
        json!([1]),
    ]);
    values.boxed()
}

fn rules() -> impl Strategy<Value = Vec<(Decision, String)>> {
    let decision = select(vec![Decision::Allow, Decision::Ask, Decision::Deny]);
    proptest::collection::vec((decision, selectors()), 0..6)
}

fn write(default: Decision, rules: &[(Decision, String)]) -> String {
    let rules = rules.iter().enumerate().map(|(index, (decision, selectors))| {
        format!("[[rule]]\nname = '{index}'\ndecision = '{decision}'\n{selectors}\n")
    });
    std::iter::once(format!("default = '{default}'\n")).chain(rules).collect()
}

/// The policy of these rules, less those that are refused as deciding nothing.
fn settle(default: Decision, mut rules: Vec<(Decision, String)>) -> Policy {
    loop {
        let error = match Policy::from_toml(&write(default, &rules)) {
            Ok(policy) => return policy,
            Err(error) => error,
        };
        let message = &error.problems()[0].message;
        let index: usize = message.split('"').nth(1).unwrap().parse().unwrap();
        rules.remove(index);
    }
}

/// What a rule says by itself.
fn alone(rule: &(Decision, String), call: &dsh_tools::ToolCall, options: &CallOptions) -> bool {
    let policy = Policy::from_toml(&write(Decision::Allow, std::slice::from_ref(rule))).unwrap();
    let explanation = policy.explain_call(&tools(&Trace::default()), call.clone(), options.clone());
    let outcome = &explanation.rules()[0].outcome;
    matches!(outcome, RuleOutcome::Matches | RuleOutcome::MatchesInDoubt(_))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_body_runs_where_a_deny_rule_matches(
        written in rules(),
        default in select(vec![Decision::Allow, Decision::Ask, Decision::Deny]),
        tool in select(TOOLS.to_vec()),
        arguments in arguments(),
        agent in select(vec![None, Some("main")]),
    ) {
        let trace = Trace::default();
        let registry = tools(&trace);
        let call = dsh_tools::ToolCall::new("c1", tool, arguments);
        let scope = agent.map(|name| registry.scope(name));
        let options = scope.iter().fold(CallOptions::new(), CallOptions::with_scope);

        let matching: Vec<_> =
            written.iter().filter(|rule| alone(rule, &call, &options)).map(|rule| rule.0).collect();
        let expected = matching.iter().copied().max().unwrap_or(default);

        // What is refused makes no difference.
        let policy = settle(default, written);
        let _hook = registry.pre_execute("policy", policy.clone());
        prop_assert_eq!(
            policy.explain_call(&registry, call.clone(), options.clone()).decision(),
            expected
        );
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let completed = runtime.block_on(registry.execute(call, options));
        let ran = !trace.lines().is_empty();
        prop_assert_eq!(ran, expected == Decision::Allow);
        prop_assert_eq!(
            code(completed.result()) == Some("POLICY_DENIED"),
            expected == Decision::Deny
        );
    }

    #[test]
    fn no_text_is_too_strange_to_be_answered(
        rules in rules(),
        at in any::<prop::sample::Index>(),
        put in "[\\[\\]{}'\"=.,#*!a-z0-9\u{e4} \n\\\\-]{0,6}",
    ) {
        let text = write(Decision::Ask, &rules);
        let characters: Vec<_> = text.chars().collect();
        let (before, behind) = characters.split_at(at.index(characters.len()));
        let text: String =
            before.iter().copied().chain(put.chars()).chain(behind.iter().skip(1).copied()).collect();
        if let Err(error) = Policy::from_toml(&text) {
            prop_assert!(!error.problems().is_empty());
            for problem in error.problems() {
                let line = text.split('\n').nth(problem.line - 1);
                let length = line.map(|line| line.chars().count());
                prop_assert!(length.is_some_and(|length| problem.column <= length + 1), "{problem}");
            }
        }
    }
}
