use std::sync::Arc;

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Find<I> {
    id: I,
    #[schema(minimum = 9, maximum = 1)]
    limit: u64,
}

struct Files<I>(I);

#[tools]
impl<I> Files<I>
where
    I: serde::de::DeserializeOwned + Schema + Send + Sync + 'static,
{
    /// Finds a file.
    #[tool]
    async fn find(&self, args: Find<I>) -> u64 {
        args.limit
    }
}

fn main() {
    drop(Arc::new(Files(1_u8)).toolset());
}
