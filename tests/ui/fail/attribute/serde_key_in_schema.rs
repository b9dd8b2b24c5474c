use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(rename = "page")]
    number: u64,
}

fn main() {}
