use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Place {
    line: u64,
}

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(flatten)]
    more: std::collections::BTreeMap<String, u64>,
    #[serde(flatten)]
    place: Place,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
