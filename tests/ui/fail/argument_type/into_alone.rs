use dsh_tools::prelude::*;

#[derive(Clone, Serialize, Deserialize, Schema)]
#[serde(into = "u64")]
struct Page {
    number: u64,
}

impl From<Page> for u64 {
    fn from(page: Page) -> u64 {
        page.number
    }
}

fn main() {}
