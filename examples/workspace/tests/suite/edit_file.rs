use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
};

use workspace_tools::{
    WorkspaceError,
    tools::edit_file::{self, EditFile, EditFileOutput, LineChange},
};

use super::{Workspace, check_error};

fn edit(
    content: &str,
    old_text: &str,
    new_text: &str,
    expected_count: Option<u64>,
) -> (Result<EditFileOutput, WorkspaceError>, String) {
    let workspace = Workspace::with(&[("a", content)]);
    let args = EditFile {
        path: "a".into(),
        old_text: old_text.to_owned(),
        new_text: new_text.to_owned(),
        expected_count,
    };
    let result = edit_file::run(&workspace.root, &args);
    assert_eq!(workspace.names(), ["a"]);
    (result, workspace.read("a"))
}

#[track_caller]
fn check_edit(content: &str, old_text: &str, new_text: &str, count: Option<u64>, expected: &str) {
    let (result, edited) = edit(content, old_text, new_text, count);
    assert_eq!(result.unwrap().replacements, count.unwrap_or(1));
    assert_eq!(edited, expected);
}

#[track_caller]
fn check_refused(
    content: &str,
    old_text: &str,
    new_text: &str,
    count: Option<u64>,
    error: (&str, &str),
) {
    let (result, unchanged) = edit(content, old_text, new_text, count);
    check_error(result, error.0, error.1);
    assert_eq!(unchanged, content);
}

#[test]
fn a_unique_text_is_replaced() {
    check_edit("a b c\n", "b", "x", None, "a x c\n");
    check_edit("one\ntwo\nthree\n", "two\n", "", None, "one\nthree\n");
    check_edit("é€é\n", "€", "é", None, "ééé\n");
    check_edit("a", "a", "", None, "");
}

#[test]
fn an_expected_number_is_replaced() {
    check_edit("a a a\n", "a", "bb", Some(3), "bb bb bb\n");
    check_edit("a\n", "a", "b", Some(1), "b\n");
    check_edit("aaaa\n", "aa", "b", Some(2), "bb\n");
}

#[test]
fn the_output_names_lines_and_shows_an_excerpt() {
    let content = "1\n2\n3\n4\n5\n6\n7\n8\n9\nfive\n";
    let (result, edited) = edit(content, "4\n5\n6\n", "4\nfour and a half\nV\n6\n", None);
    let output = result.unwrap();
    assert_eq!(edited, "1\n2\n3\n4\nfour and a half\nV\n6\n7\n8\n9\nfive\n");
    let change = LineChange { first_line: 5, removed: 1, added: 2 };
    assert_eq!(output.changes, [change]);
    let excerpt = "@@ -3,5 +3,6 @@\n 3\n 4\n-5\n+four and a half\n+V\n 6\n 7\n";
    assert_eq!(output.excerpt, excerpt);
    let text = format!("edited a: 1 replacement, now at lines 5-6\n{excerpt}");
    assert_eq!(edit_file::render(&output), text);
}

#[test]
fn crlf_files_keep_their_endings() {
    check_edit("a\r\nb\r\nc\r\n", "a\nb\n", "x\ny\nz\n", None, "x\r\ny\r\nz\r\nc\r\n");
    check_edit("a\r\nb\r\n", "b", "x\ny", None, "a\r\nx\r\ny\r\n");
    check_edit("a\r\nb\r\n", "a\r\n", "x\r\n", None, "x\r\nb\r\n");
    // Mixed endings are taken as they are.
    check_edit("a\r\nb\nc\n", "b\n", "x\ny\n", None, "a\r\nx\ny\nc\n");
}

#[test]
fn a_near_miss_is_told() {
    let content = "fn a() {\n    let x = 1;\n}\n";
    check_refused(content, "let y", "z", None, ("NO_MATCH", "copy the text exactly"));
    let white_space = ("NO_MATCH", "the text at line 2 differs from it only in white space");
    check_refused(content, "\tlet x = 1;\n}", "z", None, white_space);
    check_refused(content, "let  x=1;", "z", None, white_space);
    let endings = ("NO_MATCH", "line 1 differs from it only in line endings");
    check_refused(content, "fn a() {\r\n", "z", None, endings);
    check_refused("a\nb\r\nc\n", "b\nc", "z", None, ("NO_MATCH", "line 2 differs"));
    check_refused("abc\n", " \t", "z", None, ("NO_MATCH", "copy the text exactly"));
}

#[test]
fn several_places_are_named() {
    let ambiguous = ("AMBIGUOUS_MATCH", "more than once, at lines 1, 3, 3;");
    check_refused("a\nb\na a\n", "a", "z", None, ambiguous);
    // Of two places that overlap none is the one that was meant.
    check_refused("aaa\n", "aa", "z", None, ("AMBIGUOUS_MATCH", "at lines 1, 1;"));
    let many = "x\n".repeat(40);
    check_refused(&many, "x", "z", None, ("AMBIGUOUS_MATCH", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10;"));
    let mismatch = ("COUNT_MISMATCH", "2 times, at lines 1, 2; `expected_count` is 3");
    check_refused("a\na\n", "a", "z", Some(3), mismatch);
    check_refused("b\n", "a", "z", Some(3), ("NO_MATCH", "`a`"));
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    check_refused("a\n", "a", "a", None, ("NO_CHANGE", "the same"));
    check_refused("a\r\n", "a\n", "a\r\n", None, ("NO_CHANGE", "the same"));
    check_refused("a\n", "", "b", None, ("INVALID_ARGUMENT", "`old_text`"));
    check_refused("a\n", "a", "b", Some(0), ("INVALID_ARGUMENT", "`expected_count`"));
    check_refused("a\0", "a", "b", None, ("BINARY_FILE", "`a`"));
}

#[test]
fn permissions_stay_and_count() {
    let workspace = Workspace::with(&[("a", "x")]);
    let args = EditFile {
        path: "a".into(),
        old_text: "x".to_owned(),
        new_text: "y".to_owned(),
        expected_count: None,
    };
    let mode = |mode| fs::set_permissions(workspace.path("a"), Permissions::from_mode(mode));
    mode(0o444).unwrap();
    check_error(edit_file::run(&workspace.root, &args), "READ_ONLY", "`a`");
    mode(0o700).unwrap();
    edit_file::run(&workspace.root, &args).unwrap();
    let now = fs::metadata(workspace.path("a")).unwrap().permissions().mode();
    assert_eq!(now & 0o777, 0o700);
}

#[test]
fn only_files_inside_are_edited() {
    let workspace = Workspace::with(&[("dir/a", "")]);
    let edit = |path: &str| {
        let (old_text, new_text) = ("a".to_owned(), "b".to_owned());
        let args = EditFile { path: path.into(), old_text, new_text, expected_count: None };
        edit_file::run(&workspace.root, &args)
    };
    check_error(edit("dir"), "IS_A_DIRECTORY", "`dir`");
    check_error(edit("none"), "NOT_FOUND", "`none`");
    check_error(edit("../outside/secret.txt"), "PATH_OUTSIDE_WORKSPACE", "outside");
}
