use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[schema(additional_properties)]
enum Target {
    Page { number: u64 },
}

fn main() {}
