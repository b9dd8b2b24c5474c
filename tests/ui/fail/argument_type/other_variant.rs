use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
enum Target {
    All,
    #[serde(other)]
    First,
}

fn main() {}
