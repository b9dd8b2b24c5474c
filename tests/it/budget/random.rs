//! Whatever the text and the budget, a cut keeps what it promises.

use dsh_tools::outbound::{MemoryStore, OutputBudget};
use dsh_tools::{CallOptions, ToolCall};
use fixtures::read;
use proptest::prelude::*;
use serde_json::json;

use super::{call, gives, handle, registry};

/// Texts of lines long and short, with characters of every length.
fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(("[a\u{e9}\u{20ac}\u{1f600}]{0,40}", 1..40_usize, any::<bool>()), 0..40)
        .prop_map(|lines| {
            let line = |(text, times, ends): (String, usize, bool)| {
                text.repeat(times) + if ends { "\n" } else { "" }
            };
            lines.into_iter().map(line).collect()
        })
}

/// Head, note and tail; the note is the only line that starts with a bracket.
fn split(cut: &str) -> (&str, &str, &str) {
    let start = cut.find('[').unwrap();
    let (head, rest) = cut.split_at(start);
    let (note, tail) = rest.split_at(rest.find(']').unwrap() + 1);
    (head, note, tail.strip_prefix('\n').unwrap_or(tail))
}

async fn check(text: &str, bytes: usize, keeps: bool) -> Result<(), TestCaseError> {
    let mut budget = OutputBudget::new(bytes);
    if keeps {
        budget = budget.with_store(MemoryStore::new());
    }
    let registry = registry(gives(text), |builder| budget.mount(builder));
    let cut = read(call(&registry).await.result());
    if text.len() <= bytes {
        prop_assert_eq!(cut, text);
        return Ok(());
    }
    prop_assert!(cut.len() <= bytes, "{} of {bytes}", cut.len());
    let (head, note, tail) = split(&cut);
    // Where a line was cut within, a line break keeps the note apart.
    let bytes_said: usize =
        note.strip_prefix('[').unwrap().split_once(' ').unwrap().0.parse().unwrap();
    let (start, end) = (text.len() - tail.len() - bytes_said, text.len() - tail.len());
    prop_assert!(text.ends_with(tail), "{cut}");
    let (before, left_out) = text.split_at(end).0.split_at(start);
    prop_assert!(head == before || head.strip_suffix('\n') == Some(before), "{cut}");
    let lines = left_out.lines().count();
    let said = format!(
        "[{} of {} bytes ({lines} {}) are left out here.",
        left_out.len(),
        text.len(),
        if lines == 1 { "line" } else { "lines" },
    );
    prop_assert!(note.starts_with(&said), "{note} is not {said}");
    // A cut that leaves out far more than it has to would be right, too, and of no use.
    prop_assert!(cut.len() > bytes / 2, "{} of {bytes}", cut.len());
    if keeps {
        let arguments = json!({"handle": handle(note), "offset": start});
        let call = ToolCall::new("r1", "read_output", arguments);
        let part = registry.execute(call, CallOptions::new()).await;
        let part = part.result().value().unwrap()["text"].as_str().unwrap();
        let (_, rest) = text.split_at(start);
        prop_assert!(!part.is_empty() && rest.starts_with(part));
    }
    Ok(())
}

proptest! {
    #![proptest_config(crate::concurrency::budget(200))]

    #[test]
    fn a_cut_fits_and_says_what_it_left_out(
        text in texts(),
        bytes in 500..3_000_usize,
        keeps in any::<bool>(),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(check(&text, bytes, keeps))?;
    }
}
