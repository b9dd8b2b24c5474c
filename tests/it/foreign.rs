//! Types of other crates and of the rest of std: what is shown, and that serde agrees.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::hash::RandomState;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZeroI8, NonZeroI64, NonZeroI128, NonZeroU128, Saturating, Wrapping};
use std::ops::{Bound, Range, RangeFrom, RangeInclusive, RangeTo};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8};
use std::sync::{Mutex, RwLock};
use std::time::{Duration, SystemTime};

use bytes::{Bytes, BytesMut};
use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use dsh_tools::Schema;
use either::Either;
use indexmap::{IndexMap, IndexSet};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use url::Url;
use uuid::Uuid;

#[track_caller]
fn shown<T: Schema + ?Sized>(expected: impl Into<Value>) {
    assert_eq!(T::SCHEMA.to_json().to_string(), expected.into().to_string());
}

/// Schema and serde accept the first values, as which they are written again, and refuse the others.
#[track_caller]
fn agree<T: Schema + Serialize + DeserializeOwned>(accepted: &[Value], refused: &[Value]) {
    for value in accepted {
        assert_eq!(T::SCHEMA.validate(value, "value"), [], "{value}");
        let read: T = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), *value);
    }
    for value in refused {
        assert!(!T::SCHEMA.is_valid(value), "the schema accepts {value}");
        assert!(serde_json::from_value::<T>(value.clone()).is_err(), "serde accepts {value}");
    }
}

/// Other forms that serde reads, which a model is not told of.
#[track_caller]
fn other_forms<T: Schema + DeserializeOwned>(values: &[Value]) {
    for value in values {
        assert!(!T::SCHEMA.is_valid(value), "the schema accepts {value}");
        assert!(serde_json::from_value::<T>(value.clone()).is_ok(), "serde refuses {value}");
    }
}

/// What `value` is written as is valid.
#[track_caller]
fn written<T: Schema + Serialize>(value: &T) {
    let value = serde_json::to_value(value).unwrap();
    assert_eq!(T::SCHEMA.validate(&value, "value"), [], "{value}");
}

#[test]
fn addresses_are_in_their_format() {
    shown::<Ipv4Addr>(json!({"type": "string", "format": "ipv4"}));
    shown::<Ipv6Addr>(json!({"type": "string", "format": "ipv6"}));
    let refused = [json!("x"), json!("1.2.3"), json!(1), json!("1.2.3.4:80"), json!("::1%1")];
    agree::<Ipv4Addr>(&[json!("127.0.0.1")], &refused);
    agree::<Ipv6Addr>(&[json!("::1"), json!("2001:db8::7")], &refused);
    agree::<IpAddr>(&[json!("127.0.0.1"), json!("::1")], &refused);
}

#[test]
fn addresses_with_a_port_have_a_pattern() {
    let refused = [json!("1.2.3.4"), json!("[::1]"), json!("::1:80"), json!("localhost:80")];
    agree::<SocketAddr>(&[json!("127.0.0.1:80"), json!("[::1]:80")], &refused);
    agree::<SocketAddrV4>(&[json!("127.0.0.1:65535")], &refused);
    agree::<SocketAddrV6>(&[json!("[::1]:80"), json!("[fe80::1%2]:80")], &refused);
}

#[test]
fn spans_of_time_are_objects() {
    let nanos = json!({"type": "integer", "minimum": 0, "maximum": 999_999_999});
    shown::<Duration>(json!({
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "secs": {"type": "integer", "minimum": 0, "maximum": u64::MAX},
            "nanos": nanos,
        },
        "required": ["secs", "nanos"],
    }));
    agree::<Duration>(
        &[json!({"secs": u64::MAX, "nanos": 999_999_999})],
        &[json!({"secs": 1}), json!({"secs": 1, "nanos": 0, "x": 0}), json!(1), json!("1s")],
    );
    other_forms::<Duration>(&[json!([1, 2]), json!({"secs": 1, "nanos": 1_000_000_000})]);
    agree::<SystemTime>(
        &[json!({"secs_since_epoch": 1, "nanos_since_epoch": 2})],
        &[
            json!({"secs_since_epoch": u64::MAX, "nanos_since_epoch": 0}),
            json!({"secs_since_epoch": -1, "nanos_since_epoch": 0}),
        ],
    );
}

#[test]
fn numbers_that_are_not_zero() {
    shown::<NonZeroI8>(json!({
        "anyOf": [
            {"type": "integer", "minimum": 1, "maximum": 127},
            {"type": "integer", "minimum": -128, "maximum": -1},
        ],
    }));
    let refused = [json!(0), json!(128), json!(-129), json!("1"), json!(0.5)];
    agree::<NonZeroI8>(&[json!(1), json!(-1), json!(127), json!(-128)], &refused);
    agree::<NonZeroI64>(&[json!(i64::MAX), json!(i64::MIN)], &[json!(0)]);
    agree::<NonZeroI128>(&[json!(1), json!(-1)], &[json!(0)]);
    agree::<NonZeroU128>(&[json!(1)], &[json!(0), json!(-1)]);
}

#[test]
fn cells_and_wrappers_are_what_they_hold() {
    shown::<Cell<bool>>(json!({"type": "boolean"}));
    agree::<RefCell<u8>>(&[json!(1)], &[json!(256), json!(null)]);
    agree::<Mutex<u8>>(&[json!(1)], &[json!(256), json!(null)]);
    agree::<RwLock<u8>>(&[json!(1)], &[json!(256), json!(null)]);
    agree::<Wrapping<i8>>(&[json!(-1)], &[json!(128)]);
    agree::<Reverse<u8>>(&[json!(1)], &[json!(256)]);
    agree::<Saturating<i8>>(&[json!(-1)], &[json!("x")]);
    other_forms::<Saturating<i8>>(&[json!(128)]);
    agree::<AtomicBool>(&[json!(true)], &[json!(1)]);
    agree::<AtomicU8>(&[json!(255)], &[json!(256)]);
    agree::<AtomicI64>(&[json!(i64::MIN)], &[json!(u64::MAX)]);
    // A property that may be missing stays one inside a cell.
    const { assert!(<RefCell<Option<u8>>>::OPTIONAL && !<Cell<u8>>::OPTIONAL) };
}

#[test]
fn ranges_are_objects_and_bounds_are_an_enum() {
    let (start, end) = (json!({"start": 1}), json!({"end": 1}));
    let both = json!({"start": 1, "end": 2});
    let refused = [start.clone(), json!({"start": 1, "end": 2, "by": 1}), json!({}), json!("1..2")];
    agree::<Range<u8>>(std::slice::from_ref(&both), &refused);
    agree::<RangeInclusive<u8>>(&[both], &refused);
    agree::<RangeFrom<u8>>(&[start], &[json!({}), json!({"end": 1})]);
    agree::<RangeTo<u8>>(&[end], &[json!({}), json!({"start": 1})]);
    // Both have to be there, also where their type is an `Option`.
    agree::<Range<Option<u8>>>(&[json!({"start": null, "end": 1})], &[json!({"end": 1})]);
    agree::<Bound<u8>>(
        &[json!("Unbounded"), json!({"Included": 1}), json!({"Excluded": 255})],
        &[
            json!("Included"),
            json!("unbounded"),
            json!({"Included": 256}),
            json!({}),
            json!({"Included": 1, "Excluded": 2}),
        ],
    );
}

#[test]
fn bytes_are_numbers() {
    shown::<Bytes>(
        json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 255}}),
    );
    agree::<Bytes>(&[json!([]), json!([0, 255])], &[json!([256]), json!(null)]);
    agree::<BytesMut>(&[json!([]), json!([0, 255])], &[json!([256]), json!(null)]);
    other_forms::<Bytes>(&[json!("text")]);
}

#[test]
fn chrono_is_in_a_format_where_there_is_a_zone() {
    shown::<DateTime<Utc>>(json!({"type": "string", "format": "date-time"}));
    shown::<NaiveDate>(json!({"type": "string", "format": "date"}));
    let refused = [json!("x"), json!("2020-02-30"), json!(0), json!("2020-02-03T04:05:06")];
    agree::<DateTime<Utc>>(&[json!("2020-02-03T04:05:06.007Z")], &refused);
    agree::<DateTime<FixedOffset>>(&[json!("2020-02-03T04:05:06+07:30")], &refused);
    agree::<NaiveDate>(&[json!("2020-02-29"), json!("0001-01-01")], &refused);
    other_forms::<DateTime<Utc>>(&[json!("2020-02-03 04:05:06Z")]);

    let zoned = [json!("04:05:06Z"), json!("2020-02-03T04:05:06Z"), json!("x")];
    agree::<NaiveTime>(&[json!("04:05:06"), json!("23:59:60.500")], &zoned);
    agree::<NaiveDateTime>(&[json!("2020-02-03T04:05:06.007")], &zoned);
    other_forms::<NaiveTime>(&[json!("04:05")]);
    other_forms::<NaiveDateTime>(&[json!("2020-2-3T4:5:6")]);
}

#[test]
fn dates_of_time_are_dates() {
    shown::<time::Date>(json!({"type": "string", "format": "date"}));
    agree::<time::Date>(&[json!("2020-02-29")], &[json!("2021-02-29"), json!("2020-1-1")]);
    other_forms::<time::Date>(&[json!([2020, 60])]);
}

#[test]
fn a_uuid_is_in_its_format() {
    shown::<Uuid>(json!({"type": "string", "format": "uuid"}));
    let text = "2eb8aa08-aa98-11ea-b4aa-73b441d16380";
    agree::<Uuid>(&[json!(text)], &[json!("x"), json!(text.replace('8', "g")), json!(1)]);
    other_forms::<Uuid>(&[json!(text.replace('-', "")), json!(format!("{{{text}}}"))]);
    written(&Uuid::nil());
    written(&Uuid::max());
}

#[test]
fn a_url_is_a_uri() {
    shown::<Url>(json!({"type": "string", "format": "uri"}));
    agree::<Url>(
        &[json!("https://example.com/a?b#c"), json!("urn:a:b"), json!("file:///etc/hosts")],
        &[json!("/a"), json!(""), json!("//example.com/a"), json!(1)],
    );
    other_forms::<Url>(&[json!("https://example.com/a b"), json!(" https://b\u{fc}cher.example")]);
    written(&Url::parse("https://b\u{fc}cher.example/a b?c=\u{e9}#<d>").unwrap());
    // The standard of the web refuses some that RFC 3986 has; serde tells it of those.
    let refused = json!("http://example.com:99999/");
    assert!(Url::SCHEMA.is_valid(&refused) && serde_json::from_value::<Url>(refused).is_err());
}

#[test]
fn maps_and_sets_of_indexmap_are_maps_and_arrays() {
    shown::<IndexMap<String, bool, RandomState>>(json!({
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "properties": {},
    }));
    agree::<IndexMap<String, u8, RandomState>>(
        &[json!({"b": 1, "a": 2})],
        &[json!({"a": 256}), json!([])],
    );
    agree::<IndexSet<u8, RandomState>>(&[json!([2, 1])], &[json!([256]), json!({})]);
}

#[test]
fn an_either_names_its_side() {
    let closed = |name: &str, schema: Value| {
        json!({
            "type": "object",
            "additionalProperties": false,
            "properties": {name: schema},
            "required": [name],
        })
    };
    shown::<Either<bool, String>>(json!({
        "oneOf": [
            closed("Left", json!({"type": "boolean"})),
            closed("Right", json!({"type": "string"})),
        ],
    }));
    agree::<Either<bool, String>>(
        &[json!({"Left": true}), json!({"Right": "x"})],
        &[json!(true), json!({"Left": "x"}), json!({}), json!({"Left": true, "Right": "x"})],
    );
}
