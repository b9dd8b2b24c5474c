//! Programs in the engine: what they can do, and what hostile ones cannot.

use std::time::Duration;

use dsh_tools::ptc::{Budgets, PtcExecutor, QuickJs};
use dsh_tools::{
    Batch, CallOptions, CallResult, RegistryBuilder, ToolCall, ToolDefinition, ToolRegistry,
};
use fixtures::{Trace, note, read};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

fn budgets() -> Budgets {
    Budgets::default()
        .with_compute(Duration::from_millis(200))
        .with_wall(Duration::from_secs(5))
        .with_heap_bytes(16 << 20)
        .with_output_bytes(10_000)
}

fn registry(more: impl FnOnce(RegistryBuilder) -> RegistryBuilder) -> ToolRegistry {
    let executor = PtcExecutor::new(QuickJs::new()).with_budgets(budgets());
    more(ToolRegistry::builder().executor(executor)).build().unwrap()
}

async fn run_with(registry: &ToolRegistry, code: &str, options: CallOptions) -> CallResult {
    let arguments = json!({"description": "Run it", "code": code});
    let batch = Batch::new([ToolCall::new("c1", "run_code", arguments)]).with_options(options);
    registry.execute_batch(batch).await.unwrap().results.remove(0).into_result()
}

async fn run(registry: &ToolRegistry, code: &str) -> String {
    read(&run_with(registry, code, CallOptions::new()).await)
}

/// Runs a program, and then another one to see that the first left nothing behind.
async fn hostile(code: &str) -> String {
    let registry = registry(|builder| builder.tool(note(&Trace::default())));
    let text = run(&registry, code).await;
    let next = "return [await tools.note({text: 'fine'}), typeof spoiled, [1].map(n => n + 1)]";
    let next = run_with(&registry, next, CallOptions::new()).await;
    assert_eq!(next.value().unwrap()["result"], json!(["fine", "undefined", [2]]), "after: {code}");
    text
}

#[tokio::test]
async fn a_program_calls_tools_prints_and_returns() {
    let trace = Trace::default();
    let registry = registry(|builder| builder.tool(note(&trace)));
    let code = "
        const said = []
        for (const text of ['a', 'b']) said.push(await tools.note({ text }))
        const both = await Promise.all(['c', 'd'].map(text => tools.note({ text })))
        console.log('said', said.length, { both })
        return [...said, ...both]";
    assert_eq!(
        run(&registry, code).await,
        "said 2 {\"both\":[\"c\",\"d\"]}\n[\n  \"a\",\n  \"b\",\n  \"c\",\n  \"d\"\n]"
    );
    assert_eq!(trace.lines().len(), 4);
}

#[tokio::test]
async fn errors_point_into_the_program() {
    let registry = registry(|builder| builder);
    let text = run(&registry, "const a = 1\n  throw new TypeError('no ' + a)").await;
    assert!(text.starts_with("Error: code run failed (exception): TypeError: no 1\n"), "{text}");
    assert!(text.contains("program:2:"), "{text}");
    let text = run(&registry, "const a = 1\nconst b = = 2").await;
    assert!(text.contains("SyntaxError") && text.contains("program:2:"), "{text}");
    assert_eq!(run(&registry, "throw 'text'").await, "Error: code run failed (exception): text");
    let text = run(&registry, "throw { a: 1 }").await;
    assert!(text.ends_with("program threw an unrenderable value"), "{text}");
}

const BUSY: &str = "Error: code run failed (timeout): compute budget exhausted (200ms busy)";

#[tokio::test]
async fn a_loop_ends_with_its_time() {
    assert_eq!(hostile("for (;;) {}").await, BUSY);
}

#[tokio::test]
async fn a_loop_cannot_catch_its_end() {
    assert_eq!(hostile("for (;;) { try { for (;;) {} } catch {} }").await, BUSY);
}

#[tokio::test]
async fn a_loop_of_microtasks_ends_with_its_time() {
    assert_eq!(hostile("for (;;) await null").await, BUSY);
}

#[tokio::test]
async fn a_chain_of_promises_ends_with_its_time() {
    let code = "const again = () => Promise.resolve().then(again); await again()";
    let text = hostile(code).await;
    // The chain grows, so its time and its memory run out at about the same moment; where there is no
    // memory left for a job, nothing goes on until the wall clock ends it.
    let ends = ["timeout): compute", "worker-exit): out of memory", "timeout): wall-clock"];
    let ends = ends.map(|end| format!("Error: code run failed ({end}"));
    assert!(ends.iter().any(|end| text.starts_with(end)), "{text}");
}

#[tokio::test]
async fn a_regular_expression_ends_with_its_time() {
    assert_eq!(hostile("return /^(a+)+$/.test('a'.repeat(40) + 'b')").await, BUSY);
}

#[tokio::test(start_paused = true)]
async fn what_never_settles_ends_with_the_wall_clock() {
    let late = "Error: code run failed (timeout): wall-clock ceiling reached (5000ms)";
    assert_eq!(hostile("await new Promise(() => {})").await, late);
    assert_eq!(hostile("return { then() {} }").await, late);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spinning_program_ends_when_it_is_cancelled() {
    let executor = PtcExecutor::new(QuickJs::new());
    let registry = ToolRegistry::builder().executor(executor).build().unwrap();
    let token = CancellationToken::new();
    let options = CallOptions::new().with_cancellation(token.clone());
    let running = tokio::spawn(async move { run_with(&registry, "for (;;) {}", options).await });
    // The program is under way, or it ends before it begins: both have to end.
    std::thread::yield_now();
    token.cancel();
    let result = running.await.unwrap();
    assert!(result.is_error(), "{result:?}");
}

#[tokio::test]
async fn memory_bombs_end_the_program_and_not_the_host() {
    for code in [
        "const a = []; for (;;) a.push('x'.repeat(100000) + a.length)",
        "const a = []; for (;;) a.push(new Uint8Array(1000000))",
        "let a = []; for (;;) a = [a, a.slice(), new Array(1000).fill(a)]",
        "return 'x'.repeat(1 << 29)",
    ] {
        let text = hostile(code).await;
        assert!(
            text.starts_with("Error: code run failed (worker-exit): out of memory")
                || text.starts_with("Error: code run failed (exception):")
                || text.starts_with("Error: code run failed (timeout):"),
            "{code}: {text}"
        );
    }
    let deep = "const deeper = n => deeper(n + 1) + 1; return deeper(0)";
    let text = hostile(deep).await;
    assert!(text.starts_with("Error: code run failed (exception):"), "{text}");
}

#[tokio::test]
async fn floods_are_cut_at_the_limit_for_output() {
    let text = hostile("for (;;) console.log('x'.repeat(1000))").await;
    let limit =
        "Error: code run failed (output-limit): outer output exceeded 10000 bytes\nCaptured";
    assert!(text.starts_with(limit), "{text}");
    assert!(text.len() < 11_000);
    let text = hostile("return 'x'.repeat(20000)").await;
    assert_eq!(text, "Error: code run failed (output-limit): outer output exceeded 10000 bytes");
}

#[tokio::test]
async fn what_a_program_does_to_built_ins_changes_nothing_outside_of_it() {
    let tampered = "
        globalThis.spoiled = true
        Object.prototype.toJSON = () => 'forged'
        Array.prototype.push = () => { throw 1 }
        JSON.stringify = JSON.parse = () => 'forged'
        Object.defineProperty = Object.keys = () => { throw 2 }
        Error.prototype.toString = () => 'forged'
        const said = await tools.note({ text: 'hi' })
        try { await tools.note({ text: 1 }) } catch (error) {
            return [said, error instanceof ToolCallError, error.name, error.toolName]
        }";
    let text = hostile(tampered).await;
    assert_eq!(text, "[\n  \"hi\",\n  true,\n  \"ToolCallError\",\n  \"note\"\n]");
    let frozen = "try { 'use strict'; tools.note = 1 } catch (e) { return e.name }";
    assert_eq!(hostile(frozen).await, "TypeError");
}

#[tokio::test]
async fn arguments_that_are_no_json_never_reach_a_tool() {
    let trace = Trace::default();
    let registry = registry(|builder| builder.tool(note(&trace)));
    for argument in [
        "{ text: 10n }",
        "{ text: NaN }",
        "{ text: -0 }",
        "{ text: '\\ud800' }",
        "{ text: undefined }",
        "new Map()",
        "new (class Note { text = 'x' })()",
        "(() => { const a = {}; a.text = a; return a })()",
        "() => 1",
    ] {
        let code =
            format!("try {{ await tools.note({argument}) }} catch (e) {{ return e.message }}");
        let text = run(&registry, &code).await;
        assert_eq!(text, "binding arguments must be lossless JSON", "{argument}");
    }
    let getter =
        "try { await tools.note({ get text() { throw 1 } }) } catch (e) { return e.message }";
    assert_eq!(
        run(&registry, getter).await,
        "tool arguments must be lossless JSON: a getter threw"
    );
    assert!(trace.lines().is_empty(), "a body ran");
}

#[tokio::test]
async fn names_that_mean_something_to_the_language_are_ordinary_tools() {
    let named = |name: &'static str| {
        ToolDefinition::from_fn(
            name,
            "Names itself.",
            json!({"type": "object"}),
            move |_, _| async move { Ok(Value::from(name)) },
        )
    };
    let registry = registry(|b| {
        b.tool(named("__proto__")).tool(named("constructor")).tool(named("my-tool.x"))
    });
    let code = "return [await tools['__proto__']({}), await tools.constructor({}), \
                await tools['my-tool.x']({}), Object.keys(tools), typeof tools.toString]";
    let result = run_with(&registry, code, CallOptions::new()).await;
    assert_eq!(
        result.value().unwrap()["result"],
        json!([
            "__proto__",
            "constructor",
            "my-tool.x",
            ["__proto__", "constructor", "my-tool.x"],
            "undefined"
        ])
    );
}

#[tokio::test]
async fn ten_thousand_calls_may_be_open() {
    let executor = PtcExecutor::new(QuickJs::new());
    let registry = ToolRegistry::builder()
        .executor(executor)
        .tool(note(&Trace::default()).with_parallel(true))
        .build()
        .unwrap();
    let code = "const open = []
        for (let i = 0; i < 10000; i++) open.push(tools.note({ text: 'x' }))
        return (await Promise.all(open)).length";
    assert_eq!(run(&registry, code).await, "10000");
}
