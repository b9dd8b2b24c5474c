use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool]
async fn read_file(args: ReadFile, #[cfg(unix)] cx: &ToolContext) -> ToolResult<String> {
    Ok(args.path)
}

fn main() {}
