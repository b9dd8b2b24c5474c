use std::sync::Arc;

use dsh_tools::prelude::*;

struct Files;

fn main() {
    drop(ToolRegistry::builder().toolset(Arc::new(Files)));
}
