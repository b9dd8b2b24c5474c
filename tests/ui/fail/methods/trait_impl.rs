use dsh_tools::prelude::*;

struct Files;

trait Count {
    fn count(&self) -> u64;
}

#[tools]
impl Count for Files {
    /// Counts the files.
    #[tool]
    fn count(&self) -> u64 {
        0
    }
}

fn main() {}
