use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
enum Target {
    All(),
    First,
}

fn main() {}
