//! What threads share the registry by: `arc-swap` and a lock, or with `--cfg shuttle` a model of
//! them, under which a test tries many interleavings.

#[cfg(shuttle)]
mod model;
#[cfg(not(shuttle))]
mod real;

#[cfg(shuttle)]
pub(super) use self::model::{ArcSwap, ArcSwapOption, Mutex};
#[cfg(not(shuttle))]
pub(super) use self::real::{ArcSwap, ArcSwapOption, Mutex};
