//! Arguments from text to typed, and values against schemas, beside what they cannot be faster than.
//!
//! `cargo bench -p dsh-tools --bench arguments`; compare within one run. The shapes are those of the
//! figures in ARCHITECTURE.md: *small* has 3 fields, *medium* 20 in nested objects, *large* 1,000
//! objects in an array.

use std::hint::black_box;

use divan::{Bencher, counter::BytesCount};
use dsh_tools::{Arguments, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn main() {
    divan::main();
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Small {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Medium {
    query: String,
    limit: u32,
    exact: bool,
    filter: Filter,
    page: Page,
    tags: Vec<String>,
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Filter {
    kind: Kind,
    from: String,
    to: String,
    minimum: f64,
    maximum: f64,
    owner: Owner,
}

#[derive(Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    File,
    Directory,
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Owner {
    name: String,
    id: u64,
    group: Option<String>,
    active: bool,
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Page {
    number: u32,
    size: u16,
    sort: String,
    descending: bool,
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Large {
    items: Vec<Item>,
}

#[expect(dead_code, reason = "reading it is what is measured")]
#[derive(Deserialize, Schema)]
struct Item {
    id: u64,
    name: String,
    score: f64,
    tags: Vec<String>,
}

fn small() -> Value {
    json!({"path": "/srv/data/file.txt", "limit": 200})
}

fn medium() -> Value {
    json!({
        "query": "error in the log", "limit": 50, "exact": false,
        "filter": {
            "kind": "file", "from": "2026-01-01", "to": "2026-12-01", "minimum": 0.5,
            "maximum": 99.5,
            "owner": {"name": "ann", "id": 4711, "group": "staff", "active": true},
        },
        "page": {"number": 3, "size": 25, "sort": "name", "descending": true},
        "tags": ["a", "bb", "ccc"],
    })
}

fn large() -> Value {
    let item = |id: u32| json!({"id": id, "name": format!("item number {id}"), "score": f64::from(id) / 7.0, "tags": ["x", "y"]});
    json!({"items": (0..1000).map(item).collect::<Vec<_>>()})
}

/// Text to the type by serde alone: the floor.
#[divan::bench_group]
mod from_text {
    use super::{
        Arguments, Bencher, BytesCount, DeserializeOwned, Large, Medium, Schema, Small, Value,
        black_box, large, medium, small,
    };

    fn floor<T: DeserializeOwned>(bencher: Bencher<'_, '_>, value: &Value) {
        let text = value.to_string();
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| serde_json::from_str::<T>(black_box(&text)).expect("it is valid"));
    }

    fn ours<T: DeserializeOwned + Schema>(bencher: Bencher<'_, '_>, value: &Value) {
        let text = value.to_string();
        let arguments = Arguments::from(text.as_str());
        bencher
            .counter(BytesCount::of_str(&text))
            .bench(|| black_box(&arguments).decode::<T>().expect("it is valid"));
    }

    #[divan::bench]
    fn small_serde(bencher: Bencher<'_, '_>) {
        floor::<Small>(bencher, &small());
    }

    #[divan::bench]
    fn small_validated(bencher: Bencher<'_, '_>) {
        ours::<Small>(bencher, &small());
    }

    #[divan::bench]
    fn medium_serde(bencher: Bencher<'_, '_>) {
        floor::<Medium>(bencher, &medium());
    }

    #[divan::bench]
    fn medium_validated(bencher: Bencher<'_, '_>) {
        ours::<Medium>(bencher, &medium());
    }

    #[divan::bench]
    fn large_serde(bencher: Bencher<'_, '_>) {
        floor::<Large>(bencher, &large());
    }

    #[divan::bench]
    fn large_validated(bencher: Bencher<'_, '_>) {
        ours::<Large>(bencher, &large());
    }
}

/// A value against its schema, beside the `jsonschema` crate with a compiled validator.
#[divan::bench_group]
mod is_valid {
    use super::{Bencher, Large, Medium, Schema, Small, Value, black_box, large, medium, small};

    fn peer<T: Schema>(bencher: Bencher<'_, '_>, value: &Value) {
        let validator = jsonschema::validator_for(&T::SCHEMA.to_json()).expect("it is a schema");
        assert!(validator.is_valid(value));
        bencher.bench(|| validator.is_valid(black_box(value)));
    }

    fn ours<T: Schema>(bencher: Bencher<'_, '_>, value: &Value) {
        assert!(T::SCHEMA.is_valid(value));
        bencher.bench(|| T::SCHEMA.is_valid(black_box(value)));
    }

    #[divan::bench]
    fn small_jsonschema(bencher: Bencher<'_, '_>) {
        peer::<Small>(bencher, &small());
    }

    #[divan::bench]
    fn small_dsh_tools(bencher: Bencher<'_, '_>) {
        ours::<Small>(bencher, &small());
    }

    #[divan::bench]
    fn medium_jsonschema(bencher: Bencher<'_, '_>) {
        peer::<Medium>(bencher, &medium());
    }

    #[divan::bench]
    fn medium_dsh_tools(bencher: Bencher<'_, '_>) {
        ours::<Medium>(bencher, &medium());
    }

    #[divan::bench]
    fn large_jsonschema(bencher: Bencher<'_, '_>) {
        peer::<Large>(bencher, &large());
    }

    #[divan::bench]
    fn large_dsh_tools(bencher: Bencher<'_, '_>) {
        ours::<Large>(bencher, &large());
    }
}
