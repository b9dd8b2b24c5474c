//! The binary as a person and as a program use it.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::Workspace;

fn run(workspace: &Workspace, arguments: &[&str], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_workspace"))
        .arg("--root")
        .arg(workspace.root.path())
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[track_caller]
fn check(output: &Output, code: i32, stdout: &str, stderr: &str) {
    assert_eq!(String::from_utf8_lossy(&output.stdout), stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), stderr);
    assert_eq!(output.status.code(), Some(code));
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn call_prints_what_a_model_reads() {
    let workspace = Workspace::with(&[("a.txt", "one\n")]);
    let output = run(&workspace, &["call", "read_file", r#"{"path":"a.txt"}"#], "");
    check(&output, 0, "     1\tone\n\n", "");
    let output = run(&workspace, &["call", "read_file", "-"], r#"{"path":"a.txt"}"#);
    check(&output, 0, "     1\tone\n\n", "");
    workspace.write("call.json", r#"{"path":"a.txt"}"#);
    let file = format!("@{}", workspace.path("call.json").display());
    check(&run(&workspace, &["call", "read_file", &file], ""), 0, "     1\tone\n\n", "");
    check(
        &run(&workspace, &["call", "list_dir"], ""),
        0,
        "a.txt (4 bytes)\ncall.json (16 bytes)\n\n",
        "",
    );
}

#[test]
fn a_failed_call_exits_with_1() {
    let output = run(&Workspace::new(), &["call", "grep", r#"{"pattern":"fn main","limt":3}"#], "");
    check(
        &output,
        1,
        "Error: invalid arguments: \"limt\" is not a declared property \
         (additionalProperties: false), did you mean \"limit\"?\n",
        "",
    );
}

#[test]
fn an_unknown_tool_gets_a_suggestion() {
    let output = run(&Workspace::new(), &["call", "gerp"], "");
    check(
        &output,
        1,
        "Error: unknown tool \"gerp\"\n",
        "there is no tool `gerp`, did you mean `grep`?\n",
    );
    let output = run(&Workspace::new(), &["schema", "raed_file"], "");
    check(&output, 2, "", "error: there is no tool `raed_file`, did you mean `read_file`?\n");
}

#[test]
fn a_wrong_command_line_exits_with_2() {
    let workspace = Workspace::new();
    for arguments in [
        &["call"][..],
        &["call", "grep", "@nowhere.json"],
        &["batch", "nowhere.json"],
        &["nonsense"],
        &["call", "grep", "--approve", "--deny"],
        &["--root", "/nowhere", "list"],
    ] {
        let output = run(&workspace, arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        assert!(!output.stderr.is_empty());
    }
    let output = run(&workspace, &["batch", "-"], "{\"name\": \"a\"}\n[]");
    check(
        &output,
        2,
        "",
        "error: -: line 2: invalid length 0, expected an object with name, arguments and perhaps id\n",
    );
}

#[test]
fn nobody_at_the_terminal_means_no() {
    let workspace = Workspace::new();
    let touch = r#"{"command":"touch ran"}"#;
    let output = run(&workspace, &["call", "run_command", touch], "y\n");
    check(
        &output,
        1,
        "Error: tool \"run_command\" requires approval, but no approval channel is available\n",
        "",
    );
    let output = run(&workspace, &["call", "--deny", "run_command", touch], "");
    check(&output, 1, "Error: the user rejected tool \"run_command\"\n", "");
    assert!(workspace.names().is_empty());
    let output = run(&workspace, &["call", "run_command", touch, "--approve"], "");
    check(&output, 0, "[no output]\n\n", "");
    assert_eq!(workspace.names(), ["ran"]);
}

#[test]
fn explain_says_who_decided() {
    let workspace = Workspace::new();
    let command = ["call", "--explain", "--approve", "run_command", r#"{"command":"exit 3"}"#];
    let output = run(&workspace, &command, "");
    let stderr = String::from_utf8(output.stderr).unwrap();
    let decided: Vec<_> = stderr.lines().map(|line| line.split(" (").next().unwrap()).collect();
    assert_eq!(
        decided,
        [
            "pre_execute  ask before commands  ask: it runs `exit 3`",
            "ask          approver             allowed once",
            "guard        inside the workspace silent",
            "guard        no secrets           silent",
            "body         run_command          ok",
            "around       timeout              ok",
        ]
    );
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "[exit code 3]\n\n");
}

#[test]
fn json_is_one_line_a_result() {
    let workspace = Workspace::with(&[("a.txt", "one\n")]);
    let output = run(
        &workspace,
        &["batch", "-", "--json", "--explain"],
        r#"[{"name": "read_file", "arguments": {"path": "a.txt"}},
            {"id": "mine", "name": "read_file", "arguments": "{\"path\": \"../b\"}"},
            {"name": "nope"}]"#,
    );
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output);
    assert_eq!(lines.len(), 3);
    assert_eq!((&lines[0]["callId"], &lines[0]["isError"]), (&json!("1"), &json!(false)));
    assert_eq!(lines[0]["value"]["text"], "one\n");
    assert_eq!((&lines[1]["callId"], &lines[1]["isError"]), (&json!("mine"), &json!(true)));
    let steps = lines[1]["decisions"]["steps"].as_array().unwrap();
    assert_eq!(steps.last().unwrap()["by"], "inside the workspace");
    assert_eq!(lines[2]["error"], json!({"name": "ToolNotFoundError", "code": "UNKNOWN_TOOL"}));
}

#[test]
fn batch_shows_every_result_in_order() {
    let workspace = Workspace::with(&[("a.txt", "one\n")]);
    let calls = "{\"name\": \"glob\", \"arguments\": {\"pattern\": \"*\"}}\n{\"name\": \"grep\"}\n";
    let output = run(&workspace, &["batch", "-"], calls);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let heads: Vec<_> = text.lines().filter(|line| line.starts_with("──")).collect();
    assert!(
        heads[0].starts_with("── 1 glob: ok (")
            && heads[1].starts_with("── 2 grep: error (INVALID_ARGS) (")
    );
    assert!(text.contains("\na.txt\n") && text.contains("missing required property \"pattern\""));
}

#[test]
fn list_and_schema_show_what_a_model_is_told() {
    let workspace = Workspace::new();
    let output = run(&workspace, &["list"], "");
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 7);
    assert!(text.lines().all(|line| line.contains("  reads") || line.contains("  may destroy")));
    let listed = lines(&run(&workspace, &["list", "--json"], ""));
    assert_eq!(listed.len(), 7);
    assert_eq!(listed[4]["annotations"], json!({"readOnlyHint": true, "openWorldHint": false}));
    assert_eq!(listed[4]["timeoutMs"], 10000.0);
    let schema = run(&workspace, &["schema", "read_file"], "");
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["parameters"]["required"], json!(["path"]));
    let schema = run(&workspace, &["schema", "read_file", "--output"], "");
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["properties"]["truncated"]["type"], "boolean");
}

#[test]
fn the_demo_shows_every_way_a_call_can_end() {
    let output = Command::new(env!("CARGO_BIN_EXE_workspace"))
        .args(["--root", concat!(env!("CARGO_MANIFEST_DIR"), "/.."), "demo"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for expected in [
        "1 read_file ok",
        "2 grep ok",
        "3 glob ok",
        "4 list_dir ok",
        "5 grep INVALID_ARGS",
        "did you mean \"limit\"?",
        "6 read_file error",
        "inside the workspace: deny",
        "? run_command asks: it runs `ls *.md | wc -l`",
        "7 run_command ok",
        "8 wait_forever TOOL_TIMEOUT",
        "dropped after its grace",
        "8 calls, 8 results, 3 of them errors",
    ] {
        assert!(text.contains(expected), "no {expected:?} in\n{text}");
    }
}
