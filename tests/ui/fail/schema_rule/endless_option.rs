use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Endless(Option<Box<Endless>>);

#[derive(Deserialize, Schema)]
struct Page {
    number: Endless,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
