//! Parts of a schema that are constant or shared: the only place that knows the difference.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde_json::Value;

use super::object::{Additional, ObjectRules};
use super::value::{ArrayRules, Kind, ValueSchema};
use crate::json::Held;

/// Text that is a constant or shared.
#[derive(Clone)]
pub(crate) enum Text {
    Static(&'static str),
    Shared(Arc<str>),
}

/// Several parts, in order, constant or shared.
pub(crate) enum Many<T: 'static> {
    Static(&'static [T]),
    Shared(Arc<[T]>),
}

/// JSON in a schema: its text, where it is constant, or a shared value.
#[derive(Clone)]
pub(crate) enum Json {
    Static(&'static str),
    Shared(Arc<Held>),
}

/// A schema inside a schema, constant or shared.
#[derive(Clone)]
pub(crate) enum Child {
    Static(&'static ValueSchema),
    Shared(Arc<ValueSchema>),
}

impl Text {
    /// The text, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static str {
        match self {
            Self::Static(text) => text,
            Self::Shared(_) => panic!("a constant schema holds no shared text"),
        }
    }

    /// `own` where it is given, else what stood there before.
    pub(crate) const fn noted(own: Option<&'static str>, before: Option<&Self>) -> Option<Self> {
        match (own, before) {
            (Some(text), _) => Some(Self::Static(text)),
            (None, Some(text)) => Some(Self::Static(text.as_const())),
            (None, None) => None,
        }
    }
}

impl Json {
    /// `own` where it is given, else what stood there before.
    pub(crate) const fn noted(own: Option<&'static str>, before: Option<&Self>) -> Option<Self> {
        match (own, before) {
            (Some(text), _) => Some(Self::Static(text)),
            (None, Some(Self::Static(text))) => Some(Self::Static(text)),
            (None, Some(Self::Shared(_))) => panic!("a constant schema holds no shared value"),
            (None, None) => None,
        }
    }

    /// The value; the macros only make text that is JSON.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Static(text) => serde_json::from_str(text).unwrap_or_else(|_| (*text).into()),
            Self::Shared(value) => value.value().clone(),
        }
    }
}

impl<T> Many<T> {
    /// The parts, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static [T] {
        match self {
            Self::Static(parts) => parts,
            Self::Shared(_) => panic!("a constant schema holds no shared part"),
        }
    }

    pub(crate) const fn copied(&self) -> Self {
        Self::Static(self.as_const())
    }
}

impl Child {
    /// The schema, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static ValueSchema {
        match self {
            Self::Static(schema) => schema,
            Self::Shared(_) => panic!("a constant schema holds no shared part"),
        }
    }

    pub(crate) const fn copied(&self) -> Self {
        Self::Static(self.as_const())
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            Self::Static(text) => text,
            Self::Shared(text) => text,
        }
    }
}

impl<T> Deref for Many<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match self {
            Self::Static(parts) => parts,
            Self::Shared(parts) => parts,
        }
    }
}

impl Deref for Child {
    type Target = ValueSchema;

    #[inline]
    fn deref(&self) -> &ValueSchema {
        match self {
            Self::Static(schema) => schema,
            Self::Shared(schema) => schema,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self::Shared(text.into())
    }
}

impl From<String> for Text {
    fn from(text: String) -> Self {
        Self::Shared(text.into())
    }
}

impl<T> Clone for Many<T> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(parts) => Self::Static(parts),
            Self::Shared(parts) => Self::Shared(Arc::clone(parts)),
        }
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Text {}

impl<T: PartialEq> PartialEq for Many<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        self.to_value() == other.to_value()
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_value().fmt(f)
    }
}

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self::Shared(Arc::new(Held::from(value)))
    }
}

impl<T> From<Vec<T>> for Many<T> {
    fn from(parts: Vec<T>) -> Self {
        Self::Shared(parts.into())
    }
}

impl From<ValueSchema> for Child {
    fn from(schema: ValueSchema) -> Self {
        Self::Shared(Arc::new(schema))
    }
}

impl PartialEq for Child {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Debug> fmt::Debug for Many<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// Moves the children of a schema out that nobody else holds, so that each drops by itself.
pub(crate) fn take_children(schema: &mut ValueSchema, out: &mut Vec<ValueSchema>) {
    match &mut schema.kind {
        Kind::Array(ArrayRules { prefix, items, .. }) => {
            prefix.take(out);
            if let Some(items) = items {
                items.take(out);
            }
        }
        Kind::Object(ObjectRules { properties, additional, .. }) => {
            if let Some(properties) = properties {
                properties.take(out);
            }
            if let Additional::Schema(child) = additional {
                child.take(out);
            }
        }
        Kind::OneOf(branches) | Kind::AnyOf(branches) => branches.take(out),
        _ => {}
    }
    if let Many::Shared(definitions) = &mut schema.definitions
        && let Some(definitions) = Arc::get_mut(definitions)
    {
        out.extend(definitions.iter_mut().map(|definition| take(&mut definition.schema)));
    }
}

pub(super) fn take(schema: &mut ValueSchema) -> ValueSchema {
    std::mem::replace(schema, ValueSchema::new(Kind::Json))
}

impl Many<ValueSchema> {
    fn take(&mut self, out: &mut Vec<ValueSchema>) {
        if let Self::Shared(parts) = self
            && let Some(parts) = Arc::get_mut(parts)
        {
            out.extend(parts.iter_mut().map(take));
        }
    }
}

impl Child {
    fn take(&mut self, out: &mut Vec<ValueSchema>) {
        if let Self::Shared(schema) = self
            && let Some(schema) = Arc::get_mut(schema)
        {
            out.push(take(schema));
        }
    }
}
