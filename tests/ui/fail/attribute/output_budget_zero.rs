use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool(output_budget = 0)]
async fn read_file(args: ReadFile) -> ToolResult<String> {
    Ok(args.path)
}

fn main() {}
