use dsh_tools::prelude::*;

/// Reads a file.
#[tool]
pub struct Reader {
    path: String,
}

fn main() {}
