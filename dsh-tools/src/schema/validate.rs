//! Checks a value against a schema and reports every violation, in walk order.
//!
//! The walk keeps its own stack, so that neither a deep value nor a deep schema can overflow the
//! thread's. Paths are kept as steps and only become text where a violation is found.

use std::fmt::{self, Display, Formatter, Write as _};

use serde_json::{Map, Value};

use super::hint::nearest;
use super::value::{
    Additional, ArrayRules, Kind, Member, Number, NumberRules, ObjectRules, Property, StringRules,
    ValueSchema,
};

/// One place where a value breaks a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Violation {
    /// What is wrong and where, in one sentence.
    pub text: String,
    /// What would be accepted instead, where that is more than the sentence says.
    pub hint: Option<String>,
}

impl Violation {
    pub(crate) fn drop_hint(&mut self) {
        self.hint = None;
    }
}

impl Display for Violation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.hint {
            Some(hint) => write!(f, ", {hint}"),
            None => Ok(()),
        }
    }
}

impl ValueSchema {
    /// Whether the value has no violation.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.validate(value, "value").is_empty()
    }

    /// Every violation of the value, in walk order; none means valid.
    ///
    /// `root` is the name of the value in the texts. An empty one is for arguments: the root reads
    /// `arguments` and a property has no leading dot.
    ///
    /// ```
    /// use dsh_tools::schema::{Property, ValueSchema};
    /// use serde_json::json;
    ///
    /// let schema = ValueSchema::object([Property::required("limit", ValueSchema::integer())]);
    /// let violations = schema.validate(&json!({"limt": 3}), "");
    /// assert_eq!(violations[0].to_string(), r#"missing required property "limit", an integer"#);
    /// assert_eq!(
    ///     violations[1].to_string(),
    ///     r#""limt" is not a declared property (additionalProperties: false), did you mean "limit"?"#
    /// );
    /// ```
    pub fn validate(&self, value: &Value, root: &str) -> Vec<Violation> {
        let mut walk = Walk {
            root,
            steps: Vec::new(),
            todo: vec![Work::Check { schema: self, value, at: ROOT }],
            matched: Vec::new(),
            violations: Vec::new(),
        };
        while let Some(work) = walk.todo.pop() {
            walk.perform(work);
        }
        walk.violations
    }
}

/// A step's place in [`Walk::steps`], or the root.
type At = usize;
const ROOT: At = usize::MAX;

struct Walk<'a> {
    root: &'a str,
    steps: Vec<(At, Step<'a>)>,
    todo: Vec<Work<'a>>,
    /// Matching branches of the unions the walk is inside of, innermost last.
    matched: Vec<usize>,
    violations: Vec<Violation>,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

#[derive(Clone, Copy)]
enum Work<'a> {
    Check {
        schema: &'a ValueSchema,
        value: &'a Value,
        at: At,
    },
    /// The keys that are not declared come after those that are.
    Undeclared {
        rules: &'a ObjectRules,
        value: &'a Map<String, Value>,
        at: At,
        before: usize,
    },
    /// One branch is done; what it reported is dropped.
    Branch {
        before: usize,
    },
    OneOf {
        at: At,
    },
}

impl<'a> Walk<'a> {
    fn perform(&mut self, work: Work<'a>) {
        match work {
            Work::Check { schema, value, at } => self.check(schema, value, at),
            Work::Undeclared { rules, value, at, before } => {
                self.undeclared(rules, value, at, before);
            }
            Work::Branch { before } => {
                if self.violations.len() == before
                    && let Some(matched) = self.matched.last_mut()
                {
                    *matched += 1;
                }
                self.violations.truncate(before);
            }
            Work::OneOf { at } => {
                let matched = self.matched.pop().unwrap_or_default();
                if matched != 1 {
                    let text = format!(
                        "{} must match exactly one oneOf branch (matched {matched})",
                        self.quoted(at)
                    );
                    self.report(text, None);
                }
            }
        }
    }

    fn check(&mut self, schema: &'a ValueSchema, value: &'a Value, at: At) {
        match (&schema.kind, value) {
            (Kind::Null | Kind::Nullable(_), Value::Null) | (Kind::Boolean, Value::Bool(_)) => {}
            (Kind::Json, _) => self.lossless(value, at),
            (Kind::Nullable(child), _) => {
                self.todo.push(Work::Check { schema: child, value, at });
            }
            (Kind::String(rules), Value::String(text)) => self.string(rules, text, at),
            (Kind::Integer(rules), Value::Number(number)) => self.integer(rules, number, at),
            (Kind::Number(rules), Value::Number(number)) => self.number(rules, number, at),
            (Kind::Array(rules), Value::Array(items)) => self.array(rules, items, at),
            (Kind::Object(rules), Value::Object(members)) => self.object(rules, members, at),
            (Kind::OneOf(branches), _) => self.one_of(branches, value, at),
            _ => {
                let text = format!("{} must be {}", self.quoted(at), schema.kind_name());
                self.report(text, Some(format!("got {}", kind_of(value))));
            }
        }
    }

    fn string(&mut self, rules: &StringRules, text: &str, at: At) {
        if !rules.members.is_empty() {
            if !rules.members.iter().any(|member| member.value() == text) {
                let accepted: Vec<_> = rules.members.iter().map(Member::value).collect();
                let hint = nearest(text, accepted.iter().copied())
                    .map(|meant| format!("did you mean {}?", quote(meant)));
                let accepted = Value::from(accepted);
                let text = format!("{} must be one of {accepted}", self.quoted(at));
                self.report(text, hint);
            }
            return;
        }
        let length = text.chars().count();
        self.length(length, rules.min_length, "at least", at, "character");
        self.length(length, rules.max_length, "at most", at, "character");
    }

    fn integer(&mut self, rules: &NumberRules, number: &serde_json::Number, at: At) {
        match exact(number) {
            Some(value) if value.is_integral() => self.bounds(rules, value, at),
            _ => {
                let text = format!("{} must be an integer", self.quoted(at));
                self.report(text, Some("got a number with a fraction or a negative zero".into()));
            }
        }
    }

    fn number(&mut self, rules: &NumberRules, number: &serde_json::Number, at: At) {
        if let Some(value) = exact(number) {
            self.bounds(rules, value, at);
        } else {
            let text = format!("{} must be a finite JSON number", self.quoted(at));
            self.report(text, None);
        }
    }

    fn bounds(&mut self, rules: &NumberRules, value: Number, at: At) {
        let NumberRules { minimum, maximum, exclusive_minimum, exclusive_maximum, multiple_of } =
            rules;
        let broken = [
            minimum.filter(|bound| value.less_than(*bound)).map(|bound| ("at least", bound)),
            maximum.filter(|bound| bound.less_than(value)).map(|bound| ("at most", bound)),
            exclusive_minimum.filter(|bound| !bound.less_than(value)).map(|bound| ("above", bound)),
            exclusive_maximum
                .filter(|bound| !value.less_than(*bound))
                .map(|bound| ("below", bound)),
            multiple_of
                .filter(|step| !is_multiple(value, *step))
                .map(|step| ("a multiple of", step)),
        ];
        for (relation, bound) in broken.into_iter().flatten() {
            let text = format!("{} must be {relation} {bound}", self.quoted(at));
            self.report(text, None);
        }
    }

    fn array(&mut self, rules: &'a ArrayRules, items: &'a [Value], at: At) {
        self.length(items.len(), rules.min_items, "at least", at, "item");
        self.length(items.len(), rules.max_items, "at most", at, "item");
        match &rules.items {
            Some(schema) => {
                let first = self.todo.len();
                for (index, value) in items.iter().enumerate() {
                    let at = self.step(at, Step::Index(index));
                    self.todo.push(Work::Check { schema, value, at });
                }
                self.todo[first..].reverse();
            }
            None if !items.iter().all(is_lossless) => {
                let text = format!("{} must be a dense lossless JSON array", self.quoted(at));
                self.report(text, None);
            }
            None => {}
        }
    }

    fn object(&mut self, rules: &'a ObjectRules, members: &'a Map<String, Value>, at: At) {
        let before = self.violations.len();
        for property in rules.properties.iter().filter(|property| property.required) {
            if !members.contains_key(property.name()) {
                let path = self.path(self.steps.len(), Some((at, Step::Key(property.name()))));
                let text = format!("missing required property {path}");
                self.report(text, Some(property.schema.kind_name().to_owned()));
            }
        }
        self.todo.push(Work::Undeclared { rules, value: members, at, before });
        let first = self.todo.len();
        for property in &*rules.properties {
            match members.get(property.name()) {
                None => {}
                Some(Value::Null) if property.null_is_absent => {}
                Some(value) => {
                    let at = self.step(at, Step::Key(property.name()));
                    self.todo.push(Work::Check { schema: &property.schema, value, at });
                }
            }
        }
        self.todo[first..].reverse();
    }

    fn undeclared(
        &mut self,
        rules: &'a ObjectRules,
        members: &'a Map<String, Value>,
        at: At,
        before: usize,
    ) {
        let declared = |key: &str| rules.properties.iter().any(|property| property.name() == key);
        let extra = members.iter().filter(|(key, _)| !declared(key));
        match &rules.additional {
            Additional::Closed => {
                for (key, _) in extra {
                    let path = self.path(self.steps.len(), Some((at, Step::Key(key))));
                    let text =
                        format!("{path} is not a declared property (additionalProperties: false)");
                    self.report(text, Some(instead_of(key, &rules.properties)));
                }
            }
            Additional::Schema(schema) => {
                let first = self.todo.len();
                for (key, value) in extra {
                    let at = self.step(at, Step::Key(key));
                    self.todo.push(Work::Check { schema, value, at });
                }
                self.todo[first..].reverse();
            }
            Additional::Open => {
                let clean = self.violations.len() == before;
                if clean && !extra.into_iter().all(|(_, value)| is_lossless(value)) {
                    let text = format!("{} must be a lossless JSON object", self.quoted(at));
                    self.report(text, None);
                }
            }
        }
    }

    fn one_of(&mut self, branches: &'a [ValueSchema], value: &'a Value, at: At) {
        self.matched.push(0);
        self.todo.push(Work::OneOf { at });
        for schema in branches.iter().rev() {
            self.todo.push(Work::Branch { before: self.violations.len() });
            self.todo.push(Work::Check { schema, value, at });
        }
    }

    fn lossless(&mut self, value: &Value, at: At) {
        if !is_lossless(value) {
            let text = format!("{} must be a lossless JSON value", self.quoted(at));
            self.report(text, None);
        }
    }

    fn length(&mut self, length: usize, bound: Option<u64>, relation: &str, at: At, unit: &str) {
        let Some(bound) = bound else { return };
        let broken = match relation {
            "at least" => (length as u64) < bound,
            _ => (length as u64) > bound,
        };
        if broken {
            let plural = if bound == 1 { "" } else { "s" };
            let text = format!("{} must have {relation} {bound} {unit}{plural}", self.quoted(at));
            self.report(text, Some(format!("got {length}")));
        }
    }

    fn report(&mut self, text: String, hint: Option<String>) {
        self.violations.push(Violation { text, hint });
    }

    fn step(&mut self, above: At, step: Step<'a>) -> At {
        self.steps.push((above, step));
        self.steps.len() - 1
    }

    /// The path of a node, in quotes.
    fn quoted(&self, at: At) -> String {
        self.path(at, None)
    }

    /// The path of a node, or of a step below one that is not walked.
    fn path(&self, at: At, below: Option<(At, Step<'_>)>) -> String {
        let (mut at, last) = match below {
            Some((above, step)) => (above, Some(step)),
            None => (at, None),
        };
        let mut steps: Vec<Step<'_>> = last.into_iter().collect();
        while let Some((above, step)) = self.steps.get(at) {
            steps.push(*step);
            at = *above;
        }
        let mut path = self.root.to_owned();
        for step in steps.iter().rev() {
            match step {
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => path.extend([".", key]),
                Step::Index(index) => {
                    // Writing to a string cannot fail.
                    _ = write!(path, "[{index}]");
                }
            }
        }
        if path.is_empty() && steps.is_empty() {
            path.push_str("arguments");
        }
        format!("\"{path}\"")
    }
}

/// "did you mean", or the accepted keys where no key is near.
fn instead_of(key: &str, properties: &[Property]) -> String {
    if let Some(meant) = nearest(key, properties.iter().map(Property::name)) {
        return format!("did you mean {}?", quote(meant));
    }
    if properties.is_empty() {
        return "no key is accepted here".to_owned();
    }
    let accepted: Vec<_> = properties.iter().map(|property| quote(property.name())).collect();
    format!("accepted: {}", accepted.join(", "))
}

fn quote(name: &str) -> String {
    format!("\"{name}\"")
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// The number, an integer where it has no fraction; none for negative zero.
#[expect(clippy::cast_possible_truncation, reason = "a float with no fraction, within i128")]
pub(super) fn exact(number: &serde_json::Number) -> Option<Number> {
    if let Some(value) = number.as_i128() {
        return Some(Number::Integer(value));
    }
    let value = number.as_f64()?;
    if !value.is_finite() || (value == 0.0 && value.is_sign_negative()) {
        return None;
    }
    if value.fract() == 0.0 && value.abs() < 1e38 {
        return Some(Number::Integer(value as i128));
    }
    Some(Number::Float(value))
}

fn is_multiple(value: Number, step: Number) -> bool {
    match (value, step) {
        (Number::Integer(value), Number::Integer(step)) => step != 0 && value % step == 0,
        (value, step) => {
            let quotient = value.approximate() / step.approximate();
            (quotient - quotient.round()).abs() < 1e-9
        }
    }
}

/// Whether writing the value and reading it back gives the value: negative zero does not survive.
pub(crate) fn is_lossless(value: &Value) -> bool {
    let mut todo = vec![value];
    while let Some(value) = todo.pop() {
        match value {
            Value::Number(number) if exact(number).is_none() => return false,
            Value::Array(items) => todo.extend(items),
            Value::Object(members) => todo.extend(members.values()),
            _ => {}
        }
    }
    true
}
