use dsh_tools::prelude::*;

/// Adds two numbers.
#[tool]
async fn add(#[arg] (left, right): (i64, i64)) -> ToolResult<i64> {
    Ok(left + right)
}

fn main() {}
