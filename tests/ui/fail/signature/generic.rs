use dsh_tools::prelude::*;

/// Reads a file.
#[tool]
async fn read_file<T: Schema>(args: T) -> ToolResult<()> {
    Ok(drop(args))
}

fn main() {}
