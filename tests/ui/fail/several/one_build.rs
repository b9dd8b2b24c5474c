use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct ReadFile {
    path: String,
}

// Every mistake of an item comes in one build.

#[tool(timout = "10s", grace = 2, parallel, parallel, annotations(read_only, destructive, idempotant))]
async unsafe fn read_file<T>(args: ReadFile, log: impl Fn(&str)) -> impl Serialize {
    log(&args.path);
    args.path
}

/// Adds two numbers.
#[tool(blocking, title = 7)]
async fn add(
    #[arg(minimum = 0)] left: &i64,
    #[schema(maximun = 9)]
    #[serde(flatten)]
    (right, rest): (i64, i64),
) -> ToolResult<i64> {
    Ok(left + right + rest)
}

#[derive(Deserialize, Schema)]
struct Page {
    #[schema(minimum = "1", maximun = 9)]
    number: u64,
    #[serde(skip_serializing)]
    total: u64,
}

#[derive(Deserialize, Schema)]
#[serde(tag = "kind")]
enum Target {
    All(),
    Page {
        #[schema(minimun = 1)]
        number: u64,
        #[serde(with = "decimal")]
        zoom: f64,
    },
    #[serde(other)]
    Nothing,
}

fn main() {}
