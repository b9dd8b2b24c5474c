use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page;

fn main() {}
