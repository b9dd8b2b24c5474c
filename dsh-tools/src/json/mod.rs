//! JSON values without loss and without limits of depth.

mod deep;
mod document;
mod held;
mod lossless;
mod number;
mod read;
mod strings;
mod text;
mod write;

pub(crate) use self::deep::{SHALLOW, copy, is_shallow};
pub(crate) use self::document::Document;
pub(crate) use self::held::Held;
pub(crate) use self::lossless::{is_lossless, is_lossless_number};
pub use self::number::Number;
pub(crate) use self::number::number;
pub(crate) use self::read::read;
pub(crate) use self::strings::{TextMap, map_strings};
pub(crate) use self::text::{to_canonical, to_text};
pub(crate) use self::write::{widened, write};
