//! Dates and times of `chrono`.
//!
//! Those without a zone are in no format of JSON Schema, so a pattern tells their form. Years are
//! those of four digits: with others `chrono` writes a sign, which is in no format either.

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};

use super::{formatted, patterned};
use crate::schema::{Schema, ValueSchema};

impl<Z: TimeZone> Schema for DateTime<Z> {
    const SCHEMA: &'static ValueSchema = &formatted("date-time");
}

schemas! {
    NaiveDate => formatted("date");
    NaiveTime => patterned(r"^[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?$");
    NaiveDateTime => patterned(
        r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?$"
    );
}
