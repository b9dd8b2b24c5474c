use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(tag = "kind")]
enum Target {
    Page(u64),
}

#[derive(Deserialize, Schema)]
struct Open {
    target: Target,
}

/// Opens a page.
#[tool]
async fn open_page(_open: Open) {}

fn main() {}
