use dsh_tools::prelude::*;

#[derive(Serialize, Deserialize, Schema)]
struct Page(#[serde(default, skip_serializing_if = "Option::is_none")] Option<u64>, #[serde(default)] u64);

fn main() {}
