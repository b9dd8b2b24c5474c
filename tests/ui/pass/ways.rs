//! A plain function, one that blocks, an async one.

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    number: u64,
}

/// Returns at once.
#[tool]
fn plain(args: Page, cx: &ToolContext) -> u64 {
    let _ = cx;
    args.number
}

/// Blocks.
#[tool(blocking)]
fn blocking(args: Page, cx: &ToolContext) -> ToolResult<u64> {
    let _ = cx;
    Ok(args.number)
}

/// Waits.
#[tool]
async fn waits(cx: &ToolContext, number: State<u64>) -> ToolResult<u64> {
    let _ = cx;
    std::future::ready(()).await;
    Ok(*number)
}

/// Is evaluated in constants too.
#[tool]
const fn constant(#[arg] number: u64) -> u64 {
    number
}

/// Takes nothing.
#[tool]
async fn nothing() {}

fn main() {}
