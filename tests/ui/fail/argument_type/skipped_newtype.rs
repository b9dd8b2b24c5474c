use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page(#[serde(skip)] u64);

fn main() {}
