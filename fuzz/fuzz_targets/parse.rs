//! Reading a schema never panics, and what the strict vocabulary reads, the extended one reads alike.
#![no_main]

use dsh_tools::schema::{ValueSchema, Vocabulary};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(schema) = serde_json::from_str::<Value>(text) else { return };
    let extended = ValueSchema::parse(&schema);
    if let Ok(strict) = ValueSchema::parse_as(&schema, Vocabulary::Strict) {
        assert_eq!(Ok(strict), extended);
    }
    if let Err(error) = extended {
        assert!(!error.violations().is_empty());
    }
    _ = ValueSchema::compile(&schema);
    _ = ValueSchema::compile_parameters(&schema);
});
