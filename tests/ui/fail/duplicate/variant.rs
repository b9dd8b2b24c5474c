// Serde warns of it too, in words of its own.
#![allow(unreachable_patterns)]

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(rename_all = "lowercase")]
enum Target {
    First,
    Page(u64),
    #[serde(alias = "page")]
    Line(u64),
}

fn main() {}
