use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(tag = "kind")]
enum Target {
    All,
    First,
}

fn main() {}
