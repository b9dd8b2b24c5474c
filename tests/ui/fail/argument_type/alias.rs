use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(alias = "page")]
    number: u64,
}

fn main() {}
