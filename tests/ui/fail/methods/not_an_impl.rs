use dsh_tools::prelude::*;

/// Counts the files.
#[tools]
struct Files;

fn main() {}
