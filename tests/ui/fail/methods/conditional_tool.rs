use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// Counts the files.
    #[cfg_attr(unix, tool(parallel))]
    async fn count(&self) -> u64 {
        0
    }
}

fn main() {}
