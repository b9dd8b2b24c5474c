//! What the macros accept and refuse, and in which words.
//!
//! After a change of a message, run with `TRYBUILD=overwrite` and read the difference as a user
//! would. One that only a build finds (`methods/rule_in_a_generic_block`) needs a case of `pass` in the
//! same run, since trybuild only checks otherwise. The expected texts belong to the toolchain of `rust-toolchain.toml`.

#[test]
fn ui() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/pass/*.rs");
    cases.compile_fail("ui/fail/*/*.rs");
}
