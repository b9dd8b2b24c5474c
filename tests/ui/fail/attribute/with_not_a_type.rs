use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(with = 1)]
    number: u64,
}

fn main() {}
