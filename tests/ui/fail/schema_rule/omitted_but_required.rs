use dsh_tools::prelude::*;

#[derive(Serialize, Deserialize, Schema)]
struct Page {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<u64>,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
