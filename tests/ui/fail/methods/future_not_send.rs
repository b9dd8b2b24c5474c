use dsh_tools::prelude::*;

struct Files;

#[tools]
impl Files {
    /// Waits.
    #[tool]
    async fn wait(&self, #[arg] times: u64) -> u64 {
        let times = std::rc::Rc::new(times);
        std::future::ready(()).await;
        *times
    }
}

fn main() {}
