use dsh_tools::prelude::*;

/// Opens a page.
#[tool]
async fn open_page(#[arg(name = "page")] #[serde(rename = "number")] page: u64) -> ToolResult<u64> {
    Ok(page)
}

fn main() {}
