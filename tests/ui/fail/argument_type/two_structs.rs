use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

#[derive(Deserialize, Schema)]
struct Page {
    number: u64,
}

/// Opens a page.
#[tool]
async fn open_page(args: ReadFile, page: Page) -> ToolResult<u64> {
    Ok(page.number + args.path.len() as u64)
}

fn main() {}
