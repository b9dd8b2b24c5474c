use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(flatten)]
    lines: Vec<u64>,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
