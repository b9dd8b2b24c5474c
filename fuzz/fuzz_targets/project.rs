//! What was parsed and shown parses to the same, and is shown the same.
#![no_main]

use dsh_tools::schema::ValueSchema;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(schema) = serde_json::from_str::<Value>(text) else { return };
    let Ok(parsed) = ValueSchema::parse(&schema) else { return };
    let shown = parsed.to_json();
    let again = ValueSchema::parse(&shown).expect("what is shown is a schema");
    assert_eq!(parsed, again);
    assert_eq!(shown.to_string(), again.to_json().to_string());
});
