//! Generated code gives no warning, also where the user's own code may not.
#![deny(warnings, missing_docs, unused, nonstandard_style, future_incompatible, rust_2018_idioms)]
#![deny(unreachable_pub, unused_qualifications, unused_lifetimes, unused_results)]
#![deny(single_use_lifetimes, trivial_casts, unnameable_types, let_underscore_drop)]
#![forbid(unsafe_code)]

use dsh_tools::prelude::*;

/// The arguments.
#[derive(Debug, Deserialize, Schema)]
pub struct Page {
    /// The page.
    #[schema(minimum = 1)]
    pub number: u64,
}

/// How fast.
#[derive(Debug, Deserialize, Schema)]
#[serde(rename_all = "snake_case")]
pub enum Speed {
    /// At once.
    FastLane,
    /// Some day.
    Slow,
}

/// Opens a page.
#[tool(timeout = "1s", parallel, tags("a"), annotations(read_only))]
pub async fn open_page(args: Page, cx: &ToolContext) -> ToolResult<u64> {
    let _ = cx;
    Ok(args.number)
}

/// Adds.
#[tool(blocking)]
fn add(#[arg] left: i64, #[arg(default)] right: i64, #[arg] _speed: Speed) -> i64 {
    left + right
}

/// Does nothing.
#[tool]
async fn nothing() {}

/// Does nothing any more.
#[tool]
#[deprecated]
#[must_use]
fn old() -> u64 {
    0
}

/// A shelf.
#[derive(Debug)]
pub struct Shelf<B> {
    /// A book.
    pub book: B,
}

#[tools(prefix = "shelf_")]
impl<B: Schema + Serialize + Clone> Shelf<B> {
    /// Opens a page.
    #[tool(parallel)]
    pub async fn open(&self, args: Page, cx: &ToolContext) -> ToolResult<u64> {
        let _ = (&self.book, cx);
        Ok(args.number)
    }

    /// Gives the book.
    #[tool(blocking)]
    fn book(&self, #[arg(default)] _speed: Option<Speed>) -> B {
        self.book.clone()
    }

    /// Does nothing any more.
    #[tool]
    #[deprecated]
    #[must_use]
    fn old(&self, #[arg] number: u64) -> u64 {
        number
    }
}

/// Is empty where the condition does not hold.
#[derive(Clone, Copy, Debug)]
pub struct Empty;

#[tools]
impl Empty {
    /// Is not there.
    #[cfg(any())]
    #[tool]
    fn absent(&self, #[arg] number: u64) -> u64 {
        number
    }
}

fn main() {}
