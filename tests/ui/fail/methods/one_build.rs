use std::sync::Arc;

use dsh_tools::prelude::*;

struct Files;

// Every mistake of a block comes in one build, and whoever mounts it adds none.

#[tools(prefix = 7)]
impl Files {
    const KIND: &'static str = "files";

    /// Counts the files.
    #[tool(timeout = 10)]
    async fn count(&mut self, #[schema(minimun = 1)] limit: u64) -> u64 {
        limit
    }

    #[tool(parallel, register)]
    async fn list<'a>(&'a self, #[arg] kind: &'a str) -> String {
        format!("{kind} {}", Self::KIND)
    }

    /// Is fine, and is no tool for the mistakes of others.
    #[tool]
    async fn clear(&self, #[arg] all: bool) -> bool {
        all
    }
}

fn main() {
    let mut files = Files;
    drop(files.count(1));
    drop(files.list("a"));
    drop(ToolRegistry::builder().toolset(Arc::new(files)).build());
}
