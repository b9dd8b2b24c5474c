//! What both macros read in the same way.

pub(crate) mod attribute;
pub(crate) mod crate_path;
pub(crate) mod docs;
pub(crate) mod inherited;
pub(crate) mod nearest;
pub(crate) mod rename;
pub(crate) mod report;
pub(crate) mod serde;
pub(crate) mod tokens;
pub(crate) mod value;
