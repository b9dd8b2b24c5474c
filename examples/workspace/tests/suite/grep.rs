use workspace_tools::{
    CancellationToken, WorkspaceError,
    tools::grep::{self, Grep, GrepOutput},
};

use super::{Workspace, check_error};

fn search(workspace: &Workspace, args: &Grep) -> Result<GrepOutput, WorkspaceError> {
    grep::run(&workspace.root, args, &CancellationToken::new())
}

fn pattern(pattern: &str) -> Grep {
    Grep { pattern: pattern.to_owned(), ..Grep::default() }
}

#[track_caller]
fn check(workspace: &Workspace, args: &Grep, expected: &str) {
    let output = search(workspace, args).unwrap();
    assert_eq!(grep::render(&output), expected);
}

fn project() -> Workspace {
    let workspace = Workspace::with(&[
        ("src/b.rs", "fn b() {}\r\nFN c() {}\r\n"),
        ("src/a/x.rs", "// nothing\nfn x() {}"),
        ("notes.txt", "fn in notes\n"),
        (".github/ci.yml", "fn: ci\n"),
        (".git/x", "fn\n"),
        (".gitignore", "target\n"),
        ("target/out.rs", "fn out() {}\n"),
        ("binary", "fn first\n\0"),
    ]);
    workspace.link("outside", workspace.outside("secret.txt"));
    workspace
}

#[test]
fn matches_are_grouped_by_file_and_sorted() {
    let expected = ".github/ci.yml\n1:fn: ci\n\nnotes.txt\n1:fn in notes\n\n\
                    src/a/x.rs\n2:fn x() {}\n\nsrc/b.rs\n1:fn b() {}\n";
    check(&project(), &pattern(r"\bfn\b"), expected);
}

#[test]
fn a_search_is_narrowed_by_path_glob_and_case() {
    let workspace = project();
    let fn_in = |path: Option<&str>, glob: Option<&str>| Grep {
        path: path.map(Into::into),
        glob: glob.map(ToOwned::to_owned),
        ..pattern("^fn")
    };
    let (x, b) = ("src/a/x.rs\n2:fn x() {}\n", "src/b.rs\n1:fn b() {}\n");
    check(&workspace, &fn_in(None, Some("*.rs")), &format!("{x}\n{b}"));
    check(&workspace, &fn_in(None, Some("src/*.rs")), b);
    check(&workspace, &fn_in(Some("src"), Some("a/**")), x);
    check(&workspace, &fn_in(Some("src/b.rs"), None), b);
    check(&workspace, &fn_in(Some("target"), None), "target/out.rs\n1:fn out() {}\n");
    check(&workspace, &fn_in(Some("target/out.rs"), None), "target/out.rs\n1:fn out() {}\n");
    check(&workspace, &fn_in(None, Some("*.py")), "[no line matches]\n");
    let any_case = Grep { ignore_case: true, ..fn_in(Some("src/b.rs"), None) };
    check(&workspace, &any_case, "src/b.rs\n1:fn b() {}\n2:FN c() {}\n");
}

#[test]
fn context_is_shown_as_ripgrep_does() {
    let workspace = Workspace::with(&[("a", "1\n2\nx\n4\n5\n6\n7\nx\nx\n")]);
    let args = Grep { context: Some(1), ..pattern("x") };
    check(&workspace, &args, "a\n2-2\n3:x\n4-4\n--\n7-7\n8:x\n9:x\n");
    let args = Grep { limit: Some(1), ..args };
    let text = "a\n2-2\n3:x\n4-4\n[2 more in this file]\n[1 of 3 matching lines in 1 files are \
                shown; use a narrower pattern, path or glob]\n";
    check(&workspace, &args, text);
}

#[test]
fn a_file_that_turns_out_binary_late_is_skipped() {
    let workspace = Workspace::with(&[("text", "fn\n")]);
    workspace.write("binary", format!("fn\n{}\0", "x\n".repeat(100_000)));
    check(&workspace, &pattern("fn"), "text\n1:fn\n");
}

#[test]
fn many_matches_are_capped_for_a_file_and_in_all() {
    let workspace = Workspace::new();
    for file in ["a", "b", "c", "d"] {
        workspace.write(file, "x\n".repeat(60));
    }
    let counts = |limit| {
        let output = search(&workspace, &Grep { limit, ..pattern("x") }).unwrap();
        assert!(output.truncated);
        assert_eq!((output.total, output.total_files), (240, 4));
        let kept = output.files.iter().map(|file| (file.path.clone(), file.matches.len()));
        kept.collect::<Vec<_>>()
    };
    let expected = |kept: &[(&str, usize)]| -> Vec<(String, usize)> {
        kept.iter().map(|(path, count)| ((*path).to_owned(), *count)).collect()
    };
    assert_eq!(counts(None), expected(&[("a", 50), ("b", 50), ("c", 50), ("d", 50)]));
    assert_eq!(counts(Some(70)), expected(&[("a", 50), ("b", 20)]));
    let one_file = Grep { path: Some("c".into()), ..pattern("x") };
    let output = search(&workspace, &one_file).unwrap();
    assert_eq!((output.files[0].matches.len(), output.truncated), (60, false));
}

#[test]
fn results_do_not_depend_on_which_thread_is_first() {
    let workspace = Workspace::new();
    for number in 0..200 {
        // The first file takes longest, so another thread overtakes it.
        let lines = if number == 0 { 500_000 } else { 1 };
        workspace.write(&format!("{number:03}"), "y\n".repeat(lines) + "x\n");
    }
    let args = Grep { limit: Some(20), ..pattern("x") };
    let first = search(&workspace, &args).unwrap();
    assert_eq!((first.files.len(), first.total), (20, 200));
    assert_eq!(first.files[19].path, "019");
    for _ in 0..10 {
        assert_eq!(search(&workspace, &args).unwrap(), first);
    }
}

#[test]
fn long_lines_are_cut_around_the_match() {
    let workspace = Workspace::new();
    workspace.write("a", format!("{}needle{}\n", "x".repeat(9_000), "y".repeat(9_000)));
    let output = search(&workspace, &pattern("needle")).unwrap();
    let line = &output.files[0].matches[0].line;
    assert!(line.len() < 500 && line.contains("xneedley"), "{line}");
}

#[test]
fn bad_arguments_are_explained() {
    let workspace = project();
    check_error(search(&workspace, &pattern("(fn")), "INVALID_PATTERN", "unclosed group");
    check_error(search(&workspace, &pattern("(fn")), "INVALID_PATTERN", "`(fn`");
    check_error(search(&workspace, &pattern("a\nb")), "INVALID_PATTERN", r"\n");
    check_error(search(&workspace, &pattern("")), "INVALID_ARGUMENT", "`pattern`");
    let glob = Grep { glob: Some("{a".to_owned()), ..pattern("x") };
    check_error(search(&workspace, &glob), "INVALID_PATTERN", "`glob` `{a`");
    let outside = Grep { path: Some("outside".into()), ..pattern("secret") };
    check_error(search(&workspace, &outside), "PATH_OUTSIDE_WORKSPACE", "`outside`");
    let missing = Grep { path: Some("none".into()), ..pattern("x") };
    check_error(search(&workspace, &missing), "NOT_FOUND", "`none`");
}

#[test]
fn it_stops_when_cancelled() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let one_file = Grep { path: Some("notes.txt".into()), ..pattern("fn") };
    for args in [pattern("fn"), one_file] {
        check_error(grep::run(&project().root, &args, &cancel), "CANCELLED", "cancelled");
    }
}
