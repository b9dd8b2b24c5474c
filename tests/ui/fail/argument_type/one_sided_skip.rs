use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(skip_deserializing)]
    number: u64,
}

fn main() {}
