//! Types are asked what they are; how they are spelt does not matter.

use dsh_tools as dt;
use dsh_tools::prelude::{Deserialize, Schema, tool};

type Context = dt::ToolContext;
type ContextRef<'a> = &'a Context;
type Shared<T> = dt::State<T>;
type Counter = Shared<u64>;
type Outcome<T> = dt::ToolResult<T>;
type Maybe<T> = Option<T>;
type Arguments = Page;

#[derive(Deserialize, Schema)]
struct Page {
    number: Maybe<u64>,
}

/// Opens a page.
#[tool]
async fn open_page(args: Arguments, cx: ContextRef<'_>, counter: Counter) -> Outcome<Maybe<u64>> {
    let _ = (cx, *counter);
    Ok(args.number)
}

/// Has no arguments.
#[tool]
async fn count(cx: &Context, counter: Shared<u64>) -> Outcome<u64> {
    let _ = cx;
    Ok(*counter)
}

fn main() {}
