//! What a user of the published crates has: only our crate, serde and tokio, and warnings denied.

use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn cargo(directory: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO"))
        .args(arguments)
        .current_dir(directory)
        .env("CARGO_TARGET_DIR", workspace().join("target/outside"))
        .env("RUSTFLAGS", "-D warnings")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {arguments:?} failed:\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// The Rust blocks of a Markdown text.
fn rust_blocks(markdown: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for line in markdown.lines() {
        match (&mut open, line) {
            (None, "```rust") => open = Some(String::new()),
            (Some(_), "```") => blocks.extend(open.take()),
            (Some(block), line) => block.extend([line, "\n"]),
            (None, _) => {}
        }
    }
    blocks
}

#[test]
fn case_28_and_32_the_readme_example_needs_no_crate_but_ours_and_those_it_names() {
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let blocks = rust_blocks(&readme);
    let example = blocks.iter().find(|block| block.contains("async fn main")).unwrap();

    let directory = tempfile::tempdir().unwrap();
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         dsh-tools = {{ path = {:?} }}\n\
         serde = {{ version = \"1\", features = [\"derive\"] }}\n\
         tokio = {{ version = \"1\", features = [\"fs\", \"macros\", \"rt-multi-thread\"] }}\n\n\
         [workspace]\n",
        workspace().join("dsh-tools")
    );
    std::fs::create_dir(directory.path().join("src")).unwrap();
    std::fs::write(directory.path().join("Cargo.toml"), manifest).unwrap();
    std::fs::write(directory.path().join("src/main.rs"), example).unwrap();
    std::fs::write(directory.path().join("notes.txt"), "one\ntwo\nthree\n").unwrap();
    // The versions that this workspace is tested with, so that nothing has to be asked of a registry.
    std::fs::copy(workspace().join("Cargo.lock"), directory.path().join("Cargo.lock")).unwrap();

    let printed = cargo(directory.path(), &["run", "--quiet"]);
    let lines: Vec<_> = printed.lines().collect();
    assert_eq!(
        lines,
        [
            "one",
            "two",
            "Error: invalid arguments: missing required property \"path\", a string; \
             \"limit\" must be an integer, got a string; \
             \"pth\" is not a declared property (additionalProperties: false), \
             did you mean \"path\"?",
        ]
    );
}

#[test]
fn the_default_build_stays_light() {
    let arguments = ["tree", "-p", "dsh-tools", "-e", "normal,build", "--prefix", "none"];
    let tree = cargo(&workspace(), &arguments);
    let mut crates: Vec<_> = tree.lines().collect();
    crates.sort_unstable();
    crates.dedup();
    assert!(crates.len() <= 48, "{} crates:\n{}", crates.len(), crates.join("\n"));
}
