//! Every way of telling variants apart, with names of the prelude shadowed.
#![deny(warnings)]
#![allow(dead_code, non_camel_case_types)]

use dsh_tools::{Schema, ToolResult, tool};

struct Option;
struct String;
struct Vec;
struct Some;
struct Ok;
struct None;
mod core {}

/// A point.
#[derive(::serde::Deserialize, Schema)]
struct Point {
    x: i64,
}

#[derive(::serde::Deserialize, Schema)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
enum External {
    /// Nothing.
    None,
    Some(#[schema(minimum = 1)] i64),
    Pair(i64, ::std::option::Option<i64>),
    Both { first_place: Point, #[serde(default, alias = "b")] second_place: ::std::vec::Vec<i64> },
}

#[derive(::serde::Deserialize, Schema)]
#[serde(tag = "kind")]
enum Internal {
    None,
    Point(Point),
    #[serde(alias = "map")]
    Map(::std::collections::BTreeMap<::std::string::String, i64>),
    Both { first: i64 },
}

#[derive(::serde::Deserialize, Schema)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    None,
    Some(::std::option::Option<i64>),
    Pair(i64, i64),
    Both { first: i64 },
}

#[derive(::serde::Deserialize, Schema)]
#[serde(untagged)]
enum Untagged<S, T> {
    None,
    Some(T),
    Text(S),
    Pair(i64, i64),
    Both { first: i64 },
}

#[derive(::serde::Deserialize, Schema)]
#[serde(transparent)]
struct Clear {
    inner: ::std::option::Option<i64>,
}

#[derive(::serde::Deserialize, Schema)]
#[serde(from = "i64")]
struct From(#[serde(skip)] i64);

impl ::std::convert::From<i64> for From {
    fn from(value: i64) -> Self {
        From(value)
    }
}

/// Takes them all.
#[tool]
async fn take(
    #[arg] external: External,
    #[arg] internal: Internal,
    #[arg] adjacent: Adjacent,
    #[arg] untagged: Untagged<::std::string::String, i64>,
    #[serde(flatten)] point: Point,
    #[arg] clear: Clear,
    #[arg] from: From,
    #[schema(with = ::std::option::Option<i64>, default = 3)] instead: ::std::option::Option<i64>,
) -> ToolResult<i64> {
    let _ = (external, internal, adjacent, untagged, clear.inner, instead);
    ::std::result::Result::Ok(point.x + from.0)
}

fn main() {}
