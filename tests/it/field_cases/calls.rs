//! Calls: errors, panics, cancellation, batches, long results.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dsh_tools::outbound::{MemoryStore, OutputBudget};
use dsh_tools::{
    Annotations, Batch, CallOptions, ToolCall, ToolDefinition, ToolError, ToolRegistry,
};
use fixtures::{Note, code, constant, read, run_batch};
use serde_json::{Value, json};
use tokio::time::Instant;

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

fn budget() -> OutputBudget {
    OutputBudget::new(20_000).with_store(MemoryStore::new())
}

/// The text of a result, page by page, as its note says.
async fn read_on(registry: &ToolRegistry, note: &str) -> String {
    let (_, arguments) = note.split_once("call read_output with ").unwrap();
    let (arguments, _) = arguments.split_once(".]").unwrap();
    let mut arguments: Value = serde_json::from_str(arguments).unwrap();
    arguments["offset"] = json!(0);
    let mut all = String::new();
    loop {
        let call = ToolCall::new("r", "read_output", arguments.clone());
        let outcome = run_batch(registry, Batch::new([call])).await;
        let part = outcome.results[0].result().value().unwrap().clone();
        all += part["text"].as_str().unwrap();
        match part.get("next") {
            Some(next) => arguments["offset"] = next.clone(),
            None => return all,
        }
    }
}

#[tokio::test]
async fn case_44_the_error_on_the_last_line_of_a_long_output_is_read() {
    let record = json!({"id": 7, "state": "ok", "text": "x".repeat(60)});
    let json = json!(vec![record; 4_000]).to_string();
    let long = format!("{json}\nerror: the connection was lost");
    assert!(long.len() > 300_000);
    let failed = long.clone();
    let parameters = json!({"type": "object"});
    let fails = ToolDefinition::from_fn("fails", "Fails.", parameters, move |_, _| {
        let error = ToolError::new(failed.clone());
        async move { Err(error) }
    });
    let query = constant("query", json!(long));
    let builder = budget().mount(ToolRegistry::builder().tool(query).tool(fails));
    let registry = builder.build().unwrap();
    for (name, whole) in [("query", long.clone()), ("fails", format!("Error: {long}"))] {
        let outcome = run_batch(&registry, Batch::new([ToolCall::new("1", name, "{}")])).await;
        let text = read(outcome.results[0].result());
        assert!(text.len() <= 20_000, "{name}");
        assert!(text.ends_with("\nerror: the connection was lost"), "{name}");
        assert_eq!(read_on(&registry, &text).await, whole);
    }
}

#[tokio::test]
async fn case_49_nested_outputs_are_whole_and_the_outer_one_is_cut_once() {
    // 12 k tokens are some 48 kB.
    let page = "0123456789abcde\n".repeat(3_000);
    let registry = Arc::new(OnceLock::<ToolRegistry>::new());
    let called = Arc::clone(&registry);
    let program =
        ToolDefinition::from_fn("program", "Runs.", json!({"type": "object"}), move |_, cx| {
            let registry = called.get().unwrap().clone();
            async move {
                let calls = (0..4).map(|index| ToolCall::new(index.to_string(), "page", "{}"));
                let batch = Batch::new(calls).with_options(CallOptions::new().nested_in(&cx));
                let outcome = run_batch(&registry, batch).await;
                let pages = outcome.results.iter().map(|page| read(page.result()));
                Ok(json!(pages.collect::<String>()))
            }
        });
    let page_tool = constant("page", json!(page)).with_parallel(true).with_output_budget(5_000);
    let builder = ToolRegistry::builder().tool(program).tool(page_tool);
    registry.set(budget().mount(builder).build().unwrap()).unwrap();
    let registry = registry.get().unwrap();
    let outcome = run_batch(registry, Batch::new([ToolCall::new("1", "program", "{}")])).await;
    let result = outcome.results[0].result();
    let all = page.repeat(4);
    assert_eq!(result.value(), Some(&json!(all)));
    let text = read(result);
    assert!(text.len() <= 20_000);
    assert_eq!(text.matches("left out here").count(), 1);
    assert!(text.contains("of 192000 bytes"));
    assert_eq!(read_on(registry, &text).await, all);
}

#[tokio::test(start_paused = true)]
async fn case_42_only_a_tool_that_says_so_overlaps_and_the_order_stays() {
    let waits = |name: &'static str, parallel| {
        let body = move |_: Value, _| async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok(json!(name))
        };
        ToolDefinition::from_fn(name, "Waits.", json!({"type": "object"}), body)
            .with_annotations(Annotations { read_only: Some(true), ..Annotations::NONE })
            .with_parallel(parallel)
    };
    let registry = ToolRegistry::builder()
        .tool(waits("overlaps", true))
        // It only reads, and has a cursor that all its calls share.
        .tool(waits("next_page", false))
        .build()
        .unwrap();
    for (name, seconds) in [("overlaps", 1), ("next_page", 2)] {
        let started = Instant::now();
        let calls = ["1", "2"].map(|id| ToolCall::new(id, name, "{}"));
        let outcome = run_batch(&registry, Batch::new(calls)).await;
        assert_eq!(started.elapsed(), Duration::from_secs(seconds), "{name}");
        let ids: Vec<_> = outcome.results.iter().map(dsh_tools::Completed::call_id).collect();
        assert_eq!(ids, ["1", "2"]);
    }
}
