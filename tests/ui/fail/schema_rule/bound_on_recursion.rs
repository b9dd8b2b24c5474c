use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(min_length = 1)]
    next: Vec<Page>,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
