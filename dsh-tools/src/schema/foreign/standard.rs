//! The rest of std: addresses, spans of time, ranges, and cells around a value.
//!
//! `Result` has none, though serde knows it: a tool that returns one may fail. Neither has
//! `OsString`, whose form differs between systems.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize, NonZeroU128,
    Saturating, Wrapping,
};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::sync::atomic::{
    AtomicBool, AtomicI8, AtomicI16, AtomicI32, AtomicIsize, AtomicU8, AtomicU16, AtomicU32,
    AtomicUsize,
};
#[cfg(target_has_atomic = "64")]
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, SystemTime};

use super::{closed, formatted, key, patterned};
use crate::schema::value::{Kind, Members, NumberRules};
use crate::schema::{Notes, Number, Schema, ValueSchema, any_of, member, one_of, string_enum};

schemas! {
    Ipv4Addr => formatted("ipv4");
    Ipv6Addr => formatted("ipv6");
    IpAddr => one_of(Notes::NONE, const { &[formatted("ipv4"), formatted("ipv6")] });
    SocketAddr => patterned(r"^([0-9.]+|\[[0-9A-Fa-f:.]+(%[0-9]+)?\]):[0-9]{1,5}$");
    SocketAddrV4 => patterned(r"^[0-9.]+:[0-9]{1,5}$");
    SocketAddrV6 => patterned(r"^\[[0-9A-Fa-f:.]+(%[0-9]+)?\]:[0-9]{1,5}$");
    Duration => closed(const { &[key("secs", u64::SCHEMA), key("nanos", NANOS)] });
    SystemTime => closed(const {
        &[key("secs_since_epoch", SECONDS), key("nanos_since_epoch", NANOS)]
    });
    NonZeroU128 => integer(Some(1), None);
}

/// What is left of a second. Serde reads more and carries it over, but never writes it.
const NANOS: &ValueSchema = &integer(Some(0), Some(999_999_999));

/// As far as the clocks of systems with 64 bits reach.
const SECONDS: &ValueSchema = &integer(Some(0), Some(i64::MAX as i128));

const fn integer(minimum: Option<i128>, maximum: Option<i128>) -> ValueSchema {
    let rules = NumberRules { minimum: at(minimum), maximum: at(maximum), ..NumberRules::ANY };
    ValueSchema::new(Kind::Integer(Members::ANY, rules))
}

const fn at(bound: Option<i128>) -> Option<Number> {
    match bound {
        Some(bound) => Some(Number::Integer(bound)),
        None => None,
    }
}

macro_rules! signed {
    ($($type:ty: $minimum:expr, $maximum:expr;)*) => {
        schemas! {$(
            $type => any_of(
                Notes::NONE,
                const { &[integer(Some(1), $maximum), integer($minimum, Some(-1))] },
            );
        )*}
    };
}

signed! {
    NonZeroI8: Some(i8::MIN as i128), Some(i8::MAX as i128);
    NonZeroI16: Some(i16::MIN as i128), Some(i16::MAX as i128);
    NonZeroI32: Some(i32::MIN as i128), Some(i32::MAX as i128);
    NonZeroI64: Some(i64::MIN as i128), Some(i64::MAX as i128);
    NonZeroIsize: Some(isize::MIN as i128), Some(isize::MAX as i128);
    NonZeroI128: None, None;
}

macro_rules! around {
    ($($type:ident $(: $unsized:ident)?;)*) => {$(
        impl<T: Schema $(+ ?$unsized)?> Schema for $type<T> {
            const SCHEMA: &'static ValueSchema = T::SCHEMA;
            const OPTIONAL: bool = T::OPTIONAL;
        }
    )*};
}

around! { Cell; RefCell: Sized; Mutex: Sized; RwLock: Sized; Reverse; Saturating; Wrapping; }

macro_rules! atomics {
    ($($(#[$when:meta])? $type:ty as $inner:ty;)*) => {$(
        $(#[$when])?
        impl Schema for $type {
            const SCHEMA: &'static ValueSchema = <$inner>::SCHEMA;
        }
    )*};
}

atomics! {
    AtomicBool as bool;
    AtomicI8 as i8;
    AtomicI16 as i16;
    AtomicI32 as i32;
    AtomicIsize as isize;
    AtomicU8 as u8;
    AtomicU16 as u16;
    AtomicU32 as u32;
    AtomicUsize as usize;
    #[cfg(target_has_atomic = "64")] AtomicI64 as i64;
    #[cfg(target_has_atomic = "64")] AtomicU64 as u64;
}

macro_rules! ranges {
    ($($range:ident: $($key:literal)+;)*) => {$(
        impl<T: Schema> Schema for $range<T> {
            const SCHEMA: &'static ValueSchema = &closed(const { &[$(key($key, T::SCHEMA)),+] });
        }
    )*};
}

ranges! {
    Range: "start" "end";
    RangeInclusive: "start" "end";
    RangeFrom: "start";
    RangeTo: "end";
}

impl<T: Schema> Schema for Bound<T> {
    const SCHEMA: &'static ValueSchema = &one_of(
        Notes::NONE,
        const {
            &[
                string_enum(Notes::NONE, const { &[member("Unbounded", None)] }),
                closed(const { &[key("Included", T::SCHEMA)] }),
                closed(const { &[key("Excluded", T::SCHEMA)] }),
            ]
        },
    );
}
