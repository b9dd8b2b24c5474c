use dsh_tools::prelude::*;

#[derive(Deserialize)]
struct Range {
    first: u64,
}

#[derive(Deserialize, Schema)]
struct Page {
    range: Option<Range>,
}

fn main() {}
