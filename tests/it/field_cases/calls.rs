//! Calls: errors, panics, cancellation, batches.

use dsh_tools::{Batch, ToolCall, ToolDefinition, ToolRegistry};
use fixtures::{Note, code, constant, read, run_batch};
use serde_json::json;

fn registry(tool: ToolDefinition) -> ToolRegistry {
    let fine = constant("fine", json!("fine")).with_parallel(true);
    ToolRegistry::builder().tool(tool).tool(fine).build().unwrap()
}

#[tokio::test]
async fn case_35_wrong_arguments_are_a_result_that_a_model_reads() {
    let tool = ToolDefinition::typed("say", "Says.", |note: Note, _| async move { Ok(note.text) });
    let outcome = run_batch(&registry(tool), Batch::new([ToolCall::new("1", "say", "{}")])).await;
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
    let registry = registry(tool);
    for _ in 0..2 {
        let outcome = run_batch(&registry, Batch::new([ToolCall::new("1", "at", "{}")])).await;
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
    let outcome = run_batch(&registry(tool.with_parallel(true)), Batch::new(batch)).await;
    let ids: Vec<_> = outcome.results.iter().map(dsh_tools::Completed::call_id).collect();
    assert_eq!(ids, ["fine", "breaks", "fine"]);
}

#[tokio::test]
async fn case_39_garbage_never_runs_and_nothing_is_no_arguments() {
    let tool = ToolDefinition::typed("say", "Says.", |note: Note, _| async move { Ok(note.text) });
    let registry = registry(tool);
    for garbage in ["{\"a\":1", "null", "[]", "\"x\"", ""] {
        let outcome = run_batch(&registry, Batch::new([ToolCall::new("1", "say", garbage)])).await;
        assert_eq!(code(outcome.results[0].result()), Some("INVALID_ARGS"), "{garbage}");
    }
}
