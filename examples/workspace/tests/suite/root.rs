use std::{fs, path::Path};

use workspace_tools::{PathError, Root};

use super::Workspace;

#[track_caller]
fn check_inside(workspace: &Workspace, path: &str, expected: &str) {
    let path = Path::new(path);
    workspace.root.admits(path).unwrap();
    let real = workspace.root.resolve(path).unwrap();
    assert_eq!(workspace.root.display(&real), expected);
    assert_eq!(workspace.root.resolve_new(path).unwrap(), real);
}

/// Checks a refusal, and that its text has the path as written and nothing of the host.
#[track_caller]
fn check_refused(
    workspace: &Workspace,
    result: Result<impl Sized, PathError>,
    path: &Path,
    code: &str,
) {
    let Err(error) = result else {
        panic!("{} was accepted", path.display());
    };
    assert_eq!(error.code(), code, "{error}");
    let text = error.to_string();
    assert!(text.contains(&format!("`{}`", path.display())), "{text}");
    if path.is_relative() {
        let host = workspace.dir.path().display().to_string();
        assert!(!text.contains(&host), "{text}");
    }
}

#[track_caller]
fn check_outside(workspace: &Workspace, path: impl AsRef<Path>) {
    let path = path.as_ref();
    let code = "PATH_OUTSIDE_WORKSPACE";
    check_refused(workspace, workspace.root.resolve(path), path, code);
    check_refused(workspace, workspace.root.resolve_new(path), path, code);
}

#[test]
fn paths_inside_are_resolved() {
    let workspace = Workspace::with(&[("src/a.rs", ""), ("b", "")]);
    check_inside(&workspace, "src/a.rs", "src/a.rs");
    check_inside(&workspace, "./src/../b", "b");
    check_inside(&workspace, "", ".");
    check_inside(&workspace, ".", ".");
    let absolute = workspace.path("src/a.rs");
    check_inside(&workspace, absolute.to_str().unwrap(), "src/a.rs");
}

#[test]
fn dots_and_absolute_paths_do_not_escape() {
    let workspace = Workspace::with(&[("src/a.rs", "")]);
    for path in
        ["..", "../outside/secret.txt", "src/../../outside", "../root/src", "/", "/etc/passwd"]
    {
        check_outside(&workspace, path);
        let lexical = workspace.root.admits(Path::new(path));
        check_refused(&workspace, lexical, Path::new(path), "PATH_OUTSIDE_WORKSPACE");
    }
    check_outside(&workspace, workspace.path("../outside/secret.txt"));
    check_outside(&workspace, workspace.outside("secret.txt"));
    // A sibling whose name starts like the root's.
    check_outside(&workspace, format!("{}-other/x", workspace.root.path().display()));
}

#[test]
fn links_do_not_escape() {
    let workspace = Workspace::with(&[("src/a.rs", "")]);
    workspace.link("file", workspace.outside("secret.txt"));
    workspace.link("dir", workspace.outside(""));
    workspace.link("src/up", "../..");
    workspace.link("chain", "dir");
    workspace.link("back", "../root/src");
    for path in ["file", "dir", "dir/secret.txt", "src/up/outside", "chain/secret.txt", "back/a.rs"]
    {
        check_outside(&workspace, path);
        workspace.root.admits(Path::new(path)).unwrap();
    }
}

#[test]
fn dangling_links_do_not_escape() {
    let workspace = Workspace::new();
    workspace.link("absolute", workspace.outside("new.txt"));
    workspace.link("relative", "../outside/new.txt");
    workspace.link("dir", workspace.outside("new"));
    check_outside(&workspace, "absolute");
    check_outside(&workspace, "relative");
    check_outside(&workspace, "dir/new.txt");
}

#[test]
fn what_exists_outside_is_not_told() {
    let workspace = Workspace::new();
    workspace.link("dir", workspace.outside(""));
    let text = |path| workspace.root.resolve(Path::new(path)).unwrap_err().to_string();
    let existing = text("dir/secret.txt").replace("secret", "other");
    assert_eq!(existing, text("dir/other.txt"));
}

#[test]
fn links_inside_are_followed() {
    let workspace = Workspace::with(&[("src/deep/a.rs", "")]);
    workspace.link("relative", "src/deep");
    workspace.link("absolute", workspace.path("src"));
    workspace.link("src/top", workspace.path("src/deep"));
    workspace.link("src/up", "..");
    check_inside(&workspace, "relative/a.rs", "src/deep/a.rs");
    check_inside(&workspace, "relative/../deep", "src/deep");
    check_inside(&workspace, "absolute/deep/a.rs", "src/deep/a.rs");
    check_inside(&workspace, "src/top/a.rs", "src/deep/a.rs");
    check_inside(&workspace, "src/up/src/up", ".");
}

#[test]
fn missing_ends_are_accepted_for_writing_only() {
    let workspace = Workspace::with(&[("src/a.rs", "")]);
    workspace.link("dangling", "src/new.rs");
    let root = &workspace.root;
    for (path, expected) in
        [("src/b.rs", "src/b.rs"), ("x/y/z", "x/y/z"), ("dangling", "src/new.rs")]
    {
        let path = Path::new(path);
        check_refused(&workspace, root.resolve(path), path, "NOT_FOUND");
        assert_eq!(root.display(&root.resolve_new(path).unwrap()), expected);
    }
    let path = Path::new("missing/../src/a.rs");
    check_refused(&workspace, root.resolve_new(path), path, "NOT_FOUND");
}

#[test]
fn loops_and_files_used_as_directories_have_their_own_codes() {
    let workspace = Workspace::with(&[("file", "")]);
    workspace.link("a", "b");
    workspace.link("b", "a");
    let root = &workspace.root;
    check_refused(&workspace, root.resolve(Path::new("a")), Path::new("a"), "LINK_LOOP");
    let path = Path::new("file/x");
    check_refused(&workspace, root.resolve(path), path, "NOT_A_DIRECTORY");
    check_refused(&workspace, root.resolve_new(path), path, "NOT_A_DIRECTORY");
}

#[test]
fn a_root_reached_by_a_link_accepts_both_its_names() {
    let workspace = Workspace::with(&[("a", "")]);
    let alias = workspace.dir.path().join("alias");
    std::os::unix::fs::symlink(workspace.root.path(), &alias).unwrap();
    let root = Root::new(&alias).unwrap();
    assert_eq!(root.display(&root.resolve(&alias.join("a")).unwrap()), "a");
    assert_eq!(root.display(&root.resolve(&workspace.path("a")).unwrap()), "a");
}

#[test]
fn a_root_is_an_existing_directory() {
    let workspace = Workspace::with(&[("file", "")]);
    assert!(Root::new(workspace.path("missing")).is_err());
    assert!(Root::new(workspace.path("file")).is_err());
}

#[test]
fn display_tells_nothing_of_outside() {
    let workspace = Workspace::new();
    let shown = workspace.root.display(&workspace.outside("secret.txt"));
    assert_eq!(shown, "(outside the workspace)");
    assert_eq!(workspace.root.display(Path::new("./a//b")), "a/b");
    fs::create_dir(workspace.path("x")).unwrap();
    assert_eq!(workspace.root.display(&workspace.path("x")), "x");
}

#[test]
fn roots_can_be_shared_between_threads() {
    fn check<T: Send + Sync>() {}
    check::<Root>();
    check::<workspace_tools::WorkspaceError>();
}
