use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(flatten)]
    next: Option<Box<Page>>,
}

fn main() {}
