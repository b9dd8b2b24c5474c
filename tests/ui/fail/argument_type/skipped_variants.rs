use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
enum Target {
    #[serde(skip)]
    All,
}

fn main() {}
