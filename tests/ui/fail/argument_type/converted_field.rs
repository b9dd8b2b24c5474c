use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(from = "u64")]
struct Page {
    #[schema(minimum = 1)]
    number: u64,
}

impl From<u64> for Page {
    fn from(number: u64) -> Page {
        Page { number }
    }
}

fn main() {}
