//! What `#[tool]` makes of a function.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use dsh_tools::hooks::{ConditionContext, ModelSelection};
use dsh_tools::prelude::*;
use dsh_tools::view::GenericCall;
use dsh_tools::{
    CallOptions, CallResult, CodedError, ContentBlock, Execution, FromContext, Parameters, Step,
    ToolCall,
};
use fixtures::{code, read};
use serde_json::{Value, json};

async fn call<F: 'static>(function: F, arguments: Value) -> CallResult {
    let definition = ToolDefinition::of(function).unwrap();
    let name = definition.name().to_owned();
    let registry =
        ToolRegistry::builder().tool(definition).state(Prefix("> ".into())).build().unwrap();
    let options = CallOptions::new().with_scope(&registry.scope("ann"));
    registry.execute(ToolCall::new("c1", name, arguments), options).await.into_result()
}

struct Prefix(String);

/// What to say.
#[derive(Debug, Deserialize, Schema)]
struct Say {
    /// The text.
    text: String,
    /// How often.
    times: Option<u8>,
}

/// Say a text
/// with a prefix.
///
/// More about it.
#[tool(
    title = "Say",
    timeout = "1.5s",
    grace = "250ms",
    parallel,
    annotations(read_only, open_world = false),
    tags("speech", "demo"),
    register = false
)]
async fn say_it(args: Say, prefix: State<Prefix>, cx: &ToolContext) -> ToolResult<String> {
    tokio::task::yield_now().await;
    Ok(format!("{}{}{}", prefix.0, args.text.repeat(args.times.unwrap_or(1).into()), cx.call_id()))
}

#[tokio::test]
async fn attributes_become_the_definition() {
    let tool = ToolDefinition::of(say_it).unwrap();
    assert_eq!((tool.name(), tool.title()), ("say_it", Some("Say")));
    assert_eq!(tool.description(), "Say a text with a prefix.\n\nMore about it.");
    assert_eq!(tool.timeout(), Some(Duration::from_millis(1500)));
    assert_eq!(tool.grace(), Some(Duration::from_millis(250)));
    assert!(tool.annotations().is_read_only() && !tool.annotations().is_open_world());
    assert_eq!(tool.tags().collect::<Vec<_>>(), ["speech", "demo"]);
    assert!(tool.is_parallel(&"{}".into()));
    assert!(matches!(tool.parameters(), Parameters::Constant(schema) if *schema == Say::SCHEMA));
    assert_eq!(tool.needs().len(), 1);
    let origin = tool.origin().unwrap();
    assert!(origin.file.ends_with("tool.rs") && origin.module.ends_with("::tool"));
}

#[tokio::test]
async fn a_body_gets_arguments_state_and_context() {
    let result = call(say_it, json!({"text": "hi ", "times": 2})).await;
    assert_eq!(read(&result), "> hi hi c1");
    assert_eq!(result.value(), Some(&json!("> hi hi c1")));
}

#[tokio::test]
async fn a_tool_is_still_a_function() {
    assert_eq!(area(3, 4), 12);
}

/// The area of a rectangle.
#[tool(register = false, name = "rectangle-area")]
fn area(
    /// The width.
    width: u32,
    #[arg(name = "h")] height: u32,
) -> u32 {
    width * height
}

#[tokio::test]
async fn arguments_can_be_listed_one_by_one() {
    let tool = ToolDefinition::of(area).unwrap();
    assert_eq!(tool.name(), "rectangle-area");
    assert_eq!(
        tool.parameters().to_json()["properties"]["width"]["description"],
        json!("The width.")
    );
    assert_eq!(read(&call(area, json!({"width": 3, "h": 5})).await), "15");
    assert_eq!(
        read(&call(area, json!({"width": "3"})).await),
        "Error: invalid arguments: missing required property \"h\", an integer; \
         \"width\" must be an integer, got a string"
    );
}

/// Arguments between what the call gives.
#[tool(register = false)]
async fn mixed(
    cx: &ToolContext,
    #[arg(default)] left: u8,
    prefix: State<Prefix>,
    #[schema(maximum = 9)] right: Option<u8>,
) -> String {
    format!("{}{left}{right:?}{}", prefix.0, cx.tool_name())
}

#[tokio::test]
async fn inline_arguments_and_the_call_may_be_in_any_order() {
    assert_eq!(read(&call(mixed, json!({"right": 2})).await), "> 0Some(2)mixed");
    assert_eq!(
        read(&call(mixed, json!({"right": 10})).await),
        "Error: invalid arguments: \"right\" must be at most 9"
    );
}

#[derive(Debug)]
enum Trouble {
    Busy,
    Gone,
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("trouble")
    }
}

impl std::error::Error for Trouble {}

impl CodedError for Trouble {
    fn code(&self) -> &'static str {
        match self {
            Self::Busy => "BUSY",
            Self::Gone => "GONE",
        }
    }
}

/// Fails with an error of its own.
#[tool(register = false)]
fn own_error(#[arg] busy: bool) -> Result<String, Trouble> {
    Err(if busy { Trouble::Busy } else { Trouble::Gone })
}

/// Fails with a std error.
#[tool(register = false)]
fn std_error(#[arg] number: String) -> Result<u8, std::num::ParseIntError> {
    number.parse()
}

/// Fails with anyhow.
#[tool(register = false)]
async fn anyhow_error() -> anyhow::Result<u8> {
    use anyhow::Context as _;
    "x".parse::<u8>().context("cannot read the number")
}

/// Fails with a text.
#[tool(register = false)]
fn text_error() -> Result<u8, &'static str> {
    Err("no such thing")
}

/// Fails with several.
#[tool(register = false)]
fn question_marks(#[arg] which: u8) -> ToolResult<u8> {
    match which {
        0 => Ok("x".parse::<u8>()?),
        1 => Err(anyhow::anyhow!("from anyhow"))?,
        2 => Err("from text")?,
        _ => own_error(true).map(|_| 0).map_err(ToolError::coded),
    }
}

#[tokio::test]
async fn every_error_that_converts_is_a_result() {
    #[track_caller]
    fn check(result: &CallResult, text: &str, expected: Option<&str>) {
        assert!(result.is_error());
        assert_eq!(read(result), format!("Error: {text}"));
        assert_eq!(code(result), expected);
    }
    check(&call(own_error, json!({"busy": true})).await, "trouble", Some("BUSY"));
    check(&call(own_error, json!({"busy": false})).await, "trouble", Some("GONE"));
    let digits = "invalid digit found in string";
    check(&call(std_error, json!({"number": "x"})).await, digits, None);
    let chained = format!("cannot read the number: {digits}");
    check(&call(anyhow_error, json!({})).await, &chained, None);
    check(&call(text_error, json!({})).await, "no such thing", None);
    check(&call(question_marks, json!({"which": 0})).await, digits, None);
    check(&call(question_marks, json!({"which": 1})).await, "from anyhow", None);
    check(&call(question_marks, json!({"which": 2})).await, "from text", None);
    check(&call(question_marks, json!({"which": 3})).await, "trouble", Some("BUSY"));
}

/// Where it runs.
#[tool(register = false, blocking)]
fn on_pool(cx: &ToolContext) -> String {
    assert_eq!(cx.tool_name(), "on_pool");
    thread::current().name().unwrap_or_default().to_owned()
}

/// Breaks on the pool.
#[tool(register = false, blocking)]
fn breaks_on_pool() -> u8 {
    panic!("on the pool")
}

#[tokio::test]
async fn a_blocking_body_runs_on_another_thread() {
    let here = thread::current().name().unwrap_or_default().to_owned();
    let there = read(&call(on_pool, json!({})).await);
    assert_ne!(there, here);
    assert_eq!(code(&call(breaks_on_pool, json!({})).await), Some("PANICKED"));
}

/// What was found.
#[derive(Serialize, Deserialize, Schema)]
struct Found {
    lines: Vec<String>,
}

fn show(args: &Say, found: &Found) -> String {
    format!("{} in {} lines", args.text, found.lines.len())
}

/// Rendered from both.
#[tool(register = false, render = show)]
fn rendered(args: Say) -> Found {
    Found { lines: vec![args.text; 3] }
}

/// Rendered from the value.
#[tool(register = false, render = |found: &Found| vec![
    ContentBlock::text(found.lines.join("+")),
    ContentBlock::text("end"),
])]
fn rendered_blocks() -> Found {
    Found { lines: vec!["a".into(), "b".into()] }
}

#[tokio::test]
async fn a_tool_may_render_what_a_model_reads() {
    let result = call(rendered, json!({"text": "x"})).await;
    assert_eq!(read(&result), "x in 3 lines");
    assert_eq!(result.value(), Some(&json!({"lines": ["x", "x", "x"]})));
    let result = call(rendered_blocks, json!({})).await;
    assert_eq!(result.content().blocks().len(), 2);
    assert_eq!(read(&result), "a+b\nend");
}

#[tokio::test]
async fn without_a_renderer_values_are_compact_json() {
    /// Gives a struct.
    #[tool(register = false)]
    fn plain() -> Found {
        Found { lines: vec!["a".into()] }
    }
    /// Gives nothing.
    #[tool(register = false)]
    fn nothing() {}

    assert_eq!(read(&call(plain, json!({})).await), r#"{"lines":["a"]}"#);
    assert_eq!(read(&call(nothing, json!({})).await), "null");
}

/// Overlaps when it only looks.
#[tool(register = false, parallel = |args: &Say| args.times.is_none())]
fn sometimes_parallel(args: Say) -> String {
    args.text
}

#[test]
fn a_classifier_decides_by_the_arguments() {
    let tool = ToolDefinition::of(sometimes_parallel).unwrap();
    assert!(tool.is_parallel(&json!({"text": "x"}).into()));
    assert!(!tool.is_parallel(&json!({"text": "x", "times": 2}).into()));
    assert!(!tool.is_parallel(&json!({"txt": "x"}).into()));
    assert!(!tool.is_parallel(&"no json".into()));
}

struct Caller(Option<String>);

impl FromContext<'_> for Caller {
    fn from_context(cx: &ToolContext) -> ToolResult<Self> {
        Ok(Self(cx.agent().map(str::to_owned)))
    }
}

type Cx<'a> = &'a ToolContext;
type Shared<T> = State<T>;

/// Takes everything through aliases and a type of its own.
#[tool(register = false)]
fn aliased(caller: Caller, cx: Cx<'_>, prefix: Shared<Prefix>, shared: State<Prefix>) -> String {
    assert!(Arc::ptr_eq(&prefix.clone().into_inner(), &shared.into_inner()));
    format!("{} {} {}", caller.0.unwrap_or_default(), cx.root_call_id(), prefix.0)
}

#[tokio::test]
async fn what_a_parameter_is_is_decided_by_traits() {
    assert_eq!(read(&call(aliased, json!({})).await), "ann c1 > ");
}

#[tokio::test]
async fn deferred_context_and_conclusion_belong_to_the_call() {
    /// Ends the turn.
    #[tool(register = false)]
    fn finish(#[arg] fail: bool, cx: &ToolContext) -> ToolResult<u8> {
        cx.defer_context("remember this");
        cx.conclude_turn();
        if fail { Err("failed")? } else { Ok(1) }
    }

    let result = call(finish, json!({"fail": false})).await;
    assert!(result.concludes_turn());
    assert_eq!(result.contexts()[0].content.to_string(), "remember this");
    let result = call(finish, json!({"fail": true})).await;
    assert!(result.is_error() && !result.concludes_turn());
    assert_eq!(result.contexts().len(), 1);
}

#[derive(Deserialize, Schema)]
struct Page {
    number: u32,
}

#[derive(Serialize, Deserialize, Schema)]
struct Text {
    text: String,
}

/// Opens a page.
#[tool(
    register = false,
    render = |text: &Text| text.text.clone(),
    meta = |page: &Page, text: &Text| (page.number, text.text.len()),
    project = |_: &Execution, result: &CallResult| Ok(Some(format!("{}!", result.content()).into())),
    finalize = shout,
    call_view = |page: &Page| Some(GenericCall::new(format!("Page {}", page.number))),
    when = with_large_models,
    output_budget = 2_000,
    defer_loading,
)]
fn open_page(page: Page) -> Text {
    Text { text: format!("page {}", page.number) }
}

fn shout(_: &Execution, result: &CallResult) -> ToolResult<Option<Content>> {
    match result.content().to_string() {
        text if text.is_empty() => Err(ToolError::new("there is nothing to shout")),
        text => Ok(Some(text.to_uppercase().into())),
    }
}

async fn with_large_models(cx: ConditionContext) -> ToolResult<bool> {
    Ok(cx.model().model.contains("large"))
}

#[tokio::test]
async fn callbacks_and_conditions_are_attributes_too() {
    let registry = ToolRegistry::builder().function(open_page).build().unwrap();
    assert_eq!(registry.schemas()[0]["deferLoading"], true);
    let step =
        |model: &str| Step::new(ModelSelection { model: model.into(), ..Default::default() });
    assert!(registry.resolve(step("small")).await.unwrap().definitions().is_empty());
    let set = registry.resolve(step("large")).await.unwrap();
    let options = CallOptions::new().with_tool_set(&set);
    let call = ToolCall::new("c1", "open_page", r#"{"number": 7}"#);
    let completed = registry.execute(call, options).await;
    assert_eq!(completed.result().content().to_string(), "PAGE 7!");
    assert_eq!(completed.result().meta(), Some(&json!([7, 6])));
    let tool = registry.get("open_page").unwrap();
    assert_eq!(tool.output_budget(), Some(2_000));
    let view = tool.call_view(&json!({"number": 7}));
    assert_eq!(serde_json::to_value(view).unwrap(), json!({"card": "generic", "title": "Page 7"}));
}
