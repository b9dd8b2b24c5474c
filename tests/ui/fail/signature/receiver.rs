use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

struct Files;

impl Files {
    /// Reads a file.
    #[tool]
    async fn read_file(&self, args: ReadFile) -> ToolResult<String> {
        Ok(args.path)
    }
}

fn main() {}
