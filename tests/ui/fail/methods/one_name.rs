use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// Counts the files.
    #[tool]
    async fn count(&self) -> u64 {
        0
    }

    /// Counts the directories.
    #[tool(name = "count")]
    async fn count_directories(&self) -> u64 {
        0
    }
}

fn main() {}
