use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(flatten)]
    #[schema(max_properties = 3)]
    more: std::collections::BTreeMap<String, u64>,
}

fn main() {}
