use dsh_tools::prelude::*;

/// Counts the files.
#[tools]
async fn count() -> u64 {
    0
}

fn main() {}
