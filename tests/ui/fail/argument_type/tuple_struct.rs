use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page(u64, u64);

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
