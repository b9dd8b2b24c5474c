//! The tools as those see them who call them, a module for each.

// Every line of this crate is a test; saying so once lets helpers unwrap as tests do.
#[cfg(test)]
mod suite;
