//! Checks a value against a schema and reports every violation, in walk order.
//!
//! The walk keeps its own stack, so that neither a deep value nor a deep schema can overflow the
//! thread's. Paths are kept as steps and only become text where a violation is found.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};

use serde_json::{Map, Value};

use super::fits::fits;
use super::format;
use super::hint::nearest;
use super::object::{Additional, ObjectRules, Property};
use super::path::{At, Paths, ROOT, Step};
use super::pattern::Pattern;
use super::value::{
    ArrayRules, Kind, Literal, Member, Members, NumberRules, StringRules, ValueSchema,
};
use crate::json::{self, Number, is_lossless, number};

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
        fits(self, value).unwrap_or_else(|| self.walk(value, "value").is_empty())
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
        match fits(self, value) {
            Some(true) => Vec::new(),
            _ => self.walk(value, root),
        }
    }

    fn walk(&self, value: &Value, root: &str) -> Vec<Violation> {
        let mut walk = Walk {
            root,
            schema: self,
            paths: Paths::new(),
            todo: vec![Work::Check { schema: self, value, at: ROOT }],
            matched: Vec::new(),
            known: HashMap::new(),
            violations: Vec::new(),
        };
        while let Some(work) = walk.todo.pop() {
            walk.perform(work);
        }
        walk.violations
    }
}

struct Walk<'a> {
    root: &'a str,
    /// The whole schema, whose definitions references lead to.
    schema: &'a ValueSchema,
    paths: Paths<'a>,
    todo: Vec<Work<'a>>,
    /// Matching branches of the unions the walk is inside of, innermost last.
    matched: Vec<usize>,
    /// What came of references inside unions; a branch that asks again does not look again. Without
    /// it a schema that refers to itself in two branches costs two to the depth of the value.
    known: HashMap<Question, Answer>,
    violations: Vec<Violation>,
}

/// Whether a value fits a schema, both known by their places.
type Question = (*const ValueSchema, *const Value);

#[derive(Clone, Copy)]
enum Answer {
    /// Being looked at: who asks now asks without having taken any part of the value.
    Open,
    Fits,
    Differs,
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
    /// What a reference inside a union leads to is done.
    Known {
        question: Question,
        before: usize,
    },
    /// One branch is done; what it reported is dropped.
    Branch {
        before: usize,
    },
    /// All branches of a union are done.
    Union {
        keyword: &'static str,
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
            Work::Known { question, before } => {
                let fits = self.violations.len() == before;
                self.known.insert(question, if fits { Answer::Fits } else { Answer::Differs });
            }
            Work::Branch { before } => {
                if self.violations.len() == before
                    && let Some(matched) = self.matched.last_mut()
                {
                    *matched += 1;
                }
                self.violations.truncate(before);
            }
            Work::Union { keyword, at } => {
                let matched = self.matched.pop().unwrap_or_default();
                let path = self.quoted(at);
                match keyword {
                    "oneOf" if matched != 1 => self.report(
                        format!("{path} must match exactly one oneOf branch (matched {matched})"),
                        None,
                    ),
                    "anyOf" if matched == 0 => {
                        self.report(format!("{path} must match at least one anyOf branch"), None);
                    }
                    _ => {}
                }
            }
        }
    }

    fn check(&mut self, schema: &'a ValueSchema, value: &'a Value, at: At) {
        match (&schema.kind, value) {
            (Kind::Json, _) => self.lossless(value, at),
            (Kind::Null(members), Value::Null) | (Kind::Boolean(members), Value::Bool(_)) => {
                self.member(members, value, at);
            }
            (Kind::String(members, rules), Value::String(text)) => {
                if self.member(members, value, at) {
                    self.string(rules, text, at);
                }
            }
            (Kind::Integer(members, rules), Value::Number(written)) => {
                match number(written).filter(|number| number.is_integral()) {
                    Some(number) if self.member(members, value, at) => {
                        self.bounds(rules, number, at);
                    }
                    Some(_) => {}
                    None => {
                        let text = format!("{} must be an integer", self.quoted(at));
                        let got = "got a number with a fraction or a negative zero";
                        self.report(text, Some(got.to_owned()));
                    }
                }
            }
            (Kind::Number(members, rules), Value::Number(written)) => match number(written) {
                Some(number) if self.member(members, value, at) => self.bounds(rules, number, at),
                Some(_) => {}
                None => {
                    let text = format!("{} must be a finite JSON number", self.quoted(at));
                    self.report(text, None);
                }
            },
            (Kind::Array(rules), Value::Array(items)) => self.array(rules, items, at),
            (Kind::Object(rules), Value::Object(members)) => self.object(rules, members, at),
            (Kind::OneOf(branches), _) => self.union("oneOf", branches, value, at),
            (Kind::AnyOf(branches), _) => self.union("anyOf", branches, value, at),
            (Kind::Reference(reference), _) => {
                self.reference(reference.target(self.schema), value, at);
            }
            _ => {
                let text = format!("{} must be {}", self.quoted(at), schema.kind_name());
                self.report(text, Some(format!("got {}", kind_of(value))));
            }
        }
    }

    fn reference(&mut self, schema: &'a ValueSchema, value: &'a Value, at: At) {
        if !self.matched.is_empty() {
            let question: Question = (schema, value);
            match self.known.get(&question) {
                Some(Answer::Fits) => return,
                Some(Answer::Open | Answer::Differs) => {
                    // The union drops it.
                    self.report("no branch".to_owned(), None);
                    return;
                }
                None => {}
            }
            self.known.insert(question, Answer::Open);
            self.todo.push(Work::Known { question, before: self.violations.len() });
        }
        self.todo.push(Work::Check { schema, value, at });
    }

    /// Whether the value is one of the accepted ones; if it is not, that is all that is said.
    fn member(&mut self, members: &Members, value: &Value, at: At) -> bool {
        if !members.any_of.is_empty() {
            if members.any_of.iter().any(|member| member.value.equals(value)) {
                return self.exactly(members, value, at);
            }
            let accepted: Vec<_> = members.any_of.iter().map(|m| m.value.to_string()).collect();
            let accepted = accepted.join(",");
            let texts = members.any_of.iter().filter_map(Member::as_text);
            let hint = value
                .as_str()
                .and_then(|text| nearest(text, texts))
                .map(|meant| format!("did you mean {}?", quote(meant)));
            self.report(format!("{} must be one of [{accepted}]", self.quoted(at)), hint);
            return false;
        }
        self.exactly(members, value, at)
    }

    fn exactly(&mut self, members: &Members, value: &Value, at: At) -> bool {
        match &members.exactly {
            Some(literal) if !literal.equals(value) => {
                let text = format!("{} must be {literal}", self.quoted(at));
                self.report(text, None);
                false
            }
            _ => true,
        }
    }

    fn string(&mut self, rules: &StringRules, text: &str, at: At) {
        let StringRules { min_length, max_length, pattern, format } = rules;
        if min_length.is_some() || max_length.is_some() {
            let length = text.chars().count();
            self.at_least(length, *min_length, at, CHARACTERS);
            self.at_most(length, *max_length, at, CHARACTERS);
        }
        if let Some(pattern) = pattern
            && !rules.matches_pattern(text)
        {
            self.report(
                format!("{} must match the pattern {}", self.quoted(at), quote(pattern)),
                None,
            );
        }
        if let Some(format) = format
            && !rules.is_in_format(text)
        {
            self.report(format!("{} must be in the format {format}", self.quoted(at)), None);
        }
    }

    fn bounds(&mut self, rules: &NumberRules, value: Number, at: At) {
        for (relation, bound) in rules.broken(value).into_iter().flatten() {
            let text = format!("{} must be {relation} {bound}", self.quoted(at));
            self.report(text, None);
        }
    }

    fn array(&mut self, rules: &'a ArrayRules, items: &'a [Value], at: At) {
        self.at_least(items.len(), rules.min_items, at, ITEMS);
        self.at_most(items.len(), rules.max_items, at, ITEMS);
        if rules.unique_items
            && let Some((first, again)) = repeated(items)
        {
            let text = format!("{} must have no item twice", self.quoted(at));
            self.report(text, Some(format!("items {first} and {again} are the same")));
        }
        let first = self.todo.len();
        for (index, value) in items.iter().enumerate() {
            let schema = rules.prefix.get(index).or(rules.items.as_deref());
            if let Some(schema) = schema {
                let at = self.paths.below(at, Step::Index(index));
                self.todo.push(Work::Check { schema, value, at });
            } else if !is_lossless(value) {
                let text = format!("{} must be a dense lossless JSON array", self.quoted(at));
                self.report(text, None);
                break;
            }
        }
        self.todo[first..].reverse();
    }

    fn object(&mut self, rules: &'a ObjectRules, members: &'a Map<String, Value>, at: At) {
        let before = self.violations.len();
        self.at_least(members.len(), rules.min_properties, at, PROPERTIES);
        self.at_most(members.len(), rules.max_properties, at, PROPERTIES);
        for name in rules.required() {
            let property = rules.find(name);
            let aliases = property.map_or(&[][..], |property| property.aliases);
            let there = aliases.iter().any(|alias| members.contains_key(*alias));
            if !there && !members.contains_key(name) {
                let path = self.quoted_below(at, name);
                let hint = property.map(|property| property.schema.kind_name().to_owned());
                self.report(format!("missing required property {path}"), hint);
            }
        }
        self.todo.push(Work::Undeclared { rules, value: members, at, before });
        let first = self.todo.len();
        for property in rules.declared() {
            let keys = std::iter::once(property.name()).chain(property.aliases.iter().copied());
            let mut given = keys.filter_map(|key| members.get(key).map(|value| (key, value)));
            match given.next() {
                None => {}
                Some((_, Value::Null)) if property.null_is_absent => {}
                Some((key, value)) => {
                    let at = self.paths.below(at, Step::Key(key));
                    self.todo.push(Work::Check { schema: &property.schema, value, at });
                }
            }
            for (again, _) in given {
                let path = self.quoted_below(at, again);
                let text = format!("{path} is another name of {}", quote(property.name()));
                self.report(text, Some("give one of them".to_owned()));
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
        let extra = members.iter().filter(|(key, _)| rules.find(key).is_none());
        match rules.others() {
            Additional::Closed => {
                for (key, _) in extra {
                    let path = self.quoted_below(at, key);
                    let text =
                        format!("{path} is not a declared property (additionalProperties: false)");
                    self.report(text, Some(instead_of(key, rules)));
                }
            }
            Additional::Schema(schema) => {
                let first = self.todo.len();
                for (key, value) in extra {
                    let at = self.paths.below(at, Step::Key(key));
                    self.todo.push(Work::Check { schema, value, at });
                }
                self.todo[first..].reverse();
            }
            Additional::Open | Additional::Unstated => {
                let clean = self.violations.len() == before;
                if clean && !extra.into_iter().all(|(_, value)| is_lossless(value)) {
                    let text = format!("{} must be a lossless JSON object", self.quoted(at));
                    self.report(text, None);
                }
            }
        }
    }

    fn union(
        &mut self,
        keyword: &'static str,
        branches: &'a [ValueSchema],
        value: &'a Value,
        at: At,
    ) {
        self.matched.push(0);
        self.todo.push(Work::Union { keyword, at });
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

    fn at_least(&mut self, count: usize, bound: Option<u64>, at: At, unit: Unit) {
        if let Some(bound) = bound.filter(|bound| (count as u64) < *bound) {
            let unit = unit.of(bound);
            let text = format!("{} must have at least {bound} {unit}", self.quoted(at));
            self.report(text, Some(format!("got {count}")));
        }
    }

    fn at_most(&mut self, count: usize, bound: Option<u64>, at: At, unit: Unit) {
        if let Some(bound) = bound.filter(|bound| (count as u64) > *bound) {
            let unit = unit.of(bound);
            let text = format!("{} must have at most {bound} {unit}", self.quoted(at));
            self.report(text, Some(format!("got {count}")));
        }
    }

    fn report(&mut self, text: String, hint: Option<String>) {
        self.violations.push(Violation { text, hint });
    }

    /// The path of a node, in quotes.
    fn quoted(&self, at: At) -> String {
        let path = self.paths.write(self.root, at, None);
        if path.is_empty() && at == ROOT { quote("arguments") } else { quote(&path) }
    }

    /// The path of a member of a node, in quotes.
    fn quoted_below(&self, at: At, key: &str) -> String {
        quote(&self.paths.write(self.root, at, Some(Step::Key(key))))
    }
}

impl StringRules {
    /// Whether the text matches the pattern, if there is one.
    pub(super) fn matches_pattern(&self, text: &str) -> bool {
        self.pattern
            .as_deref()
            .is_none_or(|p| Pattern::new(p).is_ok_and(|pattern| pattern.is_match(text)))
    }

    /// Whether the text is in the format, if there is one.
    pub(super) fn is_in_format(&self, text: &str) -> bool {
        self.format.as_deref().is_none_or(|format| format::accepts(format, text))
    }
}

impl Literal {
    /// Whether the value is this one, numbers by value (R-SCH-33).
    pub(super) fn equals(&self, value: &Value) -> bool {
        match (self, value) {
            (Self::Null, Value::Null) => true,
            (Self::Boolean(a), Value::Bool(b)) => a == b,
            (Self::Text(a), Value::String(b)) => **a == **b,
            (Self::Number(a), Value::Number(b)) => number(b).is_some_and(|b| a.equals(b)),
            _ => false,
        }
    }
}

/// What is counted, for one and for more.
#[derive(Clone, Copy)]
struct Unit(&'static str, &'static str);

const CHARACTERS: Unit = Unit("character", "characters");
const ITEMS: Unit = Unit("item", "items");
const PROPERTIES: Unit = Unit("property", "properties");

impl Unit {
    fn of(self, count: u64) -> &'static str {
        if count == 1 { self.0 } else { self.1 }
    }
}

/// "did you mean", or the accepted keys where no key is near.
fn instead_of(key: &str, rules: &ObjectRules) -> String {
    if let Some(meant) = nearest(key, rules.declared().map(Property::name)) {
        return format!("did you mean {}?", quote(meant));
    }
    let accepted: Vec<_> = rules.declared().map(|property| quote(property.name())).collect();
    if accepted.is_empty() {
        return "no key is accepted here".to_owned();
    }
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

/// The first item that comes again, numbers by value, members in any order.
pub(super) fn repeated(items: &[Value]) -> Option<(usize, usize)> {
    let mut seen = HashMap::new();
    items.iter().enumerate().find_map(|(index, item)| {
        seen.insert(json::to_canonical(item), index).map(|first| (first, index))
    })
}
