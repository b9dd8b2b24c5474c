use workspace_tools::{
    WorkspaceError,
    tools::list_dir::{self, DirEntry, EntryKind, ListDir, ListDirOutput},
};

use super::{Workspace, check_error};

fn list(
    workspace: &Workspace,
    path: Option<&str>,
    depth: Option<u64>,
) -> Result<ListDirOutput, WorkspaceError> {
    let path = path.map(Into::into);
    list_dir::run(&workspace.root, &ListDir { path, depth })
}

#[track_caller]
fn check(workspace: &Workspace, path: Option<&str>, depth: Option<u64>, expected: &str) {
    let output = list(workspace, path, depth).unwrap();
    assert_eq!(list_dir::render(&output), expected);
    assert!(!output.truncated);
    assert_eq!(output.total, output.entries.len() as u64);
}

#[test]
fn entries_are_sorted_and_told_apart() {
    let workspace = Workspace::with(&[
        ("src/deep/a.rs", "abc"),
        ("src.txt", ""),
        (".hidden", "x"),
        (".git/config", "x"),
        (".gitignore", "src"),
    ]);
    let top = ".git/\n.gitignore (3 bytes)\n.hidden (1 bytes)\nsrc/\nsrc.txt (0 bytes)\n";
    check(&workspace, None, None, top);
    check(&workspace, Some("src/deep"), None, "src/deep/a.rs (3 bytes)\n");
    let all = ".git/\n.gitignore (3 bytes)\n.hidden (1 bytes)\nsrc/\nsrc/deep/\n\
               src/deep/a.rs (3 bytes)\nsrc.txt (0 bytes)\n";
    check(&workspace, Some("."), Some(9), all);
}

#[test]
fn links_show_where_they_lead_but_not_outside() {
    let workspace = Workspace::with(&[("dir/a", "")]);
    workspace.link("absolute", workspace.path("dir"));
    workspace.link("broken", "dir/none");
    workspace.link("loop", "loop");
    workspace.link("outside", workspace.outside("secret.txt"));
    workspace.link("relative", "dir/a");
    let expected = "absolute -> dir\nbroken -> dir/none (missing)\ndir/\ndir/a (0 bytes)\n\
                    loop -> (a loop)\noutside -> (outside the workspace)\nrelative -> dir/a\n";
    check(&workspace, None, Some(3), expected);
}

#[test]
fn an_entry_is_data_too() {
    let workspace = Workspace::with(&[("a", "abc")]);
    let output = list(&workspace, None, None).unwrap();
    let entry =
        DirEntry { path: "a".to_owned(), kind: EntryKind::File, size: Some(3), target: None };
    assert_eq!(output.entries, [entry]);
    let json = serde_json::to_value(&output).unwrap();
    assert_eq!(json["entries"][0]["kind"], "file");
}

#[test]
fn large_directories_are_capped_and_do_not_hide_their_neighbours() {
    let workspace = Workspace::with(&[("z/last", ""), ("z.txt", "")]);
    for number in 0..1_200 {
        workspace.write(&format!("many/{number:04}"), "");
    }
    let output = list(&workspace, Some("many"), None).unwrap();
    assert_eq!((output.entries.len(), output.total), (1_000, 1_200));
    assert_eq!(output.entries[999].path, "many/0999");
    assert!(list_dir::render(&output).contains("only 1000 of 1200 or more entries"));

    let output = list(&workspace, None, Some(2)).unwrap();
    assert!(output.truncated);
    let last: Vec<_> = output.entries.iter().rev().take(2).map(|entry| &*entry.path).collect();
    assert_eq!(last, ["z.txt", "z"]);
}

#[test]
fn an_empty_directory_says_so() {
    check(&Workspace::new(), None, None, "[the directory is empty]\n");
}

#[test]
fn only_directories_inside_are_listed() {
    let workspace = Workspace::with(&[("a", "")]);
    check_error(list(&workspace, Some("a"), None), "NOT_A_DIRECTORY", "`a`");
    check_error(list(&workspace, Some("none"), None), "NOT_FOUND", "`none`");
    check_error(list(&workspace, Some(".."), None), "PATH_OUTSIDE_WORKSPACE", "`..`");
    check_error(list(&workspace, None, Some(0)), "INVALID_ARGUMENT", "`depth`");
}
