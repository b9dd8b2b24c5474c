use dsh_tools::prelude::*;

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(from = "u64", into = "i64")]
struct Page {
    number: u64,
}

impl From<u64> for Page {
    fn from(number: u64) -> Page {
        Page { number }
    }
}

impl From<Page> for i64 {
    fn from(_: Page) -> i64 {
        0
    }
}

fn main() {}
