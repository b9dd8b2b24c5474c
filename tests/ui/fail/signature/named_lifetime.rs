use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool]
async fn read_file<'a>(args: ReadFile, cx: &'a ToolContext) -> ToolResult<String> {
    let _ = cx;
    Ok(args.path)
}

fn main() {}
