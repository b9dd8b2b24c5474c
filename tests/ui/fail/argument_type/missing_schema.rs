use dsh_tools::prelude::*;

#[derive(Deserialize)]
struct Page {
    number: u64,
}

/// Opens a page.
#[tool]
async fn open_page(args: Page) -> ToolResult<u64> {
    Ok(args.number)
}

fn main() {}
