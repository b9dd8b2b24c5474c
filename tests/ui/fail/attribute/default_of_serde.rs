use dsh_tools::prelude::*;

#[derive(Default, Deserialize, Schema)]
#[schema(default)]
struct Page {
    number: u64,
}

fn main() {}
