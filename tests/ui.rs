//! What the macros accept and refuse, and in which words.
//!
//! After a change of a message, run with `TRYBUILD=overwrite` and read the difference as a user
//! would. The expected texts belong to the toolchain of `rust-toolchain.toml`.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*/*.rs");
}
