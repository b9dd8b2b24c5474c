//! The vectors: expected values of the specification, run against the crate.
//!
//! `DSH_VECTORS` names another folder of such files. With `--nocapture` a table shows what passed.

mod registry;
mod scenario;
mod schema;
mod skips;
mod tree;

use std::path::PathBuf;

use tree::Tree;

/// What became of one vector.
enum Verdict {
    Passed,
    /// What was expected and what came instead.
    Differs(String),
}

/// What runs the vectors of a file.
type Run = fn(group: &str, input: &serde_json::Value, expect: &serde_json::Value) -> Verdict;

/// The files that are run, and what runs them.
const FILES: [(&str, Run); 8] = [
    ("registry", registry::run),
    ("pipeline", scenario::pipeline),
    ("batch", scenario::batch),
    ("ptc", scenario::ptc),
    ("schema-compile", schema::compile),
    ("json-schema-support", schema::support),
    ("validate", schema::validate),
    ("validate-args", schema::validate_args),
];

#[test]
fn vectors() {
    // Depth has to cost no stack: all of it runs in a thread that has little.
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    small.spawn(run_all).expect("a thread").join().expect("no vector fails");
}

#[expect(clippy::print_stdout, reason = "the table is what a person runs this for")]
fn run_all() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/data/vectors");
    let folder = PathBuf::from(std::env::var("DSH_VECTORS").unwrap_or_else(|_| committed.into()));
    let skips = skips::read();
    let mut failures = Vec::new();
    let mut used = 0;
    println!("{:<22}{:>8}{:>8}{:>10}{:>9}", "file", "passed", "failed", "optional", "skipped");
    for (name, run) in FILES {
        let path = folder.join(format!("{name}.jsonl"));
        let text = std::fs::read_to_string(&path).expect("the file of vectors is there");
        let [mut passed, mut failed, mut optional, mut skipped] = [0; 4];
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let vector: serde_json::Value = serde_json::from_str(line).expect("a vector is JSON");
            let id = vector["id"].as_str().expect("a vector has an id");
            if let Some(reason) = skips.get(id) {
                println!("  skipped {id}: {reason}");
                skipped += 1;
                used += 1;
                continue;
            }
            let group = vector["group"].as_str().unwrap_or_default();
            match run(group, &vector["input"], &vector["expect"]) {
                Verdict::Passed => passed += 1,
                Verdict::Differs(how) if vector["optional"] == true => {
                    println!("  optional, differs: {id}: {how}");
                    optional += 1;
                }
                Verdict::Differs(how) => {
                    failures.push(format!("{id}: {how}"));
                    failed += 1;
                }
            }
        }
        println!("{name:<22}{passed:>8}{failed:>8}{optional:>10}{skipped:>9}");
        assert!(passed > 0, "{name} has no vector");
    }
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures.join("\n"));
    let other = std::env::var_os("DSH_VECTORS").is_some();
    assert!(other || used == skips.len(), "a skip names no vector");
}

/// Compares two values, deep ones without the stack; long ones are not printed whole.
fn compare(found: &Tree, expected: &Tree) -> Verdict {
    if found.same(expected) {
        Verdict::Passed
    } else {
        Verdict::Differs(format!("expected {}, found {}", expected.shown(), found.shown()))
    }
}
