use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    #[serde(deserialize_with = "number")]
    number: u64,
}

fn number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    u64::deserialize(from)
}

fn main() {}
