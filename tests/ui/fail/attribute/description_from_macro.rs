use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

#[doc = concat!("Reads ", "a file.")]
#[tool]
async fn read_file(args: ReadFile) -> ToolResult<String> {
    Ok(args.path)
}

fn main() {}
