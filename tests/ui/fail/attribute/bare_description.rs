use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

#[tool("Reads a file.")]
/// Reads a file.
async fn read_file(args: ReadFile) -> ToolResult<String> {
    Ok(args.path)
}

fn main() {}
