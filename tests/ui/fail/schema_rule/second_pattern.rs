use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Name(#[schema(pattern = "^[a-z]+$")] String);

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(pattern = "s$")]
    name: Name,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
