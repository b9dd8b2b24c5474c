use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
};

use workspace_tools::{
    WorkspaceError,
    tools::write_file::{self, WriteFile, WriteFileOutput},
};

use super::{Workspace, check_error};

fn write(
    workspace: &Workspace,
    path: &str,
    content: &str,
) -> Result<WriteFileOutput, WorkspaceError> {
    let (path, content) = (path.into(), content.to_owned());
    write_file::run(&workspace.root, &WriteFile { path, content })
}

#[test]
fn a_new_file_is_created_with_its_directories() {
    let workspace = Workspace::with(&[("src/main.rs", "")]);
    let output = write(&workspace, "src/a/b/c.rs", "é\n").unwrap();
    let expected = WriteFileOutput {
        path: "src/a/b/c.rs".to_owned(),
        created: true,
        bytes: 3,
        created_dirs: vec!["src/a".to_owned(), "src/a/b".to_owned()],
    };
    assert_eq!(output, expected);
    assert_eq!(workspace.read("src/a/b/c.rs"), "é\n");
    let text = "created src/a/b/c.rs (3 bytes); new directories: src/a, src/a/b\n";
    assert_eq!(write_file::render(&output), text);
}

#[test]
fn an_existing_file_is_replaced_and_keeps_its_permissions() {
    let workspace = Workspace::with(&[("run.sh", "a long old content")]);
    fs::set_permissions(workspace.path("run.sh"), Permissions::from_mode(0o751)).unwrap();
    let output = write(&workspace, "run.sh", "new").unwrap();
    assert!(!output.created);
    assert_eq!(write_file::render(&output), "overwrote run.sh (3 bytes)\n");
    assert_eq!(workspace.read("run.sh"), "new");
    let mode = fs::metadata(workspace.path("run.sh")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o751);
    assert_eq!(workspace.names(), ["run.sh"]);
}

#[test]
fn an_open_reader_keeps_the_old_content() {
    use std::io::Read;
    let workspace = Workspace::with(&[("a", "old")]);
    let mut reader = fs::File::open(workspace.path("a")).unwrap();
    write(&workspace, "a", "new").unwrap();
    let mut text = String::new();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "old");
}

#[test]
fn links_are_written_through_inside_and_refused_outside() {
    let workspace = Workspace::with(&[("real", "old")]);
    workspace.link("inside", "real");
    workspace.link("dangling", workspace.outside("new.txt"));
    workspace.link("outside", workspace.outside("secret.txt"));
    assert_eq!(write(&workspace, "inside", "new").unwrap().path, "real");
    assert_eq!(workspace.read("real"), "new");
    for path in ["dangling", "outside"] {
        check_error(write(&workspace, path, "new"), "PATH_OUTSIDE_WORKSPACE", path);
    }
    assert_eq!(fs::read_to_string(workspace.outside("secret.txt")).unwrap(), "secret");
    assert!(!workspace.outside("new.txt").exists());
}

#[test]
fn what_is_no_writable_file_is_refused() {
    let workspace = Workspace::with(&[("dir/a", "a")]);
    fs::set_permissions(workspace.path("dir/a"), Permissions::from_mode(0o444)).unwrap();
    check_error(write(&workspace, "dir", ""), "IS_A_DIRECTORY", "`dir`");
    check_error(write(&workspace, ".", ""), "IS_A_DIRECTORY", "`.`");
    check_error(write(&workspace, "dir/a", ""), "READ_ONLY", "`dir/a`");
    check_error(write(&workspace, "dir/a/b", ""), "NOT_A_DIRECTORY", "`dir/a/b`");
    check_error(write(&workspace, "../x", ""), "PATH_OUTSIDE_WORKSPACE", "`../x`");
    assert_eq!(workspace.read("dir/a"), "a");
}

#[test]
fn a_name_that_the_system_refuses_is_an_error() {
    let workspace = Workspace::new();
    let name = "n".repeat(300);
    check_error(write(&workspace, &name, "x"), "IO", "cannot");
    assert!(workspace.names().is_empty());
}
