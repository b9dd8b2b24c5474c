// Serde warns of it too, in words of its own.
#![allow(unreachable_patterns)]

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(rename_all = "camelCase")]
struct Page {
    page_number: u64,
    #[serde(rename = "pageNumber")]
    number: u64,
}

/// Opens a page.
#[tool]
async fn open_page(args: Page) -> ToolResult<u64> {
    Ok(args.number + args.page_number)
}

fn main() {}
