//! Whatever a body may return.

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Page {
    number: u64,
}

#[derive(Serialize, Schema)]
struct Opened {
    number: u64,
}

/// Returns nothing.
#[tool]
async fn unit(_args: Page) {}

/// Returns a value.
#[tool]
async fn value(args: Page) -> Opened {
    Opened { number: args.number }
}

/// Returns a value or the library's error.
#[tool]
async fn tool_result(args: Page) -> ToolResult<Opened> {
    Ok(Opened { number: args.number })
}

/// Returns a value or an error of the standard library.
#[tool]
async fn std_result(_args: Page) -> Result<String, std::io::Error> {
    std::fs::read_to_string("nowhere")
}

/// Turns any error into the library's.
#[tool]
async fn question_mark(_args: Page) -> ToolResult<u64> {
    let text = std::fs::read_to_string("nowhere")?;
    Ok(text.trim().parse()?)
}

/// Returns a value or any error.
#[tool]
async fn anyhow_result(_args: Page) -> anyhow::Result<u64> {
    let text = std::fs::read_to_string("nowhere")?;
    Ok(text.trim().parse()?)
}

/// Returns a value or a boxed error.
#[tool]
async fn boxed_result(_args: Page) -> Result<u64, Box<dyn std::error::Error + Send + Sync>> {
    Ok("1".parse()?)
}

#[derive(Debug)]
struct Locked;

impl std::fmt::Display for Locked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the page is locked")
    }
}

impl std::error::Error for Locked {}

impl dsh_tools::CodedError for Locked {
    fn code(&self) -> &'static str {
        "LOCKED"
    }
}

/// Returns a value or an error with a code of its own.
#[tool]
async fn coded_result(args: Page) -> Result<u64, Locked> {
    if args.number == 0 { Err(Locked) } else { Ok(args.number) }
}

/// Returns a value or a text.
#[tool]
async fn text_result(_args: Page) -> Result<u64, String> {
    Err("closed".to_owned())
}

fn main() {}
