//! Names of the prelude mean something else where the tool stands.
#![allow(dead_code, non_camel_case_types)]

use ::dsh_tools::{Schema, State, ToolContext, ToolResult, tool};

struct Option;
struct Result;
struct String;
struct Vec;
struct Box;
struct Some;
struct Ok;
struct Err;
struct None;
trait Send {}
trait From {}
trait Into {}
trait Default {}
mod std {}
mod core {}
mod serde {}
mod inventory {}

#[derive(::serde::Deserialize, Schema)]
struct Page {
    /// The page.
    #[schema(minimum = 1)]
    number: i64,
    title: ::std::option::Option<::std::string::String>,
}

#[derive(::serde::Deserialize, Schema)]
enum Speed {
    Some,
    None,
}

/// Opens a page.
#[tool(timeout = "1s", tags("a"), annotations(read_only))]
async fn open_page(args: Page, cx: &ToolContext, step: State<i64>) -> ToolResult<i64> {
    let _ = cx;
    ::std::result::Result::Ok(args.number + *step)
}

/// Adds.
#[tool]
fn add(#[arg] add: i64, #[arg(default)] __call: i64, #[schema(maximum = 1)] name: i64) -> i64 {
    add + __call + name
}

struct Arc;
struct Toolset;
trait Tools {}
trait Sync {}
mod dsh_tools {}

struct Shelf(i64);

#[::dsh_tools::tools]
impl Shelf {
    /// Opens a page.
    #[tool(timeout = "1s")]
    async fn open(&self, args: Page, cx: &ToolContext) -> ToolResult<i64> {
        let _ = cx;
        ::std::result::Result::Ok(self.0 + args.number)
    }

    /// Adds.
    #[tool]
    fn toolset(self: ::std::sync::Arc<Self>, #[arg] toolset: i64, #[arg] __owner: i64) -> i64 {
        self.0 + toolset + __owner
    }

    /// Adds.
    #[tool]
    fn definition(&self, #[arg(default)] __call: i64) -> i64 {
        self.0 + __call
    }
}

fn main() {}
