use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(example = 1, example = "second")]
    number: u64,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
