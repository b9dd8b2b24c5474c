use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool]
async fn read_file(args: ReadFile, log: impl Fn(&str)) -> ToolResult<String> {
    log(&args.path);
    Ok(args.path)
}

fn main() {}
