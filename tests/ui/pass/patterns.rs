//! A parameter may be taken apart where it stands.

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    number: u64,
    title: String,
}

/// Opens a page.
#[tool]
async fn open_page(
    Page { number, mut title }: Page,
    _: &ToolContext,
    step: State<u64>,
) -> ToolResult<String> {
    title.push_str(&(number + *step).to_string());
    Ok(title)
}

fn main() {}
