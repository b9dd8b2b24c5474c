//! Maps and sets of `indexmap`, which keep their order.

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};

use crate::schema::{MapKey, Schema, ValueSchema};

impl<K: MapKey, V: Schema, S> Schema for IndexMap<K, V, S> {
    const SCHEMA: &'static ValueSchema = <BTreeMap<K, V>>::SCHEMA;
}

impl<T: Schema, S> Schema for IndexSet<T, S> {
    const SCHEMA: &'static ValueSchema = <[T]>::SCHEMA;
}
