//! One binary, a module per feature.
