// Serde warns of it too, in words of its own.
#![allow(unreachable_patterns)]

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    number: u64,
    #[serde(alias = "number")]
    page: u64,
}

/// Opens a page.
#[tool]
async fn open_page(_page: Page) {}

fn main() {}
