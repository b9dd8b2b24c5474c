//! Calls: errors, panics, cancellation, batches.

use std::time::Duration;

use dsh_tools::{Annotations, Batch, NativeExecutor, ToolCall, ToolDefinition, ToolRegistry};
use fixtures::{Note, Trace, code, constant, read};
use serde_json::json;
use tokio::time::{Instant, sleep};

fn executor(tool: ToolDefinition) -> NativeExecutor {
    let fine = constant("fine", json!("fine")).with_parallel(true);
    NativeExecutor::new(ToolRegistry::builder().tool(tool).tool(fine).build().unwrap())
}

#[tokio::test]
async fn case_35_wrong_arguments_are_a_result_that_a_model_reads() {
    let tool = ToolDefinition::typed("say", "Says.", |note: Note, _| async move { Ok(note.text) });
    let outcome = executor(tool).execute(Batch::new([ToolCall::new("1", "say", "{}")])).await;
    let result = outcome.results[0].result();
    assert!(result.is_error());
    assert_eq!(code(result), Some("INVALID_ARGS"));
}

#[tokio::test]
async fn case_36_a_panic_is_answered_and_the_next_call_works() {
    let tool = ToolDefinition::typed("at", "Gives an item.", |(): (), _| async {
        let items: Vec<u8> = vec![1];
        Ok(items[std::hint::black_box(7)])
    });
    // Arguments of type `()` are no object: such a tool cannot be registered.
    assert!(ToolRegistry::builder().tool(tool).build().is_err());

    let tool =
        ToolDefinition::from_fn("at", "Gives an item.", json!({"type": "object"}), |_, _| async {
            let items: Vec<u8> = vec![1];
            Ok(json!(items[std::hint::black_box(7)]))
        });
    let executor = executor(tool);
    for _ in 0..2 {
        let outcome = executor.execute(Batch::new([ToolCall::new("1", "at", "{}")])).await;
        assert_eq!(code(outcome.results[0].result()), Some("PANICKED"));
        assert!(!read(outcome.results[0].result()).contains("index"));
    }
}

#[tokio::test]
async fn case_37_a_broken_call_in_the_middle_leaves_no_gap() {
    let tool =
        ToolDefinition::from_fn("breaks", "Breaks.", json!({"type": "object"}), |_, _| async {
            panic!("no")
        });
    let batch = ["fine", "breaks", "fine"].map(|name| ToolCall::new(name, name, "{}"));
    let outcome = executor(tool.with_parallel(true)).execute(Batch::new(batch)).await;
    let ids: Vec<_> = outcome.results.iter().map(dsh_tools::Completed::call_id).collect();
    assert_eq!(ids, ["fine", "breaks", "fine"]);
}

#[tokio::test]
async fn case_39_garbage_never_runs_and_nothing_is_no_arguments() {
    let tool = ToolDefinition::typed("say", "Says.", |note: Note, _| async move { Ok(note.text) });
    let executor = executor(tool);
    for garbage in ["{\"a\":1", "null", "[]", "\"x\"", ""] {
        let outcome = executor.execute(Batch::new([ToolCall::new("1", "say", garbage)])).await;
        assert_eq!(code(outcome.results[0].result()), Some("INVALID_ARGS"), "{garbage}");
    }
}

/// A read-only tool that waits a second and moves a cursor on, which it shares with its other calls.
fn next_page(trace: &Trace) -> ToolDefinition {
    let trace = trace.clone();
    let read_only = Annotations { read_only: Some(true), ..Annotations::NONE };
    ToolDefinition::from_fn("next", "N.", json!({"type": "object"}), move |_, cx| {
        let trace = trace.clone();
        async move {
            trace.add(format!("{} in", cx.call_id()));
            sleep(Duration::from_secs(1)).await;
            trace.add(format!("{} out", cx.call_id()));
            Ok(json!(cx.call_id()))
        }
    })
    .with_annotations(read_only)
}

/// How long two calls take, and what they give.
async fn two_calls(tool: ToolDefinition) -> (Duration, Vec<String>) {
    let calls = ["1", "2"].map(|id| ToolCall::new(id, "next", "{}"));
    let started = Instant::now();
    let outcome = executor(tool).execute(Batch::new(calls)).await;
    let texts = outcome.results.iter().map(|completed| read(completed.result())).collect();
    (started.elapsed(), texts)
}

#[tokio::test(start_paused = true)]
async fn case_42_calls_overlap_where_the_tool_says_so_and_not_because_it_is_read_only() {
    let order = vec!["1".to_owned(), "2".to_owned()];

    let trace = Trace::default();
    let parallel = two_calls(next_page(&trace).with_parallel(true)).await;
    assert_eq!(parallel, (Duration::from_secs(1), order.clone()));
    assert_eq!(trace.lines()[..2], ["1 in", "2 in"]);

    let trace = Trace::default();
    let read_only = two_calls(next_page(&trace)).await;
    assert_eq!(read_only, (Duration::from_secs(2), order));
    assert_eq!(trace.lines(), ["1 in", "1 out", "2 in", "2 out"]);
}
