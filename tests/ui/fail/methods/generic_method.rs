use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// Counts the files.
    #[tool]
    async fn count<T: Schema>(&self, args: T) -> u64 {
        drop(args);
        0
    }
}

fn main() {}
