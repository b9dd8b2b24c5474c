//! What is cut, where, and what is not.

use dsh_tools::outbound::OutputBudget;
use dsh_tools::{ContentBlock, Stage, ToolDefinition, ToolError};
use fixtures::{code, read};
use serde_json::{Value, json};

use super::{Outer, call, gives, lines, registry, size, under};

fn fails(message: impl Into<String>) -> ToolDefinition {
    let message = message.into();
    ToolDefinition::from_fn("t", "Fails.", json!({"type": "object"}), move |_, _| {
        let error = ToolError::new(message.clone()).with_code("BROKEN");
        async move { Err(error) }
    })
}

#[tokio::test]
async fn what_fits_goes_out_as_it_is() {
    let text = lines(50);
    let registry = registry(gives(&*text), |b| OutputBudget::new(500).mount(b));
    let completed = call(&registry).await;
    assert_eq!(read(completed.result()), text);
    let last = completed.record().steps().last().unwrap();
    assert_eq!(
        (last.stage, &*last.by, &*last.decision),
        (Stage::Outbound, "output budget", "unchanged")
    );
}

#[tokio::test]
async fn of_what_does_not_fit_head_and_tail_stay_with_a_note_between() {
    let result = under(OutputBudget::new(500), gives(lines(1000))).await;
    let all = lines(1000);
    let (head, tail) = (lines(21), all.split_at(9780).1);
    let note = "[9570 of 10000 bytes (957 lines) are left out here.]\n";
    assert_eq!(read(&result), format!("{head}{note}{tail}"));
    assert_eq!(result.value(), Some(&Value::from(&*all)), "programs get the whole");
}

#[tokio::test]
async fn one_long_line_is_cut_within() {
    let text = format!("<{}>", "é".repeat(5_000));
    let result = under(OutputBudget::new(500), gives(&*text)).await;
    let read = read(&result);
    let [head, note, tail] = &*read.lines().collect::<Vec<_>>() else { panic!("{read}") };
    assert!(text.starts_with(head) && text.ends_with(tail) && read.len() <= 500);
    assert!(head.len() > 200 && tail.len() > 200, "{read}");
    assert!(note.contains("of 10002 bytes (1 line) are left out here.]"), "{note}");
}

#[tokio::test]
async fn the_smaller_of_what_tool_and_host_say_holds() {
    let declares = |bytes| gives(lines(1000)).with_output_budget(bytes);
    for (budget, tool, most) in [
        (OutputBudget::new(2_000), declares(1_000), 1_000),
        (OutputBudget::new(1_000), declares(2_000), 1_000),
        (OutputBudget::declared(), declares(1_000), 1_000),
        (OutputBudget::declared(), gives(lines(1000)), 10_000),
        (OutputBudget::new(1), gives(lines(1000)), 500),
        (OutputBudget::declared(), declares(1), 500),
    ] {
        let size = size(&under(budget.clone(), tool).await);
        assert!(size <= most && size > most / 2, "{size} under {budget:?}");
    }
}

#[tokio::test]
async fn what_a_tool_declares_alone_enforces_nothing() {
    let registry = registry(gives(lines(1000)).with_output_budget(500), |builder| builder);
    assert_eq!(size(call(&registry).await.result()), 10_000);
}

#[test]
fn a_budget_of_zero_is_refused_when_the_tool_is_registered() {
    let tool = gives("x").with_output_budget(0);
    let error = dsh_tools::ToolRegistry::builder().tool(tool).build().unwrap_err();
    assert!(error.to_string().contains("the output budget is zero"), "{error}");
}

#[tokio::test]
async fn what_finalizers_and_hooks_add_counts() {
    let tool = gives("short").with_finalize_content(|_, _| Ok(Some(lines(1000).into())));
    assert!(size(&under(OutputBudget::new(500), tool).await) <= 500);

    let signs = dsh_tools::hooks::outbound_fn(|_, result| {
        Box::pin(async move { Ok(Some(result.clone().with_content(lines(1000)))) })
    });
    let registry =
        registry(gives("short"), |b| OutputBudget::new(500).mount(b).outbound("signs", signs));
    assert!(size(call(&registry).await.result()) <= 500);
}

#[tokio::test]
async fn a_failure_is_whole_where_a_success_would_be_cut() {
    let message = lines(1500);
    let result = under(OutputBudget::new(500), fails(&*message)).await;
    assert_eq!(read(&result), format!("Error: {message}"));

    let budget = OutputBudget::new(500).with_error_bytes(1_000);
    let result = under(budget, fails(&*message)).await;
    let text = read(&result);
    assert!(text.len() <= 1_000 && text.starts_with("Error: line 0000"), "{text}");
    assert!(text.ends_with("line 1499\n"));
    assert_eq!(result.error().unwrap().message(), message, "the error itself is never cut");
    assert_eq!(code(&result), Some("BROKEN"));
}

#[tokio::test]
async fn the_message_of_a_failure_is_told_wherever_it_stands() {
    for (before, after) in [(0, 1000), (500, 500), (1000, 0)] {
        let tool = fails("disk full").with_finalize_content(move |_, result| {
            let message = result.error().unwrap().message();
            Ok(Some(format!("{}{message}\n{}", lines(before), lines(after)).into()))
        });
        let result = under(OutputBudget::new(500).with_error_bytes(0), tool).await;
        let text = read(&result);
        assert!(text.len() <= 500, "{text}");
        assert_eq!(text.matches("disk full").count(), 1, "{text}");
    }
}

#[tokio::test]
async fn a_message_that_policy_took_out_is_not_put_back() {
    let tool = fails("disk full").with_finalize_content(|_, _| Ok(Some(lines(1000).into())));
    let result = under(OutputBudget::new(500).with_error_bytes(0), tool).await;
    assert!(size(&result) <= 500 && !read(&result).contains("disk full"));
}

#[tokio::test]
async fn nested_results_are_whole_and_the_outer_one_is_cut_once() {
    let outer = Outer::default();
    let budget = OutputBudget::new(1_000);
    let registry = registry(gives(lines(1000)), |b| budget.mount(b.tool(outer.tool(2))));
    let completed = outer.call(registry).await;
    assert_eq!(completed.result().value(), Some(&Value::from(lines(1000).repeat(2))));
    let text = read(completed.result());
    assert!(text.len() <= 1_000);
    assert_eq!(text.matches("left out here").count(), 1, "{text}");
    assert!(text.contains("of 20000 bytes"), "{text}");
}

fn blocks(blocks: Value) -> ToolDefinition {
    let blocks: Vec<ContentBlock> = serde_json::from_value(blocks).unwrap();
    gives("").with_render(move |_, _| blocks.clone())
}

#[tokio::test]
async fn bytes_and_links_stay_and_do_not_count() {
    let data = "A".repeat(10_000);
    let long = lines(100);
    let image = json!({"type": "image", "data": data, "mimeType": "image/png"});
    let audio = json!({"type": "audio", "data": data, "mimeType": "audio/wav"});
    let link = json!({"type": "resource_link", "uri": data, "name": "n"});
    let blob = json!({"type": "resource", "resource": {"uri": "u", "blob": data}});
    let text = |text: &str| json!({"type": "text", "text": text});

    let small = json!([text("a"), image, audio, link, blob]);
    let result = under(OutputBudget::new(500), blocks(small.clone())).await;
    assert_eq!(serde_json::to_value(result.content()).unwrap(), small);

    let large = json!([text(&long), image, text(&long), link, text(&long)]);
    let result = under(OutputBudget::new(500), blocks(large)).await;
    let [ContentBlock::Text { text: head }, shown, linked, ContentBlock::Text { text: tail }] =
        result.content().blocks()
    else {
        panic!("{:?}", result.content())
    };
    assert_eq!(serde_json::to_value([shown, linked]).unwrap(), json!([image, link]));
    assert!(head.starts_with("line 0000\n") && head.ends_with("are left out here.]"), "{head}");
    assert!(tail.ends_with("line 0099\n") && head.len() + tail.len() <= 500);
}

#[tokio::test]
async fn the_text_of_a_resource_is_cut_and_it_stays_a_resource() {
    let resource = json!({"type": "resource", "resource": {"uri": "u", "text": lines(1000)}});
    let result = under(OutputBudget::new(500), blocks(json!([resource]))).await;
    let blocks = serde_json::to_value(result.content()).unwrap();
    let text = |index: usize| blocks[index]["resource"]["text"].as_str().unwrap();
    assert!(text(0).starts_with("line 0000\n") && text(2).ends_with("line 0999\n"));
    assert_eq!(blocks[2]["resource"]["uri"], "u");
    assert!(blocks[1]["text"].as_str().unwrap().contains("are left out here"));
    assert!(text(0).len() + text(2).len() <= 500);
}

#[tokio::test]
async fn many_empty_blocks_are_cut_too() {
    let empty = vec![json!({"type": "text", "text": ""}); 1000];
    let result = under(OutputBudget::new(500), blocks(empty.into())).await;
    assert!(size(&result) <= 500 && read(&result).contains("are left out here"));
}
