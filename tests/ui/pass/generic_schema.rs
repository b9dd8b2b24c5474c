//! A type with parameters has a schema if they have.

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Paged<T, const SIZE: usize = 1>
where
    T: Clone,
{
    items: Vec<T>,
    next: Option<T>,
}

#[derive(Deserialize, Schema)]
struct Wrapper<T> {
    inner: T,
}

/// Counts.
#[tool]
async fn count(args: Paged<String, 3>) -> ToolResult<u64> {
    let _ = args.next;
    Ok(args.items.len() as u64)
}

/// Unwraps.
#[tool]
async fn unwrap(args: Wrapper<Wrapper<u64>>) -> ToolResult<u64> {
    Ok(args.inner.inner)
}

fn main() {}
