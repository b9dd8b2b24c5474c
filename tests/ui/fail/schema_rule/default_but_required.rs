use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(default = 1)]
    number: u64,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
