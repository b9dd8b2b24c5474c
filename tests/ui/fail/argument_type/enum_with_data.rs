use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
enum Target {
    All,
    Page(u64),
}

/// Opens a page.
#[tool]
async fn open_page(_target: Target) {}

fn main() {}
