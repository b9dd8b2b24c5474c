//! The crate is reached through another one.

mod framework {
    pub mod inner {
        pub use dsh_tools as tools;
    }
}

use framework::inner::tools as short;
use short::prelude::{Deserialize, Schema, ToolResult, tool};

#[derive(Deserialize, Schema)]
#[schema(crate = crate::framework::inner::tools)]
struct Page {
    number: u64,
}

/// Opens a page.
#[tool(crate = crate::framework::inner::tools)]
async fn open_page(args: Page) -> ToolResult<u64> {
    Ok(args.number)
}

/// Adds.
#[tool(crate = "framework::inner::tools")]
fn add(#[arg] left: i64, #[arg(default)] right: i64) -> i64 {
    left + right
}

/// Subtracts.
#[tool(crate = short)]
fn subtract(#[arg] left: i64, #[arg(default)] right: i64) -> i64 {
    left - right
}

macro_rules! tools {
    ($krate:path) => {
        /// Multiplies.
        #[tool(crate = $krate)]
        fn multiply(#[arg] left: i64, #[arg] right: i64) -> i64 {
            left * right
        }
    };
}

tools!(crate::framework::inner::tools);

struct Shelf<T>(T);

#[short::tools(crate = crate::framework::inner::tools)]
impl<T: Schema + serde::de::DeserializeOwned + Send> Shelf<T> {
    /// Opens a page.
    #[tool]
    async fn open(&self, args: Page) -> ToolResult<u64> {
        Ok(args.number)
    }

    /// Counts.
    #[tool]
    fn count(&self, #[arg] values: Vec<T>) -> usize {
        values.len()
    }
}

fn main() {}
