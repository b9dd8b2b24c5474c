//! A tool that is not compiled leaves nothing behind, wherever the condition stands.
#![deny(warnings)]

use dsh_tools::prelude::*;

/// Is not there.
#[cfg(any())]
#[tool]
async fn absent_before(args: NoSuchType) -> ToolResult<u64> {
    Ok(args.number)
}

/// Is not there.
#[tool]
#[cfg(any())]
async fn absent_after(args: NoSuchType) -> ToolResult<u64> {
    Ok(args.number)
}

/// Is not there.
#[tool]
#[cfg_attr(all(), inline, cfg(any()))]
async fn absent_by_attribute(args: NoSuchType) -> ToolResult<u64> {
    Ok(args.number)
}

/// Is there.
#[tool]
#[cfg(all())]
#[cfg_attr(all(), inline)]
async fn present(#[arg] number: u64) -> ToolResult<u64> {
    Ok(number)
}

#[derive(Deserialize, Schema)]
struct Page {
    #[cfg(any())]
    absent: NoSuchType,
    #[cfg_attr(all(), serde(default))]
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
    /// Is not there.
    #[cfg(any())]
    #[tool]
    async fn absent(&self, args: NoSuchType) -> ToolResult<u64> {
        Ok(args.number)
    }

    /// Is not there.
    #[tool]
    #[cfg_attr(all(), inline, cfg(any()))]
    async fn absent_by_attribute(&self, #[arg] number: NoSuchType) -> NoSuchType {
        number
    }

    /// Is there.
    #[tool]
    #[cfg(all())]
    #[cfg_attr(all(), inline)]
    async fn present(&self, #[arg] number: u64) -> ToolResult<u64> {
        Ok(number)
    }
}

#[tools]
#[cfg(any())]
impl NoSuchType {
    /// Is not there.
    #[tool]
    fn absent(&self) -> u64 {
        1
    }
}

fn main() {}
