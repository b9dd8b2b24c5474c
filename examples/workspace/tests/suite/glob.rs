use workspace_tools::{
    CancellationToken, WorkspaceError,
    tools::glob::{self, Glob, GlobOutput},
};

use super::{Workspace, check_error};

fn find(
    workspace: &Workspace,
    pattern: &str,
    path: Option<&str>,
    limit: Option<u64>,
) -> Result<GlobOutput, WorkspaceError> {
    let (pattern, path) = (pattern.to_owned(), path.map(Into::into));
    let args = Glob { pattern, path, limit };
    glob::run(&workspace.root, &args, &CancellationToken::new())
}

#[track_caller]
fn check(workspace: &Workspace, pattern: &str, path: Option<&str>, expected: &[&str]) {
    let output = find(workspace, pattern, path, None).unwrap();
    assert_eq!(output.paths, expected);
    assert_eq!(output.total, expected.len() as u64);
    assert!(!output.truncated);
}

fn project() -> Workspace {
    let workspace = Workspace::with(&[
        ("src/b.rs", ""),
        ("src/a/x.rs", ""),
        ("src/a/x.txt", ""),
        ("main.rs", ""),
        (".github/ci.yml", ""),
        (".git/x.rs", ""),
        (".gitignore", "target/\n*.tmp\n"),
        ("target/debug/out.rs", ""),
        ("src/.gitignore", "!keep.tmp\n"),
        ("src/keep.tmp", ""),
        ("src/drop.tmp", ""),
    ]);
    workspace.link("outside", workspace.outside(""));
    workspace.link("again", "src");
    workspace
}

#[test]
fn stars_stay_within_a_directory_and_double_stars_do_not() {
    let workspace = project();
    check(&workspace, "*.rs", None, &["main.rs"]);
    check(&workspace, "**/*.rs", None, &["main.rs", "src/a/x.rs", "src/b.rs"]);
    check(&workspace, "./src/*.rs", None, &["src/b.rs"]);
    check(
        &workspace,
        "src/**",
        None,
        &["src/.gitignore", "src/a/x.rs", "src/a/x.txt", "src/b.rs", "src/keep.tmp"],
    );
    check(&workspace, "**/*.{txt,yml}", None, &[".github/ci.yml", "src/a/x.txt"]);
}

#[test]
fn a_pattern_is_relative_to_the_path() {
    let workspace = project();
    check(&workspace, "*.rs", Some("src"), &["src/b.rs"]);
    check(&workspace, "**/*.rs", Some("again"), &["src/a/x.rs", "src/b.rs"]);
}

#[test]
fn ignored_files_are_found_only_below_an_ignored_path() {
    let workspace = project();
    check(&workspace, "**/out.rs", None, &[]);
    check(&workspace, "**/out.rs", Some("target"), &["target/debug/out.rs"]);
    check(&workspace, "**/*.tmp", Some("src"), &["src/keep.tmp"]);
    check(&workspace, "**/*.tmp", None, &["src/keep.tmp"]);
}

#[test]
fn ignore_files_above_the_root_do_not_count() {
    let workspace = Workspace::with(&[("a.rs", "")]);
    std::fs::write(workspace.dir.path().join(".gitignore"), "*").unwrap();
    check(&workspace, "*.rs", None, &["a.rs"]);
}

#[test]
fn results_are_capped_with_a_total() {
    let workspace = Workspace::new();
    for number in 0..9 {
        workspace.write(&format!("{number}.txt"), "");
    }
    let output = find(&workspace, "*", None, Some(2)).unwrap();
    assert_eq!(output.paths, ["0.txt", "1.txt"]);
    assert_eq!(output.total, 9);
    let text = "0.txt\n1.txt\n[2 of 9 files are shown; use a narrower pattern or path]\n";
    assert_eq!(glob::render(&output), text);
    let none = find(&workspace, "*.rs", None, None).unwrap();
    assert!(glob::render(&none).starts_with("[no file matches"));
}

#[test]
fn bad_arguments_are_explained() {
    let workspace = project();
    check_error(find(&workspace, "src/[a", None, None), "INVALID_PATTERN", "`src/[a`");
    check_error(find(&workspace, "src/[a", None, None), "INVALID_PATTERN", "unclosed");
    check_error(find(&workspace, "/src/*", None, None), "INVALID_ARGUMENT", "relative");
    check_error(find(&workspace, "../*", None, None), "INVALID_ARGUMENT", "`..`");
    check_error(find(&workspace, "*", Some("main.rs"), None), "NOT_A_DIRECTORY", "`main.rs`");
    check_error(find(&workspace, "*", Some("outside"), None), "PATH_OUTSIDE_WORKSPACE", "link");
    check_error(find(&workspace, "*", None, Some(0)), "INVALID_ARGUMENT", "`limit`");
}

#[test]
fn it_stops_when_cancelled() {
    let workspace = project();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let args = Glob { pattern: "*".to_owned(), path: None, limit: None };
    check_error(glob::run(&workspace.root, &args, &cancel), "CANCELLED", "cancelled");
}
