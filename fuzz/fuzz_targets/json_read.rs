//! Our reader of JSON says what that of `serde_json` does.
//!
//! Ours only starts where the other one stops, so the text is put deeper than that.
#![no_main]

use dsh_tools::ToolCall;
use libfuzzer_sys::fuzz_target;
use serde::Deserialize;
use serde_json::Value;

const DEPTH: usize = 150;

fuzz_target!(|text: &str| {
    compare(text);
    compare(&format!("{}{text}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)));
    compare(&format!("{}{text}{}", "{\"a\": ".repeat(DEPTH), " }".repeat(DEPTH)));
});

fn compare(text: &str) {
    if text.is_empty() {
        return;
    }
    let mut theirs = serde_json::Deserializer::from_str(text);
    theirs.disable_recursion_limit();
    let expected = Value::deserialize(&mut theirs).and_then(|value| theirs.end().map(|()| value));
    let call = ToolCall::new("c", "t", text);
    match expected {
        Ok(expected) => {
            assert_eq!(call.arguments.unreadable(), None, "{text}");
            assert_eq!(*call.arguments.value(), expected);
        }
        Err(error) => assert!(call.arguments.unreadable().is_some(), "{text}: {error}"),
    }
}
