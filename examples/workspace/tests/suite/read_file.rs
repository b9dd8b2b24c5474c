use workspace_tools::{
    WorkspaceError,
    tools::read_file::{self, ReadFile, ReadFileOutput},
};

use super::{Workspace, check_error};

fn read(
    workspace: &Workspace,
    path: &str,
    offset: Option<u64>,
    limit: Option<u64>,
) -> Result<ReadFileOutput, WorkspaceError> {
    let path = path.into();
    read_file::run(&workspace.root, &ReadFile { path, offset, limit })
}

fn numbered_lines(count: usize) -> String {
    let lines: Vec<_> = (1..=count).map(|number| format!("line {number}\n")).collect();
    lines.concat()
}

#[test]
fn a_small_file_is_read_whole() {
    let workspace = Workspace::with(&[("src/a.txt", "one\n\ntwo")]);
    let output = read(&workspace, "./src/a.txt", None, None).unwrap();
    let expected = ReadFileOutput {
        path: "src/a.txt".to_owned(),
        first_line: 1,
        total_lines: 3,
        text: "one\n\ntwo".to_owned(),
        truncated: false,
    };
    assert_eq!(output, expected);
    assert_eq!(read_file::render(&output), "     1\tone\n     2\t\n     3\ttwo\n");
}

#[test]
fn a_part_says_how_to_read_on() {
    let workspace = Workspace::with(&[("a", &numbered_lines(9))]);
    let output = read(&workspace, "a", Some(3), Some(2)).unwrap();
    assert_eq!(output.text, "line 3\nline 4\n");
    assert!(output.truncated);
    let note = "[lines 3 to 4 of 9 are shown; read on with offset=5]\n";
    assert!(read_file::render(&output).ends_with(note));

    let rest = read(&workspace, "a", Some(8), Some(99)).unwrap();
    assert_eq!(rest.text, "line 8\nline 9\n");
    assert!(!rest.truncated);
}

#[test]
fn long_files_stop_at_the_default_limit_and_at_the_byte_budget() {
    let workspace = Workspace::with(&[("many", &numbered_lines(2_001))]);
    workspace.write("wide", format!("{}\n", "x".repeat(1_023)).repeat(100));
    let output = read(&workspace, "many", None, None).unwrap();
    assert_eq!((output.text.lines().count(), output.total_lines), (2_000, 2_001));
    assert!(output.truncated);

    let output = read(&workspace, "wide", None, None).unwrap();
    assert_eq!((output.text.lines().count(), output.total_lines), (64, 100));
    assert!(read_file::render(&output).contains("offset=65"));
}

#[test]
fn long_lines_are_cut_between_characters() {
    let workspace = Workspace::new();
    workspace.write("a", format!("x{}\nshort\n", "€".repeat(5_000)));
    let output = read(&workspace, "a", None, None).unwrap();
    let expected = format!("x{} [line cut, 13002 more bytes]\nshort\n", "€".repeat(666));
    assert_eq!(output.text, expected);
    assert_eq!(output.total_lines, 2);
}

#[test]
fn line_endings_are_shown_as_newlines() {
    let workspace = Workspace::with(&[("a", "one\r\ntwo\r\n")]);
    assert_eq!(read(&workspace, "a", None, None).unwrap().text, "one\ntwo\n");
}

#[test]
fn an_empty_file_is_not_an_error() {
    let workspace = Workspace::with(&[("a", "")]);
    let output = read(&workspace, "a", None, None).unwrap();
    assert_eq!((output.total_lines, output.text.as_str()), (0, ""));
    assert_eq!(read_file::render(&output), "[`a` is empty]\n");
}

#[test]
fn offsets_that_make_no_sense_are_refused() {
    let workspace = Workspace::with(&[("a", "one\ntwo\n")]);
    check_error(read(&workspace, "a", Some(3), None), "OFFSET_BEYOND_END", "has 2 lines");
    check_error(read(&workspace, "a", Some(u64::MAX), None), "OFFSET_BEYOND_END", "2 lines");
    check_error(read(&workspace, "a", Some(0), None), "INVALID_ARGUMENT", "`offset`");
    check_error(read(&workspace, "a", None, Some(0)), "INVALID_ARGUMENT", "`limit`");
}

#[test]
fn only_text_files_are_read() {
    let workspace = Workspace::with(&[("dir/a", ""), ("nul", "a\0b\n")]);
    workspace.write("latin1", b"caf\xe9\n");
    check_error(read(&workspace, "dir", None, None), "IS_A_DIRECTORY", "list_dir");
    check_error(read(&workspace, "nul", None, None), "BINARY_FILE", "`nul`");
    check_error(read(&workspace, "latin1", None, None), "BINARY_FILE", "UTF-8");
    check_error(read(&workspace, "none", None, None), "NOT_FOUND", "`none`");
    check_error(read(&workspace, "../a", None, None), "PATH_OUTSIDE_WORKSPACE", "`../a`");
}

#[test]
fn a_pipe_is_refused_and_does_not_block() {
    let workspace = Workspace::new();
    let made = std::process::Command::new("mkfifo").arg(workspace.path("pipe")).status();
    assert!(made.unwrap().success());
    check_error(read(&workspace, "pipe", None, None), "NOT_A_REGULAR_FILE", "`pipe`");
}

#[test]
fn arguments_come_from_json() {
    let args: ReadFile = serde_json::from_str(r#"{"path": "a", "limit": 3}"#).unwrap();
    assert_eq!((args.offset, args.limit), (None, Some(3)));
    let workspace = Workspace::with(&[("a", "1\n2\n3\n4\n")]);
    let output = read_file::run(&workspace.root, &args).unwrap();
    let json = serde_json::to_value(&output).unwrap();
    assert_eq!(json["truncated"], true);
    assert_eq!(serde_json::from_value::<ReadFileOutput>(json).unwrap(), output);
}
