//! Parameters of every kind.

use std::borrow::Cow;
use std::marker::PhantomData;

use dsh_tools::Schema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Point, agree, shown};

/// A page of things.
#[derive(Serialize, Deserialize, Schema)]
struct Page<T> {
    items: Vec<T>,
}

#[test]
fn a_generic_type_has_the_schema_of_its_parameters() {
    agree::<Page<Point>>(json!({"items": [{"x": 1, "y": 2}]}), true);
    agree::<Page<bool>>(json!({"items": [1]}), false);
}

/// What is borrowed from the arguments.
#[derive(Serialize, Deserialize, Schema)]
struct Borrowed<'a, 'b: 'a, T, const N: usize>
where
    T: Clone + 'b,
{
    #[serde(borrow)]
    text: Cow<'a, str>,
    #[serde(borrow)]
    other: &'b str,
    items: Option<Vec<T>>,
    #[serde(skip)]
    sizes: PhantomData<[u8; N]>,
}

#[test]
fn lifetimes_and_constants_are_parameters_too() {
    shown::<Borrowed<'_, '_, u8, 3>>(&json!({
        "type": "object",
        "description": "What is borrowed from the arguments.",
        "additionalProperties": false,
        "properties": {
            "text": {"type": "string"},
            "other": {"type": "string"},
            "items": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": 255},
            },
        },
        "required": ["text", "other"],
    }));
}

/// Not described, so it needs no schema.
struct Opaque;

#[derive(Serialize, Deserialize, Schema)]
#[serde(bound = "")]
struct Marked<T, U> {
    value: u8,
    #[serde(skip)]
    skipped: PhantomData<T>,
    marker: PhantomData<fn(U) -> T>,
}

#[test]
fn a_parameter_that_no_value_has_needs_no_schema() {
    agree::<Marked<Opaque, Opaque>>(json!({"value": 1, "marker": null}), true);
    agree::<Marked<Opaque, Opaque>>(json!({"value": "x", "marker": null}), false);
}

#[derive(Deserialize, Schema)]
#[serde(bound = "I::Item: Deserialize<'de>")]
struct Collected<I: Iterator> {
    items: Vec<I::Item>,
}

#[test]
fn an_associated_type_has_the_bound() {
    agree::<Collected<std::vec::IntoIter<bool>>>(json!({"items": [true]}), true);
    agree::<Collected<std::vec::IntoIter<bool>>>(json!({"items": [1]}), false);
    let collected: Collected<std::vec::IntoIter<bool>> =
        serde_json::from_value(json!({"items": [true]})).unwrap();
    assert_eq!(collected.items, [true]);
}

#[derive(Serialize, Deserialize, Schema)]
enum Either<L, R = u8> {
    Left(L),
    Right(R),
}

#[derive(Serialize, Deserialize, Schema)]
struct Fixed<const N: usize>([u8; 2], PhantomData<[(); N]>);

#[test]
fn enums_and_tuples_have_parameters() {
    agree::<Either<Point>>(json!({"Left": {"x": 1, "y": 1}}), true);
    agree::<Either<Point>>(json!({"Right": 1}), true);
    agree::<Either<bool, String>>(json!({"Right": 1}), false);
    agree::<Fixed<4>>(json!([[1, 2], null]), true);
    agree::<Fixed<4>>(json!([[1], null]), false);
}
