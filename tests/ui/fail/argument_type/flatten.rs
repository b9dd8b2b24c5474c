use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(flatten)]
    file: ReadFile,
}

fn main() {}
