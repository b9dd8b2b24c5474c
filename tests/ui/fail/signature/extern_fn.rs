use dsh_tools::prelude::*;

/// Answers.
#[tool]
extern "C" fn answer() -> u64 {
    42
}

fn main() {}
