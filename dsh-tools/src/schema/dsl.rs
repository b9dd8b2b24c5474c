//! The author's form of a schema, as data: a record of kinds, compiled to JSON Schema.
//!
//! It is what the specification calls the DSL (R-SCH-1 to R-SCH-19): `required: true` stands on the
//! property, `json` accepts everything, and an object says whether it is open. Compiling stops at
//! the first mistake of form; what it gives is then read as JSON Schema, which finds all others.

use serde_json::{Map, Value};

use super::error::SchemaError;
use super::parse::Vocabulary;
use super::path::{At, Paths, ROOT, Step};
use super::value::ValueSchema;

impl ValueSchema {
    /// Compiles a value schema of the DSL.
    ///
    /// # Errors
    /// The first mistake of form, or every violation of the strict subset.
    ///
    /// # Examples
    /// ```
    /// use dsh_tools::schema::ValueSchema;
    /// use serde_json::json;
    ///
    /// # fn main() -> Result<(), dsh_tools::schema::SchemaError> {
    /// let schema = ValueSchema::compile(&json!({
    ///     "type": "object",
    ///     "additionalProperties": false,
    ///     "properties": {"path": {"type": "string", "required": true}, "extra": {"type": "json"}},
    /// }))?;
    /// assert_eq!(schema.to_json()["required"], json!(["path"]));
    /// # Ok(())
    /// # }
    /// ```
    pub fn compile(spec: &Value) -> Result<Self, SchemaError> {
        let mut compiler = Compiler::new("schema");
        compiler.todo.push(Work { spec, at: ROOT, into: None, is_property: false });
        compiler.run()
    }

    /// Compiles a parameter map of the DSL: an open object with these properties.
    ///
    /// # Errors
    /// The first mistake of form, or every violation of the strict subset.
    pub fn compile_parameters(spec: &Value) -> Result<Self, SchemaError> {
        let mut compiler = Compiler::new("parameters");
        let mut root = Map::new();
        root.insert("type".into(), "object".into());
        compiler.nodes.push((root, None));
        compiler.properties(spec, 0, ROOT, None).map_err(|text| SchemaError::new(vec![text]))?;
        compiler.run()
    }
}

struct Compiler<'a> {
    root: &'static str,
    paths: Paths<'a>,
    todo: Vec<Work<'a>>,
    /// What was compiled, parents before children, and where each stands in its parent.
    nodes: Vec<Compiled<'a>>,
}

/// What a node was compiled to, and where it stands in its parent.
type Compiled<'a> = (Map<String, Value>, Option<(usize, Slot<'a>)>);

struct Work<'a> {
    spec: &'a Value,
    at: At,
    into: Option<(usize, Slot<'a>)>,
    is_property: bool,
}

#[derive(Clone, Copy)]
enum Slot<'a> {
    Property(&'a str),
    Items,
    Branch(usize),
}

const ANNOTATIONS: [&str; 4] = ["description", "title", "default", "examples"];

/// A mistake of form, with its path.
type Mistake = String;

impl<'a> Compiler<'a> {
    fn new(root: &'static str) -> Self {
        Self { root, paths: Paths::new(), todo: Vec::new(), nodes: Vec::new() }
    }

    fn run(mut self) -> Result<ValueSchema, SchemaError> {
        while let Some(work) = self.todo.pop() {
            self.node(&work).map_err(|text| SchemaError::new(vec![text]))?;
        }
        let compiled = crate::json::Held::from(self.assemble());
        ValueSchema::parse_as(compiled.value(), Vocabulary::Strict)
    }

    fn node(&mut self, work: &Work<'a>) -> Result<(), Mistake> {
        let at = work.at;
        let Value::Object(spec) = work.spec else {
            return Err(self.mistake(at, None, "must be a value schema object"));
        };
        let index = self.nodes.len();
        self.nodes.push((Map::new(), work.into));
        if let Some(branches) = spec.get("oneOf") {
            self.vocabulary(spec, at, &["type", "oneOf"], work.is_property)?;
            if spec.contains_key("type") {
                return Err(self.mistake(at, None, "cannot declare both type and oneOf"));
            }
            self.required(spec, at)?;
            let Value::Array(branches) = branches else {
                let text = "must be an array of at least two value schemas";
                return Err(self.mistake(at, Some("oneOf"), text));
            };
            self.set(index, "oneOf", vec![Value::Null; branches.len()].into());
            let branches = branches.iter().enumerate();
            let children = branches
                .map(|(place, spec)| (Slot::Branch(place), Step::Branch("oneOf", place), spec));
            self.children(index, at, children, false);
        } else {
            self.kind(spec, index, work)?;
        }
        for key in ANNOTATIONS {
            if let Some(value) = spec.get(key) {
                self.set(index, key, value.clone());
            }
        }
        Ok(())
    }

    fn kind(
        &mut self,
        spec: &'a Map<String, Value>,
        index: usize,
        work: &Work<'a>,
    ) -> Result<(), Mistake> {
        let at = work.at;
        let kind = spec.get("type").and_then(Value::as_str).unwrap_or_default();
        let options: &[&str] = match kind {
            "string" | "number" | "integer" | "boolean" | "null" => &["type", "enum", "const"],
            "array" => &["type", "items"],
            "object" => &["type", "additionalProperties", "properties"],
            "json" => &["type"],
            _ => {
                let text = "must be string/number/integer/boolean/null/array/object/json, \
                            or use oneOf";
                return Err(self.mistake(at, Some("type"), text));
            }
        };
        self.vocabulary(spec, at, options, work.is_property)?;
        self.required(spec, at)?;
        if kind != "json" {
            self.set(index, "type", kind.into());
        }
        match kind {
            "object" => self.object(spec, index, at)?,
            "array" => {
                if let Some(items) = spec.get("items") {
                    self.set(index, "items", Value::Null);
                    let items = [(Slot::Items, Step::Keyword("items"), items)];
                    self.children(index, at, items.into_iter(), false);
                }
            }
            _ => {
                if spec.get("enum").is_some_and(|members| !members.is_array()) {
                    let text = "must be a non-empty array of scalar values";
                    return Err(self.mistake(at, Some("enum"), text));
                }
                for key in ["enum", "const"] {
                    if let Some(value) = spec.get(key) {
                        self.set(index, key, value.clone());
                    }
                }
            }
        }
        Ok(())
    }

    fn object(
        &mut self,
        spec: &'a Map<String, Value>,
        index: usize,
        at: At,
    ) -> Result<(), Mistake> {
        let Some(Value::Bool(open)) = spec.get("additionalProperties") else {
            let text = "must be explicitly true or false";
            return Err(self.mistake(at, Some("additionalProperties"), text));
        };
        self.set(index, "additionalProperties", (*open).into());
        match spec.get("properties") {
            Some(properties) => self.properties(properties, index, at, Some("properties")),
            None => Ok(()),
        }
    }

    /// A property map: under an object, or by itself as the parameters of a tool.
    fn properties(
        &mut self,
        spec: &'a Value,
        index: usize,
        at: At,
        keyword: Option<&'static str>,
    ) -> Result<(), Mistake> {
        let Value::Object(properties) = spec else {
            return Err(self.mistake(at, keyword, "must be an object of value schemas"));
        };
        let names = properties.keys().map(|name| (name.clone(), Value::Null));
        self.set(index, "properties", Value::Object(names.collect()));
        let is_required =
            |spec: &Value| spec.get("required").is_some_and(|required| *required == true);
        let required: Vec<_> = properties
            .iter()
            .filter(|(_, spec)| is_required(spec))
            .map(|(name, _)| &**name)
            .collect();
        if !required.is_empty() {
            self.set(index, "required", required.into());
        }
        let children = properties.iter().map(|(name, spec)| {
            let step = keyword.map_or(Step::Key(name), |keyword| Step::Named(keyword, name));
            (Slot::Property(name), step, spec)
        });
        self.children(index, at, children, true);
        Ok(())
    }

    fn vocabulary(
        &self,
        spec: &Map<String, Value>,
        at: At,
        options: &[&str],
        is_property: bool,
    ) -> Result<(), Mistake> {
        let known = |key: &str| {
            options.contains(&key)
                || ANNOTATIONS.contains(&key)
                || (is_property && key == "required")
        };
        match spec.keys().find(|key| !known(key)) {
            None => Ok(()),
            Some(key) => {
                Err(self.mistake(at, Some(key), "is not supported by the value schema DSL"))
            }
        }
    }

    fn required(&self, spec: &Map<String, Value>, at: At) -> Result<(), Mistake> {
        if spec.get("required").is_some_and(|required| *required != true) {
            return Err(self.mistake(at, Some("required"), "must be true when present"));
        }
        Ok(())
    }

    /// Compiles children next, in their order.
    fn children(
        &mut self,
        index: usize,
        at: At,
        children: impl Iterator<Item = (Slot<'a>, Step<'a>, &'a Value)>,
        is_property: bool,
    ) {
        let first = self.todo.len();
        for (slot, step, spec) in children {
            let at = self.paths.below(at, step);
            self.todo.push(Work { spec, at, into: Some((index, slot)), is_property });
        }
        self.todo[first..].reverse();
    }

    fn set(&mut self, index: usize, key: &str, value: Value) {
        self.nodes[index].0.insert(key.into(), value);
    }

    fn mistake(&self, at: At, keyword: Option<&str>, text: &str) -> Mistake {
        format!("{} {text}", self.paths.write(self.root, at, keyword.map(Step::Key)))
    }

    /// Puts every node into its parent, the last ones first, so that a node is whole when it moves.
    fn assemble(mut self) -> Value {
        loop {
            let Some((node, into)) = self.nodes.pop() else { return Value::Null };
            let Some((parent, slot)) = into else { return node.into() };
            let parent = &mut self.nodes[parent].0;
            match slot {
                Slot::Property(name) => parent["properties"][name] = node.into(),
                Slot::Items => parent["items"] = node.into(),
                Slot::Branch(place) => parent["oneOf"][place] = node.into(),
            }
        }
    }
}
