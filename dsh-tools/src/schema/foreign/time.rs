//! Dates of `time`.
//!
//! The other types of it are written in forms of its own (`2020-01-02 3:04:05.0 +00:00:00`), which
//! models do not write; its `serde` modules, such as `rfc3339`, are made for them.

use time::Date;

use super::formatted;
use crate::schema::{Schema, ValueSchema};

schemas! {
    Date => formatted("date");
}
