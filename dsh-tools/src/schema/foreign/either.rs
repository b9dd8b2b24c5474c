//! `Either`, an externally tagged enum in JSON: `{"Left": …}` or `{"Right": …}`.

use either::Either;

use super::{closed, key};
use crate::schema::{Notes, Schema, ValueSchema, one_of};

impl<L: Schema, R: Schema> Schema for Either<L, R> {
    const SCHEMA: &'static ValueSchema = &one_of(
        Notes::NONE,
        const {
            &[
                closed(const { &[key("Left", L::SCHEMA)] }),
                closed(const { &[key("Right", R::SCHEMA)] }),
            ]
        },
    );
}
