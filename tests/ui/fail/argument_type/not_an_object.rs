use dsh_tools::prelude::*;

/// Reads a file.
#[tool]
async fn read_file(path: String) -> ToolResult<String> {
    Ok(path)
}

fn main() {}
