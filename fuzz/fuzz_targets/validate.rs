//! Checking never panics, and both ways of asking say the same.
//!
//! Text up to the first line break is a schema and the rest a value. Other input makes the choices
//! of the tests' generator, and another validator has to say the same.
#![no_main]

#[path = "../../tests/it/oracle/generate/mod.rs"]
mod generate;

use dsh_tools::schema::ValueSchema;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    match read(bytes) {
        Some((schema, value)) => {
            let Ok(schema) = ValueSchema::parse(&schema) else { return };
            check(&schema, &value);
        }
        None => generated(bytes),
    }
});

fn read(bytes: &[u8]) -> Option<(Value, Value)> {
    let (schema, value) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
    Some((serde_json::from_str(schema).ok()?, serde_json::from_str(value).ok()?))
}

fn check(schema: &ValueSchema, value: &Value) -> bool {
    let violations = schema.validate(value, "value");
    assert_eq!(schema.is_valid(value), violations.is_empty());
    violations.is_empty()
}

fn generated(bytes: &[u8]) {
    let mut choices = generate::Choices::new(bytes);
    let schema = choices.schema();
    let Ok(ours) = ValueSchema::parse(&schema) else { return };
    let theirs = jsonschema::draft202012::new(&schema).expect("it is a schema");
    for _ in 0..4 {
        let value = choices.value(&schema, &schema, 6);
        assert_eq!(check(&ours, &value), theirs.is_valid(&value), "{schema} of {value}");
    }
}
