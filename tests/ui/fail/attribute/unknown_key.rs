use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool(timout = "10s")]
async fn read_file(args: ReadFile) -> ToolResult<String> {
    Ok(args.path)
}

fn main() {}
