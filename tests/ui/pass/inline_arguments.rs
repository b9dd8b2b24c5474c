//! Arguments in the signature, with all that a field may have.

use dsh_tools::prelude::*;

/// Searches files.
#[tool]
async fn search(
    /// What to look for,
    /// as a regular expression.
    pattern: String,
    cx: &ToolContext,
    /// Where to look.
    #[arg(name = "dir", default)]
    mut directory: String,
    /** At most so many. */
    #[schema(minimum = 1, maximum = 100)]
    limit: Option<u64>,
    prefix: State<String>,
    #[serde(default)] r#type: Vec<String>,
    #[arg] search: bool,
) -> ToolResult<String> {
    let _ = (cx, limit, r#type, search);
    directory.push_str(&pattern);
    Ok(format!("{}{directory}", *prefix))
}

fn main() {}
