use dsh_tools::prelude::*;

/// Answers.
#[tool]
const fn answer() -> u64 {
    42
}

fn main() {}
