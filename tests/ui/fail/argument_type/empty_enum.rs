use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
enum Target {}

fn main() {}
