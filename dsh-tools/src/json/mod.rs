//! JSON values without loss and without limits of depth.

mod deep;
mod held;
mod lossless;
mod read;
mod write;

pub(crate) use self::deep::{SHALLOW, copy, is_shallow, to_text};
pub(crate) use self::held::Held;
pub(crate) use self::lossless::{is_lossless, number};
pub(crate) use self::read::read;
pub(crate) use self::write::write;
