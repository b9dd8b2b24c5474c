use dsh_tools::prelude::*;

#[derive(Deserialize)]
struct Range {
    first: u64,
}

/// Opens a page.
#[tool]
async fn open_page(#[arg] range: Range) -> ToolResult<u64> {
    Ok(range.first)
}

fn main() {}
