use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[schema(additional_properties)]
#[serde(deny_unknown_fields)]
struct Page {
    number: u64,
}

fn main() {}
