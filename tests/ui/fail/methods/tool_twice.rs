use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// Counts the files.
    #[tool(parallel)]
    #[tool(timeout = "1s")]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {}
