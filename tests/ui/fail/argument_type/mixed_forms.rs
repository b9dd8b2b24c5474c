use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

/// Reads a file.
#[tool]
async fn read_file(args: ReadFile, #[arg] limit: u64) -> ToolResult<String> {
    Ok(args.path + &limit.to_string())
}

fn main() {}
