use dsh_tools::prelude::*;

/// Waits.
#[tool]
async fn wait(#[arg] times: u64) -> ToolResult<u64> {
    Ok(tims)
}

fn main() {}
