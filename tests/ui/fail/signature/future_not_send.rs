use dsh_tools::prelude::*;

/// Waits.
#[tool]
async fn wait(#[arg] times: u64) -> ToolResult<u64> {
    let times = std::rc::Rc::new(times);
    std::future::ready(()).await;
    Ok(*times)
}

fn main() {}
