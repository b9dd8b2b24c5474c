use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

#[tool(description = " ")]
async fn read_file(args: ReadFile) -> ToolResult<String> {
    Ok(args.path)
}

fn main() {}
