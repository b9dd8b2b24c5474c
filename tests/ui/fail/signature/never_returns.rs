use dsh_tools::prelude::*;

/// Waits.
#[tool]
async fn wait() -> ! {
    std::future::pending().await
}

fn main() {}
