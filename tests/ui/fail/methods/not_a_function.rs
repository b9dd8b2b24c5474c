use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// How many there may be.
    #[tool]
    const LIMIT: u64 = if true { 1 } else { 2 };
}

fn main() {}
