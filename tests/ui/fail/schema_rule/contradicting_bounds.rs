use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(minimum = 10, maximum = 1)]
    number: u64,
}

/// Opens a page.
#[tool]
async fn open_page(args: Page) -> ToolResult<u64> {
    Ok(args.number)
}

fn main() {}
