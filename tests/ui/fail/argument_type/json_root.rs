use dsh_tools::prelude::*;
use serde_json::Value;

/// Take anything.
#[tool]
async fn anything(args: Value) -> ToolResult<bool> {
    Ok(args.is_null())
}

fn main() {}
