use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(remote = "std::ops::RangeFull")]
struct Page;

fn main() {}
