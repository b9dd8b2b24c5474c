//! Schemas within our vocabulary and values that nearly fit them, from a list of bytes.
//!
//! A byte decides one thing. When they are used up every choice is the first one, which is the
//! simplest: so a shorter list, or one with smaller bytes, gives a simpler case.

mod value;

use serde_json::{Map, Value, json};

/// Choices that are still to be made.
pub(crate) struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// Where the definitions are.
    keyword: &'static str,
}

const TEXTS: [&str; 10] =
    ["", "a", "ab", "abc", "b1", "12", "\u{e9}", "\u{1f600}a", "e\u{301}", "a b"];
const PATTERNS: [&str; 6] = ["^a", "b$", "^[a-z]+$", r"\d{2}", "^$", r"^[\w-]+$"];
const NAMES: [&str; 6] = ["a", "b", "c", "a/b", "x~y", "p%20q"];
const KINDS: [&str; 6] = ["string", "integer", "number", "boolean", "array", "object"];

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes: bytes.iter(), keyword: "$defs" }
    }

    /// A number below `count`.
    fn pick(&mut self, count: usize) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or_default()) % count
    }

    /// True once in so many times.
    fn once_in(&mut self, count: usize) -> bool {
        self.pick(count) == count - 1
    }

    fn one<'s>(&mut self, texts: &[&'s str]) -> &'s str {
        texts[self.pick(texts.len())]
    }

    /// A whole schema, with definitions.
    pub(crate) fn schema(&mut self) -> Value {
        let count = self.pick(4);
        let names = &NAMES[NAMES.len() - count..];
        if self.once_in(4) {
            self.keyword = "definitions";
        }
        let is_simple = self.once_in(4);
        let mut schema = match self.pick(6) {
            _ if is_simple => self.node(0, names),
            0 | 1 => self.object(4, names),
            2 => self.array(4, names),
            3 => self.all_of(4, names),
            _ => self.node(4, names),
        };
        if count > 0 {
            let definitions: Map<_, _> =
                names.iter().map(|name| ((*name).to_owned(), self.node(2, names))).collect();
            schema[self.keyword] = definitions.into();
        }
        schema
    }

    fn node(&mut self, depth: usize, names: &[&str]) -> Value {
        let mut node = match self.pick(if depth == 0 { 9 } else { 16 }) {
            0 => json!({}),
            1 => self.null(),
            kind @ 2..=5 => self.typed(KINDS[kind - 2], depth, names),
            6 | 7 if !names.is_empty() => self.reference(names),
            6 | 7 => json!({"type": "string"}),
            8 => self.nullable(depth, names),
            9 | 10 => self.array(depth, names),
            11 | 12 => self.object(depth, names),
            13 => json!({"oneOf": self.nodes(2, depth - 1, names)}),
            14 => json!({"anyOf": self.nodes(1, depth - 1, names)}),
            _ => self.all_of(depth, names),
        };
        if self.once_in(4) {
            self.annotate(&mut node);
        }
        node
    }

    fn nodes(&mut self, least: usize, depth: usize, names: &[&str]) -> Value {
        let count = least + self.pick(3);
        (0..count).map(|_| self.node(depth, names)).collect()
    }

    fn annotate(&mut self, node: &mut Value) {
        match self.pick(5) {
            0 => node["description"] = json!("what it is"),
            1 => node["title"] = json!("T"),
            2 => node["default"] = self.any(1),
            3 => node["examples"] = json!([self.any(1)]),
            _ => node["deprecated"] = json!(true),
        }
    }

    fn reference(&mut self, names: &[&str]) -> Value {
        match self.pick(names.len() + 1) {
            0 => json!({"$ref": "#"}),
            index => {
                let name = names[index - 1].replace('~', "~0").replace('/', "~1");
                json!({"$ref": format!("#/{}/{}", self.keyword, name.replace('%', "%25"))})
            }
        }
    }

    fn typed(&mut self, name: &str, depth: usize, names: &[&str]) -> Value {
        match name {
            "array" => self.array(depth, names),
            "object" => self.object(depth, names),
            "string" => self.string(),
            "boolean" => self.scalar(name, |choices| json!(choices.once_in(2))),
            _ => self.number(name),
        }
    }

    fn nullable(&mut self, depth: usize, names: &[&str]) -> Value {
        let name = if depth == 0 { self.one(&KINDS[..4]) } else { self.one(&KINDS) };
        let mut node = self.typed(name, depth, names);
        node["type"] = if self.once_in(2) { json!(["null", name]) } else { json!([name, "null"]) };
        if let Some(members) = node.get_mut("enum").and_then(Value::as_array_mut)
            && self.once_in(2)
        {
            members.push(Value::Null);
        }
        node
    }

    fn null(&mut self) -> Value {
        match self.pick(3) {
            0 => json!({"type": "null"}),
            1 => json!({"type": "null", "enum": [null]}),
            _ => json!({"type": "null", "const": null}),
        }
    }

    /// A scalar, which may have members of its own.
    fn scalar(&mut self, name: &str, mut literal: impl FnMut(&mut Self) -> Value) -> Value {
        match self.pick(4) {
            0 | 1 => json!({"type": name}),
            2 => {
                let count = 1 + self.pick(3);
                let members: Vec<_> = (0..count).map(|_| literal(self)).collect();
                json!({"type": name, "enum": members})
            }
            _ => json!({"type": name, "const": literal(self)}),
        }
    }

    fn string(&mut self) -> Value {
        let mut node = self.scalar("string", |choices| json!(choices.one(&TEXTS)));
        match self.pick(6) {
            0 => node["minLength"] = json!(self.pick(4)),
            1 => node["maxLength"] = json!(self.pick(4)),
            2 => node["pattern"] = json!(self.one(&PATTERNS)),
            _ => {}
        }
        node
    }

    fn number(&mut self, name: &str) -> Value {
        let is_integer = name == "integer";
        let mut node =
            self.scalar(
                name,
                |choices| {
                    if is_integer { choices.integer() } else { choices.any_number() }
                },
            );
        for _ in 0..self.pick(3) {
            match self.pick(5) {
                0 => node["minimum"] = self.any_number(),
                1 => node["maximum"] = self.any_number(),
                2 => node["exclusiveMinimum"] = self.any_number(),
                3 => node["exclusiveMaximum"] = self.any_number(),
                _ => {
                    let step = [json!(1), json!(2), json!(3), json!(0.5), json!(0.25)];
                    node["multipleOf"] = step[self.pick(5)].clone();
                }
            }
        }
        node
    }

    fn array(&mut self, depth: usize, names: &[&str]) -> Value {
        let depth = depth.saturating_sub(1);
        let mut node = json!({"type": "array"});
        if self.once_in(2) {
            node["items"] = self.node(depth, names);
        }
        if self.once_in(3) {
            node["prefixItems"] = self.nodes(1, depth, names);
        }
        match self.pick(6) {
            0 => node["minItems"] = json!(self.pick(4)),
            1 => node["maxItems"] = json!(self.pick(4)),
            2 => node["uniqueItems"] = json!(self.once_in(4) == self.once_in(4)),
            _ => {}
        }
        node
    }

    fn object(&mut self, depth: usize, names: &[&str]) -> Value {
        let depth = depth.saturating_sub(1);
        let mut node = json!({"type": "object"});
        if self.once_in(2) {
            let declared = &NAMES[..self.pick(NAMES.len())];
            let required: Vec<_> =
                declared.iter().filter(|_| self.once_in(3)).map(|name| json!(name)).collect();
            let properties: Map<_, _> =
                declared.iter().map(|name| ((*name).to_owned(), self.node(depth, names))).collect();
            node["properties"] = properties.into();
            if !required.is_empty() || self.once_in(4) {
                node["required"] = required.into();
            }
        }
        match self.pick(5) {
            0 => node["additionalProperties"] = json!(false),
            1 => node["additionalProperties"] = json!(true),
            2 => node["additionalProperties"] = self.node(depth, names),
            _ => {}
        }
        match self.pick(6) {
            0 => node["minProperties"] = json!(self.pick(3)),
            1 => node["maxProperties"] = json!(self.pick(3)),
            _ => {}
        }
        node
    }

    /// One branch of any kind, or open objects with names of their own.
    fn all_of(&mut self, depth: usize, names: &[&str]) -> Value {
        if self.once_in(2) {
            return json!({"allOf": [self.node(depth - 1, names)]});
        }
        let branch = |name: &str, schema, required: bool| {
            let required: &[&str] = if required { &[name] } else { &[] };
            json!({"type": "object", "properties": {name: schema}, "required": required})
        };
        let (first, second) = (self.node(depth - 1, names), self.node(depth - 1, names));
        let (a, b) = (self.once_in(2), self.once_in(2));
        json!({"allOf": [branch("a", first, a), branch("b", second, b)]})
    }
}
