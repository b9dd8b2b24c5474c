//! What holds however things are interleaved.

mod batches;
mod entry_points;
mod model;
mod threads;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// A fixed budget from a fixed seed; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` look further.
pub(crate) fn budget(cases: u32) -> ProptestConfig {
    let from_environment = ProptestConfig::default();
    let is_set = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig {
        cases: if is_set { from_environment.cases } else { cases },
        rng_seed: match from_environment.rng_seed {
            RngSeed::Random => RngSeed::Fixed(1),
            seed @ RngSeed::Fixed(_) => seed,
        },
        failure_persistence: None,
        ..from_environment
    }
}
