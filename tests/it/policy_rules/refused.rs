//! What is no policy: every problem at once, with its place.

use dsh_tools::policy::Policy;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let error = Policy::from_toml(text).unwrap_err();
    let problems: Vec<_> = error.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems, expected);
}

/// A policy with one rule that is fine but for these lines, which begin in line 5.
#[track_caller]
fn check_rule(lines: &str, expected: &[&str]) {
    check(
        &format!("default = 'ask'\n[[rule]]\nname = 'a'\ndecision = 'deny'\n{lines}\n"),
        expected,
    );
}

const RULE_KEYS: &str = "accepted are \"name\", \"decision\", \"reason\", \"tools\", \"agents\", \
                         \"tags\", \"annotations\", \"when\"";
const MATCHERS: &str = "accepted are \"equals\", \"one_of\", \"glob\", \"regex\", \"prefix\", \
                        \"exists\", \"above\", \"below\", \"not\"";

#[test]
fn all_problems_come_at_once_in_the_order_of_the_text() {
    let text = r#"
defalt = "ask"

[[rule]]
name = "one"
tool = ["a"]
decision = "alow"

[[rule]]
name = "one"
annotations = ["readonly", "!worldly"]
decision = "deny"
when = { "a..b" = { glob = "***" }, x = { regx = "a" } }

[[rule]]
decision = "deny"
tools = []
"#;
    let error = Policy::from_toml(text).unwrap_err();
    let expected = [
        "line 1, column 1: \"default\" is missing, say what happens to a call that no rule matches: \
         \"allow\", \"ask\" or \"deny\"",
        "line 2, column 1: unknown key of a policy \"defalt\", did you mean \"default\"? accepted \
         are \"default\", \"rule\"",
        &format!(
            "line 6, column 1: unknown key of a rule \"tool\", did you mean \"tools\"? {RULE_KEYS}"
        ),
        "line 7, column 12: unknown decision \"alow\", did you mean \"allow\"? accepted are \
         \"allow\", \"ask\", \"deny\"",
        "line 10, column 8: \"one\" is the name of the rule at line 5 already",
        "line 11, column 16: unknown annotation \"readonly\", did you mean \"read_only\"? accepted \
         are \"read_only\", \"destructive\", \"idempotent\", \"open_world\", with \"!\" before them \
         for the opposite",
        "line 11, column 28: unknown annotation \"worldly\", accepted are \"read_only\", \
         \"destructive\", \"idempotent\", \"open_world\", with \"!\" before them for the opposite",
        "line 13, column 10: \"a..b\" is not a path of arguments: keys with \".\" between them, \
         \"[]\" behind one for every element, a backslash before \".\", \"[\" or \"]\" that belongs \
         to a key",
        "line 13, column 28: \"***\" is not a glob of paths: \"**\" has to be a whole part of the \
         path, as in \"**/name\"",
        &format!(
            "line 13, column 43: unknown matcher \"regx\", did you mean \"regex\"? {MATCHERS}"
        ),
        "line 15, column 1: the rule has no \"name\"",
        "line 17, column 9: \"tools\" is empty, which selects nothing",
    ];
    let problems: Vec<_> = error.problems().iter().map(ToString::to_string).collect();
    assert_eq!(problems, expected);
    let text = format!("12 problems with this policy\n- {}", expected.join("\n- "));
    assert_eq!(error.to_string(), text);
    assert_eq!(format!("{error:?}"), text);
}

#[test]
fn what_is_no_toml_comes_with_every_place() {
    check(
        "default = ask\ndefault = \"deny\"\n[[rule]\nname = 'x'\n",
        &[
            "line 1, column 11: string values must be quoted, expected literal string",
            "line 2, column 1: duplicate key",
            "line 3, column 8: unclosed array table, expected `]`",
        ],
    );
}

#[test]
fn columns_are_counted_in_characters() {
    check_rule(
        "reason = \"äöü\" # ß\nwhen = { 'ä' = { above = 'ö' } }",
        &["line 6, column 26: \"above\" must be a finite number, got a string"],
    );
}

#[test]
fn values_have_to_be_of_the_right_type() {
    let typed = "default = 1\nrule = { name = 'a' }";
    check(
        typed,
        &[
            "line 1, column 11: \"default\" must be a string, got an integer",
            "line 2, column 8: \"rule\" must be an array of tables (`[[rule]]`), got a table",
        ],
    );
    check(
        "default = 'ask'\nrule = [1]",
        &["line 2, column 9: \"rule\" must be a table, got an integer"],
    );
    for (line, problem) in [
        ("reason = 1.5", "10: \"reason\" must be a string, got a float"),
        ("reason = \"a\\nb\"", "10: \"reason\" must be one line of text"),
        ("reason = ' '", "10: \"reason\" must be one line of text"),
        ("tools = 'a'", "9: \"tools\" must be an array, got a string"),
        ("tools = [true]", "10: \"tools[]\" must be a string, got a boolean"),
        ("annotations = [1]", "16: \"annotations[]\" must be a string, got an integer"),
        ("when = []", "8: \"when\" must be a table, got an array"),
        ("when = {}", "8: \"when\" is empty, which selects nothing"),
        ("when = { x = 1 }", "14: \"x\" must be a table, got an integer"),
        ("when = { x = {} }", "14: \"x\" is empty, which selects nothing"),
        ("when.x.glob = 1", "15: \"glob\" must be a string, got an integer"),
        ("when.x.regex = []", "16: \"regex\" must be a string, got an array"),
        ("when.x.prefix = 1", "17: \"prefix\" must be a string, got an integer"),
        ("when.x.exists = 'yes'", "17: \"exists\" must be a boolean, got a string"),
        ("when.x.above = nan", "16: \"above\" must be a finite number, got a float"),
        ("when.x.below = inf", "16: \"below\" must be a finite number, got a float"),
        ("when.x.one_of = 'a'", "17: \"one_of\" must be an array, got a string"),
        ("when.x.one_of = []", "17: \"one_of\" is empty, which selects nothing"),
        ("when.x.one_of = [1, 'a']", "21: \"one_of\" must hold values of one type"),
        (
            "when.x.one_of = [[]]",
            "18: \"one_of[]\" must be a string, a finite number or a boolean, got an array",
        ),
        (
            "when.x.equals = 2026-01-01",
            "17: \"equals\" must be a string, a finite number or a boolean, got a date or time",
        ),
        ("when.x.not = 1", "14: \"not\" must be a table, got an integer"),
    ] {
        check_rule(line, &[&format!("line 5, column {problem}")]);
    }
}

#[test]
fn names_and_decisions_are_needed() {
    check(
        "default = 'ask'\n\n[[rule]]\n\n[[rule]]\nname = ''\ndecision = ''\n",
        &[
            "line 3, column 1: the rule has no \"name\"",
            "line 3, column 1: the rule has no \"decision\"",
            "line 6, column 8: \"name\" must be one line of text",
            "line 7, column 12: unknown decision \"\", accepted are \"allow\", \"ask\", \"deny\"",
        ],
    );
    check(
        "",
        &["line 1, column 1: \"default\" is missing, say what happens to a call that no rule \
           matches: \"allow\", \"ask\" or \"deny\""],
    );
}

#[test]
fn patterns_of_names_know_two_signs_and_a_mark() {
    for written in ["", "!", "[ab]", "{a,b}", "!!a", "a\\\\b"] {
        let shown = written.replace("\\\\", "\\");
        check_rule(
            &format!("tags = [\"{written}\"]"),
            &[&format!(
                "line 5, column 9: \"{shown}\" is not a pattern of names: \"*\" stands for any text, \
                 \"?\" for any character, \"!\" at the start for all but these, and other globs \
                 have to be written out"
            )],
        );
    }
}

#[test]
fn globs_and_expressions_say_what_is_wrong_with_them() {
    for (matcher, reason) in [
        ("glob = ''", "\"\" is not a glob of paths: it is empty"),
        (
            "glob = 'a**'",
            "\"a**\" is not a glob of paths: \"**\" has to be a whole part of the path, as in \"**/name\"",
        ),
        (
            "glob = 'a/../b'",
            "\"a/../b\" is not a glob of paths: a path with \"..\" is never matched",
        ),
        (
            "glob = '[a]'",
            "\"[a]\" is not a glob of paths: \"[\" and \"]\" need a backslash before them",
        ),
        (
            "glob = '{a'",
            "\"{a\" is not a glob of paths: \"{\" and \"}\" come in pairs within one part, and not inside each other",
        ),
        (
            "glob = 'a}'",
            "\"a}\" is not a glob of paths: \"{\" and \"}\" come in pairs within one part, and not inside each other",
        ),
        (
            "glob = '{a,{b}}'",
            "\"{a,{b}}\" is not a glob of paths: \"{\" and \"}\" come in pairs within one part, and not inside each other",
        ),
        (
            "glob = '{a/b}'",
            "\"{a/b}\" is not a glob of paths: \"{\" and \"}\" come in pairs within one part, and not inside each other",
        ),
        (
            "glob = 'a\\'",
            "\"a\\\" is not a glob of paths: there is nothing behind the last backslash",
        ),
        ("regex = '('", "\"(\" is not a regular expression: unclosed group"),
        ("regex = 'a)|(b'", "\"a)|(b\" is not a regular expression: unopened group"),
        (
            "regex = '(?=a)'",
            "\"(?=a)\" is not a regular expression: look-around, including look-ahead and look-behind, is not supported",
        ),
        ("not = { regex = '(' }", "\"(\" is not a regular expression: unclosed group"),
    ] {
        let error = Policy::from_toml(&format!(
            "default = 'ask'\n[[rule]]\nname = 'a'\ndecision = 'allow'\nwhen = {{ x = {{ {matcher} }} }}"
        ));
        let error = error.unwrap_err();
        let messages: Vec<_> = error.problems().iter().map(|problem| &*problem.message).collect();
        assert_eq!(messages, [reason]);
        assert_eq!(error.problems()[0].line, 5);
    }
}

#[test]
fn a_path_inside_is_one_key() {
    check_rule(
        "when.env.PATH.equals = 'a'",
        &[&format!(
            "line 5, column 10: unknown matcher \"PATH\", {MATCHERS}; a path inside is one key, \
             \"env.PATH\""
        )],
    );
    check_rule(
        "when = { 'a[0]' = { exists = true } }",
        &["line 5, column 10: \"a[0]\" is not a path of arguments: keys with \".\" between them, \
           \"[]\" behind one for every element, a backslash before \".\", \"[\" or \"]\" that \
           belongs to a key"],
    );
    check_rule(
        "when.x.not.not.equals = 1",
        &["line 5, column 12: unknown matcher in \"not\" \"not\", accepted are \"equals\", \
           \"one_of\", \"glob\", \"regex\", \"prefix\", \"exists\", \"above\", \"below\""],
    );
}
