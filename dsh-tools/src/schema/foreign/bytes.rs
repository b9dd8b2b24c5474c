//! Buffers of `bytes`, which are arrays of numbers in JSON.

use bytes::{Bytes, BytesMut};

use crate::schema::{Schema, ValueSchema};

impl Schema for Bytes {
    const SCHEMA: &'static ValueSchema = <[u8]>::SCHEMA;
}

impl Schema for BytesMut {
    const SCHEMA: &'static ValueSchema = <[u8]>::SCHEMA;
}
