//! Objects: what is said about their properties and about every other key.

use std::sync::Arc;

use super::parts::{Child, Many, Text, take};
use super::value::{Kind, ValueSchema};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ObjectRules {
    /// Absent and empty accept the same and are shown as they were written.
    ///
    /// Read them through [`declared`](Self::declared), which knows flattened ones.
    pub(crate) properties: Option<Properties>,
    /// Read it through [`others`](Self::others), which knows flattened maps.
    pub(crate) additional: Additional,
    /// The required names as a parsed schema lists them, where that is not their declared order.
    pub(crate) listed: Option<Many<Text>>,
    pub(crate) min_properties: Option<u64>,
    pub(crate) max_properties: Option<u64>,
}

/// What an object says about keys that it does not declare.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Additional {
    /// Nothing is said, which means open.
    Unstated,
    Open,
    Closed,
    /// Open for values that fit.
    Schema(Child),
}

/// The properties of an object, with what every check asks about all of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Properties {
    own: Many<Property>,
    /// How many of them have to be there.
    required: usize,
    /// Whether one stands for the properties of its schema.
    flattening: bool,
}

/// One declared property of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub(crate) name: Text,
    pub(crate) schema: ValueSchema,
    pub(crate) required: bool,
    /// `null` counts as absent, as serde reads an `Option`.
    pub(crate) null_is_absent: bool,
    /// Other keys that are read as this one; a model is told the name only.
    pub(crate) aliases: &'static [&'static str],
    /// Stands for the properties of its schema, and has no name.
    pub(crate) flattened: bool,
}

impl ObjectRules {
    pub(crate) const fn constant(own: &'static [Property], additional: Additional) -> Self {
        Self {
            properties: Some(Properties::constant(own)),
            additional,
            listed: None,
            min_properties: None,
            max_properties: None,
        }
    }

    /// The declared properties in order, flattened ones in the place of what they stand for.
    pub(crate) fn declared(&self) -> Declared<'_> {
        Declared { levels: vec![self.own().iter()] }
    }

    /// The property that a key is read as.
    pub(crate) fn find(&self, key: &str) -> Option<&Property> {
        let own = self.own().iter().find(|property| property.is_called(key));
        own.or_else(|| {
            let mut inner = self.own().iter().filter_map(Property::flat);
            inner.find_map(|rules| rules.find(key))
        })
    }

    /// What holds for keys that are not declared: a flattened map says it for the whole object.
    pub(crate) fn others(&self) -> &Additional {
        let mut flattened = self.own().iter().filter_map(Property::flat);
        let map = flattened
            .find(|rules| matches!(rules.others(), Additional::Schema(_) | Additional::Open));
        map.map_or(&self.additional, Self::others)
    }

    /// How many own properties have to be there.
    #[inline]
    pub(crate) fn required_count(&self) -> usize {
        self.properties.as_ref().map_or(0, |properties| properties.required)
    }

    /// Whether a property stands for the properties of its schema.
    #[inline]
    pub(crate) fn is_flattening(&self) -> bool {
        self.properties.as_ref().is_some_and(|properties| properties.flattening)
    }

    /// The properties as they stand here, flattened ones as such.
    #[inline]
    pub(crate) fn own(&self) -> &[Property] {
        self.properties.as_ref().map_or(&[], |properties| &properties.own)
    }

    /// The required names, in the order in which their absence is reported.
    pub(crate) fn required(&self) -> impl Iterator<Item = &str> {
        let listed = self.listed.iter().flat_map(|names| names.iter()).map(|name| &**name);
        let declared = self.listed.is_none().then(|| self.declared());
        let declared = declared.into_iter().flatten().filter(|property| property.required);
        listed.chain(declared.map(Property::name))
    }

    pub(crate) const fn copied(&'static self) -> Self {
        Self {
            properties: match &self.properties {
                Some(properties) => Some(properties.copied()),
                None => None,
            },
            additional: match &self.additional {
                Additional::Unstated => Additional::Unstated,
                Additional::Open => Additional::Open,
                Additional::Closed => Additional::Closed,
                Additional::Schema(child) => Additional::Schema(child.copied()),
            },
            listed: match &self.listed {
                Some(listed) => Some(listed.copied()),
                None => None,
            },
            min_properties: self.min_properties,
            max_properties: self.max_properties,
        }
    }
}

impl Properties {
    pub(crate) const fn constant(own: &'static [Property]) -> Self {
        let mut required = 0;
        let mut flattening = false;
        let mut index = 0;
        while index < own.len() {
            required += own[index].required as usize;
            flattening |= own[index].flattened;
            index += 1;
        }
        Self { own: Many::Static(own), required, flattening }
    }

    /// The properties, in constant evaluation, where nothing is shared.
    pub(crate) const fn as_const(&self) -> &'static [Property] {
        self.own.as_const()
    }

    const fn copied(&'static self) -> Self {
        Self { own: self.own.copied(), required: self.required, flattening: self.flattening }
    }

    /// Moves the schemas out that nobody else holds, so that each drops by itself.
    pub(super) fn take(&mut self, out: &mut Vec<ValueSchema>) {
        if let Many::Shared(own) = &mut self.own
            && let Some(own) = Arc::get_mut(own)
        {
            out.extend(own.iter_mut().map(|property| take(&mut property.schema)));
        }
    }
}

impl From<Vec<Property>> for Properties {
    fn from(own: Vec<Property>) -> Self {
        let required = own.iter().filter(|property| property.required).count();
        let flattening = own.iter().any(|property| property.flattened);
        Self { own: own.into(), required, flattening }
    }
}

/// The property that a key is read as, looked for from a place on: keys mostly come in the order in
/// which they are declared.
#[inline]
pub(crate) fn find<'p>(
    own: &'p [Property],
    key: &str,
    from: usize,
) -> Option<(usize, &'p Property)> {
    let mut index = from;
    while let Some(property) = own.get(index) {
        if property.has_name(key) {
            return Some((index, property));
        }
        index += 1;
    }
    let index = own.iter().position(|property| property.is_called(key))?;
    Some((index, &own[index]))
}

/// Whether two names are the same: they are short, and a call of `memcmp` costs more than that.
#[inline]
fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        4..=8 => has_same_ends::<4>(a, b),
        2..=3 => has_same_ends::<2>(a, b),
        _ => a == b,
    }
}

/// Whether two names have the same first and the same last bytes.
#[inline]
fn has_same_ends<const N: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<N>() == b.first_chunk() && a.last_chunk::<N>() == b.last_chunk()
}

/// The properties of an object, those of flattened ones in between.
pub(crate) struct Declared<'a> {
    /// The object itself, and the flattened ones the walk is inside of.
    levels: Vec<std::slice::Iter<'a, Property>>,
}

impl<'a> Iterator for Declared<'a> {
    type Item = &'a Property;

    fn next(&mut self) -> Option<&'a Property> {
        loop {
            match self.levels.last_mut()?.next() {
                None => drop(self.levels.pop()),
                Some(property) => match property.flat() {
                    Some(rules) => self.levels.push(rules.own().iter()),
                    None if property.flattened => {}
                    None => return Some(property),
                },
            }
        }
    }
}

impl Property {
    /// The rules of the object whose properties this one stands for.
    fn flat(&self) -> Option<&ObjectRules> {
        match &self.schema.kind {
            Kind::Object(rules) if self.flattened => Some(rules),
            _ => None,
        }
    }

    /// Whether a key is read as this property.
    #[inline]
    pub(crate) fn is_called(&self, key: &str) -> bool {
        self.has_name(key) || self.aliases.contains(&key)
    }

    #[inline]
    fn has_name(&self, key: &str) -> bool {
        is_same(&self.name, key) && !self.flattened
    }

    /// The key.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the value has to look like.
    pub const fn schema(&self) -> &ValueSchema {
        &self.schema
    }

    /// Whether the key has to be there.
    pub const fn is_required(&self) -> bool {
        self.required
    }
}
