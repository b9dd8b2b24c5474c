use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// Counts the files.
    #[tool]
    async unsafe fn count(&self) -> u64 {
        0
    }
}

fn main() {}
