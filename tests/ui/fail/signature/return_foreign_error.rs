use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

struct Broken;

/// Reads a file.
#[tool]
async fn read_file(args: ReadFile) -> Result<String, Broken> {
    drop(args);
    Err(Broken)
}

fn main() {}
