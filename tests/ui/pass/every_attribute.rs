//! Every key at once.

use dsh_tools::prelude::*;
use dsh_tools::view::{GenericCall, GenericResult, ResultRecord};

/// How fast.
#[derive(Deserialize, Schema)]
#[schema(title = "Speed", description = "How fast it goes.")]
#[serde(rename_all = "kebab-case")]
enum Speed {
    #[schema(description = "At once.")]
    FastLane,
    #[serde(rename = "some-day")]
    Slow,
}

/// Arguments.
#[derive(Deserialize, Schema)]
#[schema(title = "Page", description = "A page of a book.", crate = ::dsh_tools)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Page {
    #[schema(title = "Number", description = "The page.", minimum = 1, maximum = 1_000)]
    page_number: u64,
    #[schema(exclusive_minimum = -1.5, exclusive_maximum = 1e3, multiple_of = 0.5)]
    zoom: f64,
    #[schema(min_length = 1, max_length = 80, pattern = "^[a-z]+$", format = "hostname")]
    #[schema(default = "a", example = "b", example = "c")]
    r#type: String,
    #[schema(min_items = 0, max_items = 3, unique_items, default = [])]
    #[serde(rename = "labels", skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    speed: Option<Speed>,
    #[serde(skip)]
    cache: u64,
    #[serde(alias = "old")]
    #[schema(deprecated, min_properties = 1, max_properties = 2)]
    map: std::collections::BTreeMap<String, u64>,
    #[schema(with = Vec<(u64, Option<bool>)>, recursive)]
    list: Vec<(u64, Option<bool>)>,
}

/// Arguments that know more.
#[derive(Deserialize, Schema)]
#[schema(additional_properties, deprecated)]
struct Open {
    number: u64,
}

/// Opens more.
#[tool]
async fn open_more(args: Open) -> ToolResult<u64> {
    Ok(args.number)
}

impl Default for Page {
    fn default() -> Self {
        let r#type = "a".into();
        let (map, list) = Default::default();
        Page { page_number: 1, zoom: 1.0, r#type, tags: Vec::new(), speed: None, cache: 0, map, list }
    }
}

#[tool(
    name = "open.page",
    title = "Open a page",
    description = "Opens a page of a book.",
    timeout = "1.5s",
    grace = "250ms",
    output_budget = 20_000,
    parallel = true,
    annotations(read_only, destructive = false, idempotent = true, open_world),
    tags("book", "page"),
    render = |text: &String| format!("page {text}"),
    meta = |page: &Page, text: &String| (page.page_number, text.len()),
    project = |_, _| Ok(None),
    finalize = |_, _| Ok(None),
    call_view = |page: &Page| Some(GenericCall::new(format!("Page {}", page.page_number))),
    result_view = result_view,
    when = always,
    defer_loading,
    register = false,
    name_rule = "mcp",
    crate = ::dsh_tools
)]
async fn open_page(args: Page, cx: &ToolContext) -> ToolResult<String> {
    let _ = (cx, args.zoom, args.tags, args.speed, args.cache, args.map, args.list);
    Ok(format!("{}{}", args.r#type, args.page_number))
}

fn result_view(_: &Page, result: ResultRecord<'_>) -> Option<GenericResult> {
    (!result.is_error()).then(GenericResult::default)
}

async fn always(_: dsh_tools::hooks::ConditionContext) -> ToolResult<bool> {
    Ok(true)
}

/// Opens a page, in parallel if it is not the first.
#[tool(parallel = |args| args.page_number > 1, tags = ["book"])]
async fn turn(args: Page) -> ToolResult<u64> {
    Ok(args.page_number)
}

fn by_number(args: &Page) -> bool {
    args.page_number > 1
}

/// Opens a page, in parallel if it is not the first.
#[tool(parallel = by_number)]
async fn turn_by_name(args: Page) -> ToolResult<u64> {
    Ok(args.page_number)
}

/// Closes a page.
#[tool(blocking, parallel = |args| args.number > 1)]
fn close(#[arg(name = "page", default)] number: u64, #[arg(default = one)] times: u64) -> u64 {
    number * times
}

/// Shows a page.
#[tool(render = shown)]
async fn show(args: Page) -> ToolResult<u64> {
    Ok(args.page_number)
}

fn shown(args: &Page, number: &u64) -> String {
    format!("{} {number}", args.r#type)
}

fn one() -> u64 {
    1
}

fn main() {}
