//! Nothing is in scope.
#![no_implicit_prelude]

#[::core::prelude::v1::derive(::serde::Deserialize, ::dsh_tools::Schema)]
struct Page {
    number: u64,
}

/// Opens a page.
#[::dsh_tools::tool(timeout = "1s", parallel)]
async fn open_page(args: Page) -> ::dsh_tools::ToolResult<u64> {
    ::core::result::Result::Ok(args.number)
}

/// Adds.
#[::dsh_tools::tool(blocking)]
fn add(#[arg] left: i64, #[arg(default)] right: i64) -> i64 {
    left + right
}

struct Shelf;

#[::dsh_tools::tools]
impl Shelf {
    /// Opens a page.
    #[::dsh_tools::tool(parallel)]
    async fn open(&self, args: Page) -> ::dsh_tools::ToolResult<u64> {
        ::core::result::Result::Ok(args.number)
    }

    /// Adds.
    #[::dsh_tools::tool(blocking)]
    fn add(#[arg] left: i64, #[arg(default)] right: i64) -> i64 {
        left + right
    }
}

fn main() {}
