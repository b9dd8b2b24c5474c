use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

#[derive(Schema)]
struct Content {
    text: String,
}

/// Reads a file.
#[tool]
async fn read_file(args: ReadFile) -> ToolResult<Content> {
    Ok(Content { text: args.path })
}

fn main() {}
