use dsh_tools::prelude::*;

/// Reads a file.
#[tool]
async fn read_file(
    /// Absolute file path.
    path: &str,
) -> ToolResult<String> {
    Ok(path.to_owned())
}

fn main() {}
