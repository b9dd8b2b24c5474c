use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool]
async fn read_file(args: ReadFile, #[cfg(unix)] cx: &ToolContext) -> ToolResult<String> {
    let _ = cx;
    Ok(args.path)
}

fn main() {}
