use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
#[serde(tag = "kind")]
enum Open {
    Path { path: String },
    Nothing,
}

/// Open something.
#[tool]
async fn open(args: Open) -> ToolResult<bool> {
    Ok(matches!(args, Open::Nothing))
}

fn main() {}
