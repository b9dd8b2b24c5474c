//! Two ways to know: our validator against that of the `jsonschema` crate.
//!
//! The seed is fixed, so a run repeats; `PROPTEST_RNG_SEED` and `PROPTEST_CASES` look further.
//!
//! Where the two differ on purpose:
//! - negative zero is refused, since it does not survive being written (`-0` becomes `0`);
//! - numbers beyond 2^53 that are no integers of 64 bits are compared as doubles;
//! - a multiple of a fraction is one to within a billionth, as `0.3` is of `0.1` on paper.

mod cases;
mod formats;
mod generate;

use dsh_tools::schema::ValueSchema;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;

use self::generate::Choices;

/// A fixed budget from a fixed seed, unless the environment says otherwise.
fn budget(cases: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let is_set = |name: &str| std::env::var_os(name).is_some();
    ProptestConfig {
        cases: if is_set("PROPTEST_CASES") { from_environment.cases } else { cases },
        rng_seed: match from_environment.rng_seed {
            RngSeed::Random => RngSeed::Fixed(1),
            seed @ RngSeed::Fixed(_) => seed,
        },
        failure_persistence: None,
        max_global_rejects: 1 << 20,
        ..from_environment
    }
}

fn theirs(schema: &Value) -> jsonschema::Validator {
    jsonschema::draft202012::new(schema).unwrap()
}

/// Both validators say the same of the value, and our two ways of asking do.
#[track_caller]
fn agree(schema: &Value, values: &[Value]) {
    let ours = ValueSchema::parse(schema).unwrap();
    let theirs = theirs(schema);
    for value in values {
        let violations = ours.validate(value, "value");
        assert_eq!(ours.is_valid(value), violations.is_empty(), "{schema} of {value}");
        assert_eq!(
            violations.is_empty(),
            theirs.is_valid(value),
            "{schema} of {value}: ours has {violations:?}"
        );
    }
}

/// Reading what was read and shown changes nothing.
#[track_caller]
fn stays(schema: &Value) {
    let parsed = ValueSchema::parse(schema).unwrap();
    let shown = parsed.to_json();
    let again = ValueSchema::parse(&shown).unwrap();
    assert_eq!(again, parsed, "{schema}");
    assert_eq!(again.to_json().to_string(), shown.to_string(), "{schema}");
}

proptest! {
    #![proptest_config(budget(1024))]

    #[test]
    fn values_are_judged_as_by_another_validator(bytes in prop::collection::vec(any::<u8>(), 0..256)) {
        let mut choices = Choices::new(&bytes);
        let schema = choices.schema();
        // References that lead nowhere but to themselves are refused.
        prop_assume!(ValueSchema::parse(&schema).is_ok());
        let values: Vec<_> = (0..4).map(|_| choices.value(&schema, &schema, 6)).collect();
        agree(&schema, &values);
        stays(&schema);
    }
}
