//! Tools and types may stand in a function.

use dsh_tools::prelude::*;

fn main() {
    #[derive(Deserialize, Schema)]
    struct Page {
        number: u64,
    }

    /// Opens a page.
    #[tool]
    async fn open_page(args: Page) -> ToolResult<u64> {
        Ok(args.number)
    }

    struct Shelf;

    #[tools]
    impl Shelf {
        /// Opens a page.
        #[tool]
        async fn open(&self, args: Page) -> ToolResult<u64> {
            Ok(args.number)
        }
    }

    let _closure = || {
        /// Adds.
        #[tool]
        fn add(#[arg] left: i64, #[arg] right: i64) -> i64 {
            left + right
        }
    };
}
