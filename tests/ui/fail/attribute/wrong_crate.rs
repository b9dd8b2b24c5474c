use dsh_tools::prelude::*;

/// Waits.
#[tool(crate = crate::no_such_module)]
async fn wait() -> ToolResult<u64> {
    Ok(1)
}

fn main() {}
