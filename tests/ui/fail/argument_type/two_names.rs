use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(rename(serialize = "page", deserialize = "number"))]
    number: u64,
}

fn main() {}
