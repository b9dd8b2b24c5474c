use dsh_tools::prelude::*;

/// Opens a page.
#[tool]
async fn open_page(#[arg(minimum = 1)] number: u64) -> ToolResult<u64> {
    Ok(number)
}

fn main() {}
