use dsh_tools::prelude::*;

struct Files<'a>(&'a [String]);

#[tools]
impl<'a> Files<'a> {
    /// Counts the files.
    #[tool]
    async fn count(&self) -> usize {
        self.0.len()
    }
}

fn main() {}
