//! Values of a program as JSON, if they are JSON, and as text.

use rquickjs::{Array, Object, Result, Value as Js};
use serde_json::{Map, Number, Value};

/// The prototypes of plain objects and arrays, as they were before the program ran.
#[derive(Clone)]
pub(super) struct Plain<'js> {
    object: Object<'js>,
    array: Object<'js>,
}

/// Why a value is not taken for JSON.
pub(super) enum Refusal {
    /// JSON has no form for it, or would not give it back.
    NotJson,
    /// Reading it failed; with what was thrown.
    Unreadable(String),
}

/// How deep values may be that come from a program; deeper ones are not taken.
const DEEPEST: usize = 5_000;

impl<'js> Plain<'js> {
    /// As the kit of the prelude has them.
    pub(super) fn of(kit: &Object<'js>) -> Result<Self> {
        Ok(Self { object: kit.get("object")?, array: kit.get("array")? })
    }

    fn is_plain(&self, object: &Object<'js>) -> bool {
        object.get_prototype().is_none_or(|prototype| prototype == self.object)
    }
}

/// A container that is being read.
enum Open<'js> {
    Array { array: Array<'js>, items: Vec<Value> },
    Object { object: Object<'js>, keys: Vec<String>, next: usize, members: Map<String, Value> },
}

/// The JSON that a value is.
///
/// # Errors
/// It is none: a function, `undefined`, a number that is not finite or is negative zero, a cycle, an
/// instance of a class, or deeper than anybody means it to be; or a getter threw.
pub(super) fn to_json<'js>(
    value: &Js<'js>,
    plain: &Plain<'js>,
) -> std::result::Result<Value, Refusal> {
    let mut open: Vec<Open<'js>> = Vec::new();
    let mut next = Some(value.clone());
    loop {
        let mut done = match next.take() {
            Some(value) => match opened(&value, plain)? {
                Step::Scalar(value) => Some(value),
                Step::Container(container) => {
                    // A cycle has no end, and neither should have this.
                    if open.len() >= DEEPEST {
                        return Err(Refusal::NotJson);
                    }
                    open.push(container);
                    None
                }
            },
            None => None,
        };
        loop {
            let Some(container) = open.last_mut() else {
                return done.ok_or(Refusal::NotJson);
            };
            if let Some(value) = done.take() {
                container.add(value);
            }
            match container.next()? {
                Some(value) => {
                    next = Some(value);
                    break;
                }
                None => done = open.pop().map(Open::close),
            }
        }
    }
}

enum Step<'js> {
    Scalar(Value),
    Container(Open<'js>),
}

fn opened<'js>(value: &Js<'js>, plain: &Plain<'js>) -> std::result::Result<Step<'js>, Refusal> {
    if value.is_null() {
        return Ok(Step::Scalar(Value::Null));
    }
    if let Some(value) = value.as_bool() {
        return Ok(Step::Scalar(value.into()));
    }
    if let Some(value) = value.as_int() {
        return Ok(Step::Scalar(value.into()));
    }
    if let Some(value) = value.as_float() {
        return number(value).map(Step::Scalar).ok_or(Refusal::NotJson);
    }
    if let Some(text) = value.as_string() {
        let text = text.to_string().map_err(|_lone_surrogate| Refusal::NotJson)?;
        return Ok(Step::Scalar(text.into()));
    }
    if value.is_function() {
        return Err(Refusal::NotJson);
    }
    if let Some(array) = value.as_array() {
        if array.as_object().get_prototype().as_ref() != Some(&plain.array) {
            return Err(Refusal::NotJson);
        }
        return Ok(Step::Container(Open::Array { array: array.clone(), items: Vec::new() }));
    }
    let object = value.as_object().filter(|object| plain.is_plain(object));
    let object = object.ok_or(Refusal::NotJson)?.clone();
    let keys = object.keys::<String>().collect::<Result<Vec<_>>>();
    let keys = keys.map_err(|_thrown| Refusal::Unreadable("its keys cannot be read".to_owned()))?;
    Ok(Step::Container(Open::Object { object, keys, next: 0, members: Map::new() }))
}

/// A number that JSON gives back, an integer where it has no fraction.
#[expect(clippy::cast_possible_truncation, reason = "it is whole and within 2^53")]
fn number(value: f64) -> Option<Value> {
    if value == 0.0 && value.is_sign_negative() {
        return None;
    }
    if value.fract() == 0.0 && value.abs() <= 9_007_199_254_740_992.0 {
        return Some((value as i64).into());
    }
    Number::from_f64(value).map(Value::Number)
}

impl<'js> Open<'js> {
    fn add(&mut self, value: Value) {
        match self {
            Self::Array { items, .. } => items.push(value),
            Self::Object { keys, next, members, .. } => {
                members.insert(keys[*next - 1].clone(), value);
            }
        }
    }

    /// The next part to read; none when all were.
    fn next(&mut self) -> std::result::Result<Option<Js<'js>>, Refusal> {
        let unreadable = |_| Refusal::Unreadable("a getter threw".to_owned());
        match self {
            Self::Array { array, items } if items.len() < array.len() => {
                array.get(items.len()).map(Some).map_err(unreadable)
            }
            Self::Object { object, keys, next, .. } if *next < keys.len() => {
                *next += 1;
                object.get(keys[*next - 1].as_str()).map(Some).map_err(unreadable)
            }
            _ => Ok(None),
        }
    }

    fn close(self) -> Value {
        match self {
            Self::Array { items, .. } => items.into(),
            Self::Object { members, .. } => members.into(),
        }
    }
}

/// A value as a console shows it: text as it is, JSON as JSON, and the rest by its kind.
pub(super) fn show<'js>(value: &Js<'js>, plain: &Plain<'js>) -> String {
    if let Some(text) = value.as_string() {
        return text.to_string().unwrap_or_else(|_lone_surrogate| "\u{fffd}".to_owned());
    }
    if let Some(error) = value.as_exception() {
        let name = error.as_object().get::<_, String>("name").unwrap_or_else(|_| "Error".into());
        return format!("{name}: {}", error.message().unwrap_or_default());
    }
    match to_json(value, plain) {
        Ok(json) => json.to_string(),
        Err(_) if value.is_undefined() => "undefined".to_owned(),
        Err(_) => match value.as_float() {
            Some(float) if float.is_nan() => "NaN".to_owned(),
            Some(float) if float.is_infinite() && float > 0.0 => "Infinity".to_owned(),
            Some(float) if float.is_infinite() => "-Infinity".to_owned(),
            Some(_) => "-0".to_owned(),
            None => format!("[{}]", value.type_name()),
        },
    }
}
