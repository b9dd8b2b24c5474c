use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(default = u64::MAX, example = [1, FIRST])]
    number: Option<u64>,
}

const FIRST: u64 = 1;

fn main() {}
