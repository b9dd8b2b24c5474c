use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
enum Target {
    All,
    Page(u64),
}

fn main() {}
