use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(minimun = 1)]
    number: u64,
}

fn main() {}
