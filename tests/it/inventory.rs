//! What `INVENTORY.md` names exists.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found
}

/// Every test of this binary by its path, and every module that has one.
fn tests() -> BTreeSet<String> {
    let root = here().join("it");
    let mut found = BTreeSet::new();
    for file in files(&root, "rs") {
        let path = file.strip_prefix(&root).unwrap().with_extension("");
        let module: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
        let module = module.join("::");
        let module = module.strip_suffix("::mod").unwrap_or(&module);
        let text = std::fs::read_to_string(&file).unwrap();
        let mut is_test = false;
        for line in text.lines().map(str::trim) {
            if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_test = true;
            }
            let name = line.strip_prefix("async ").unwrap_or(line).strip_prefix("fn ");
            if let Some((name, _)) = name.and_then(|name| name.split_once('(')).filter(|_| is_test)
            {
                found.insert(format!("{module}::{name}"));
                let parts: Vec<_> = module.split("::").collect();
                found.extend((1..=parts.len()).map(|count| parts[..count].join("::")));
                is_test = false;
            }
        }
    }
    found
}

/// Every vector by its id, and every group as `file/group/*`.
fn vectors() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files(&here().join("data/vectors"), "jsonl") {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let vector: serde_json::Value = serde_json::from_str(line).unwrap();
            let id = vector["id"].as_str().unwrap().to_owned();
            if let Some((group, _)) = id.rsplit_once('/') {
                found.insert(format!("{group}/*"));
            }
            found.insert(id);
        }
    }
    found
}

#[test]
fn whatever_the_inventory_names_exists() {
    let inventory = std::fs::read_to_string(here().join("INVENTORY.md")).unwrap();
    let (tests, vectors) = (tests(), vectors());
    let checks: Vec<_> = inventory.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let checks = checks.into_iter().filter_map(|line| line.split_once(": "));
    let mut seen = BTreeSet::new();
    for (id, covered) in checks.filter(|(id, _)| id.contains('-') && !id.contains(' ')) {
        assert!(seen.insert(id), "{id} is listed twice");
        let mut covers = ["*type*", "*n/a*", "*later*"].iter().any(|note| covered.contains(note));
        for named in covered.split('`').skip(1).step_by(2) {
            let exists = match named.split_once(' ') {
                Some(("it", test)) => tests.contains(test),
                Some(("vector", vector)) => vectors.contains(vector),
                Some(("ui", folder)) => here().join("ui/fail").join(folder).is_dir(),
                // A word in a reason.
                _ => continue,
            };
            assert!(exists, "{id} names `{named}`, which does not exist");
            covers = true;
        }
        assert!(covers, "{id} is not covered");
    }
    // The sections that are here are whole.
    for (section, count) in [
        ("A", 136),
        ("B", 27),
        ("C", 10),
        ("D", 1),
        ("E", 25),
        ("F", 6),
        ("G", 10),
        ("J", 91),
        ("K", 10),
        ("U", 24),
        ("W", 12),
    ] {
        for number in 1..=count {
            let id = format!("{section}-{number}");
            assert!(seen.contains(&*id), "{id} is missing");
        }
    }
}
