//! Under which keys a value may come, for who looks at arguments before they are read.

use super::object::{Additional, ObjectRules};
use super::value::{Kind, ValueSchema};

/// Every schema that may hold for one place in a value.
pub(crate) struct Places<'a> {
    root: Option<&'a ValueSchema>,
    /// Objects, arrays and scalars: unions and references are followed.
    at: Vec<&'a ValueSchema>,
}

impl<'a> Places<'a> {
    /// The place of the whole value; without a schema nothing is known of any place.
    pub(crate) fn root(schema: Option<&'a ValueSchema>) -> Self {
        Self { root: schema, at: Vec::new() }.with(schema)
    }

    /// The keys that are read as this one, itself first.
    pub(crate) fn keys(&self, key: &'a str) -> Vec<&'a str> {
        let called = self.objects().flat_map(|rules| rules.declared());
        let called = called.filter(|property| property.is_called(key));
        let names = called.flat_map(|property| {
            std::iter::once(property.name()).chain(property.aliases.iter().copied())
        });
        let mut keys = vec![key];
        for name in names {
            if !keys.contains(&name) {
                keys.push(name);
            }
        }
        keys
    }

    /// The place of the member of an object.
    pub(crate) fn member(&self, key: &str) -> Self {
        let schemas = self.objects().flat_map(|rules| {
            let declared = rules.declared().filter(|property| property.is_called(key));
            let mut schemas: Vec<_> = declared.map(|property| &property.schema).collect();
            if let (true, Additional::Schema(schema)) = (schemas.is_empty(), rules.others()) {
                schemas.push(schema);
            }
            schemas
        });
        Self { root: self.root, at: Vec::new() }.with(schemas)
    }

    /// The place of every element of an array.
    pub(crate) fn elements(&self) -> Self {
        let schemas = self.at.iter().flat_map(|schema| match &schema.kind {
            Kind::Array(rules) => rules.prefix.iter().chain(rules.items.as_deref()).collect(),
            _ => Vec::new(),
        });
        Self { root: self.root, at: Vec::new() }.with(schemas)
    }

    fn objects(&self) -> impl Iterator<Item = &'a ObjectRules> {
        self.at.iter().filter_map(|schema| match &schema.kind {
            Kind::Object(rules) => Some(rules),
            _ => None,
        })
    }

    fn with(mut self, schemas: impl IntoIterator<Item = &'a ValueSchema>) -> Self {
        let mut todo: Vec<_> = schemas.into_iter().collect();
        let mut seen: Vec<&ValueSchema> = Vec::new();
        while let Some(schema) = todo.pop() {
            // A type may be a branch of its own union.
            if seen.iter().any(|other| std::ptr::eq(*other, schema)) {
                continue;
            }
            seen.push(schema);
            match &schema.kind {
                Kind::OneOf(branches) | Kind::AnyOf(branches) => todo.extend(branches.iter()),
                Kind::Reference(to) => todo.extend(self.root.map(|root| to.target(root))),
                _ => self.at.push(schema),
            }
        }
        self
    }
}
