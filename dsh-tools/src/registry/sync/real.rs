//! What is used outside of that test.

pub(in crate::registry) use arc_swap::{ArcSwap, ArcSwapOption};
pub(in crate::registry) use std::sync::Mutex;
