use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page(u64, u64);

fn main() {}
