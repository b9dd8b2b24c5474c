//! What `#[tools]` makes of the methods of a type.

use std::collections::BTreeMap;
use std::future::pending;
use std::num::ParseIntError;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use dsh_tools::around::Timeout;
use dsh_tools::hooks::ConditionContext;
use dsh_tools::prelude::*;
use dsh_tools::schema::ValueSchema;
use dsh_tools::{CallOptions, CallResult, CodedError, Scope, ToolCall, Toolset};
use fixtures::{code, read};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

async fn call(registry: &ToolRegistry, name: &str, arguments: Value) -> CallResult {
    let call = ToolCall::new("c1", name, arguments);
    registry.execute(call, CallOptions::new()).await.into_result()
}

async fn call_in(scope: &Scope, registry: &ToolRegistry, name: &str, arguments: Value) -> String {
    let call = ToolCall::new("c1", name, arguments);
    let options = CallOptions::new().with_scope(scope);
    read(registry.execute(call, options).await.result())
}

fn mounted(toolset: impl Into<Toolset>) -> ToolRegistry {
    ToolRegistry::builder().toolset(toolset).build().unwrap()
}

/// What to write down.
#[derive(Debug, Deserialize, Schema)]
struct Write {
    /// The text.
    text: String,
    /// How often.
    #[schema(maximum = 9)]
    times: Option<u8>,
}

#[derive(Default)]
struct Notebook(Mutex<Vec<String>>);

#[tools]
impl Notebook {
    const MOST: usize = 2;

    fn lines(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.0.lock().unwrap()
    }

    /// Write a text down.
    #[tool]
    async fn write(&self, args: Write) -> usize {
        tokio::task::yield_now().await;
        let times = args.times.unwrap_or(1).into();
        self.lines().extend(std::iter::repeat_n(args.text, times));
        self.lines().len()
    }

    /// Read the last texts.
    #[tool]
    fn last(
        &self,
        /// How many.
        #[arg(default = Self::most)]
        count: usize,
    ) -> Vec<String> {
        let lines = self.lines();
        lines[lines.len().saturating_sub(count)..].to_vec()
    }

    fn most() -> usize {
        Self::MOST
    }
}

#[tokio::test]
async fn methods_share_the_value_they_are_called_on() {
    let notebook = Arc::new(Notebook::default());
    let registry = mounted(Arc::clone(&notebook));
    assert_eq!(read(&call(&registry, "write", json!({"text": "a", "times": 2})).await), "2");
    assert_eq!(notebook.write(Write { text: "b".into(), times: None }).await, 3);
    assert_eq!(read(&call(&registry, "last", json!({})).await), r#"["a","b"]"#);
    assert_eq!(read(&call(&registry, "last", json!({"count": 1})).await), r#"["b"]"#);
    assert_eq!(
        read(&call(&registry, "write", json!({"txt": "a", "times": 10})).await),
        "Error: invalid arguments: missing required property \"text\", a string; \
         \"times\" must be at most 9; \"txt\" is not a declared property \
         (additionalProperties: false), did you mean \"text\"?"
    );
}

#[tokio::test]
async fn two_values_in_two_scopes_know_nothing_of_each_other() {
    let registry = ToolRegistry::builder().build().unwrap();
    let (ann, bob) = (registry.scope("ann"), registry.scope("bob"));
    let _for_ann = ann.register_all(Arc::new(Notebook::default()).toolset()).unwrap();
    let _for_bob = bob.register_all(Arc::new(Notebook::default()).toolset()).unwrap();
    assert_eq!(call_in(&ann, &registry, "write", json!({"text": "of ann"})).await, "1");
    assert_eq!(call_in(&bob, &registry, "last", json!({})).await, "[]");
    assert_eq!(call_in(&ann, &registry, "last", json!({})).await, r#"["of ann"]"#);
    assert!(registry.get("write").is_none());
}

#[test]
fn one_value_mounted_twice_is_told_with_both_places() {
    let notebook = Arc::new(Notebook::default());
    let twice = ToolRegistry::builder().toolset(Arc::clone(&notebook)).toolset(notebook).build();
    let told = twice.unwrap_err().to_string();
    assert!(told.contains("`write`") || told.contains("\"write\""), "{told}");
    assert_eq!(told.matches("methods.rs").count(), 4, "{told}");
}

#[test]
fn what_nobody_holds_any_more_is_dropped() {
    let notebook = Arc::new(Notebook::default());
    let registry = mounted(Arc::clone(&notebook));
    let weak = Arc::downgrade(&notebook);
    drop(notebook);
    assert!(weak.upgrade().is_some(), "its tools keep it alive");
    drop(registry);
    assert!(weak.upgrade().is_none());
}

/// The methods of [`Notebook`], as functions.
mod functions {
    use super::{Notebook, State, ToolDefinition, Write, tool};

    /// Write a text down.
    #[tool(register = false)]
    pub(super) async fn write(args: Write, notebook: State<Notebook>) -> usize {
        notebook.write(args).await
    }

    /// Read the last texts.
    #[tool(register = false)]
    pub(super) fn last(
        /// How many.
        #[arg(default = Notebook::most)]
        count: usize,
        notebook: State<Notebook>,
    ) -> Vec<String> {
        notebook.last(count)
    }

    pub(super) fn definitions() -> [ToolDefinition; 2] {
        [ToolDefinition::of(last).unwrap(), ToolDefinition::of(write).unwrap()]
    }
}

#[test]
fn a_method_is_the_tool_that_a_function_would_be() {
    let methods: Vec<_> = Arc::new(Notebook::default()).toolset().into_iter().collect();
    assert_eq!(methods.len(), 2);
    for (method, function) in methods.iter().zip(functions::definitions()) {
        assert_eq!(method.to_json(), function.to_json());
        assert_eq!(method.output(), function.output());
        assert_eq!(method.annotations(), function.annotations());
        assert_eq!(method.origin().unwrap().file, function.origin().unwrap().file);
    }
}

/// What a generic type is made over.
trait Shelf: Send + Sync + 'static {
    type Key: Schema + DeserializeOwned + Send + 'static;
    type Book: Schema + Serialize;

    fn find(&self, key: &Self::Key) -> Option<Self::Book>;
}

#[derive(Deserialize, Schema)]
struct Find<K> {
    /// Which one.
    key: K,
}

struct Library<S, const COUNT: usize>(S);

#[tools]
impl<S: Shelf, const COUNT: usize> Library<S, COUNT> {
    /// Finds one.
    #[tool(render = Self::show)]
    async fn find(&self, args: Find<S::Key>) -> ToolResult<BTreeMap<String, usize>> {
        tokio::task::yield_now().await;
        drop(self.0.find(&args.key).ok_or("not there")?);
        Ok(BTreeMap::from([("copies".to_owned(), COUNT)]))
    }

    /// Takes one.
    #[tool]
    fn take(
        &self,
        #[arg] key: S::Key,
        #[arg(default = Self::copies)] copies: usize,
    ) -> ToolResult<(S::Book, usize)> {
        Ok((self.0.find(&key).ok_or("not there")?, copies))
    }

    fn show(found: &BTreeMap<String, usize>) -> String {
        format!("{} copies", found["copies"])
    }

    fn copies() -> usize {
        COUNT
    }
}

impl Shelf for BTreeMap<u8, String> {
    type Key = u8;
    type Book = String;

    fn find(&self, key: &u8) -> Option<String> {
        self.get(key).cloned()
    }
}

impl Shelf for Vec<(String, bool)> {
    type Key = String;
    type Book = bool;

    fn find(&self, key: &String) -> Option<bool> {
        self.iter().find(|(other, _)| other == key).map(|(_, book)| *book)
    }
}

#[tokio::test]
async fn a_generic_type_has_the_tools_of_each_instance() {
    let numbers = mounted(Arc::new(Library::<_, 3>(BTreeMap::from([(7, "seven".to_owned())]))));
    let texts = mounted(Arc::new(Library::<_, 1>(vec![("a".to_owned(), true)])));
    let key = |registry: &ToolRegistry, tool| {
        registry.get(tool).unwrap().parameters().to_json()["properties"]["key"]["type"].clone()
    };
    assert_eq!(
        (key(&numbers, "find"), key(&numbers, "take")),
        (json!("integer"), json!("integer"))
    );
    assert_eq!((key(&texts, "find"), key(&texts, "take")), (json!("string"), json!("string")));
    assert_eq!(read(&call(&numbers, "find", json!({"key": 7})).await), "3 copies");
    assert_eq!(read(&call(&numbers, "take", json!({"key": 7})).await), r#"["seven",3]"#);
    assert_eq!(read(&call(&texts, "take", json!({"key": "a", "copies": 2})).await), "[true,2]");
    assert_eq!(
        read(&call(&texts, "take", json!({"key": 7})).await),
        "Error: invalid arguments: \"key\" must be a string, got a number"
    );
}

struct Repository;

#[tools(prefix = "git_", tags("git"))]
#[expect(clippy::unused_self, reason = "only the signatures matter")]
impl Repository {
    /// Says what changed.
    #[tool(tags("quick"), parallel, annotations(read_only))]
    fn status(&self) -> &'static str {
        "nothing"
    }

    /// Records what changed.
    #[tool(name = "save", title = "Commit")]
    fn commit(&self, #[arg] message: String) -> String {
        message
    }
}

#[test]
fn names_begin_with_the_prefix_and_tags_add_up() {
    let toolset = Arc::new(Repository).toolset();
    assert_eq!(toolset.name(), "Repository");
    assert_eq!(toolset.tool_names().collect::<Vec<_>>(), ["git_save", "git_status"]);
    let tags: Vec<Vec<_>> = toolset
        .into_iter()
        .map(|definition| definition.tags().map(str::to_owned).collect())
        .collect();
    assert_eq!(tags, [vec!["git"], vec!["git", "quick"]]);
}

struct Prefix(&'static str);

struct Everything {
    name: &'static str,
}

/// An alias, since types are not known by their spelling.
type Shared = Arc<Everything>;

#[tools]
#[expect(clippy::unused_self, reason = "only the signatures matter")]
impl Everything {
    /// By reference, with all that a call has.
    #[tool]
    async fn by_reference(&self, prefix: State<Prefix>, cx: &ToolContext) -> String {
        tokio::task::yield_now().await;
        format!("{}{} {}", prefix.0, self.name, cx.tool_name())
    }

    /// As it is shared.
    #[tool]
    async fn by_arc(self: Arc<Self>, #[arg] more: u8) -> String {
        tokio::task::yield_now().await;
        format!("{}{more}", self.name)
    }

    /// As it is shared, by another name.
    #[tool]
    fn by_reference_to_arc(self: &Shared, cx: &ToolContext, #[arg] more: u8) -> String {
        format!("{}{more}{}", self.name, cx.call_id())
    }

    /// Not at all.
    #[tool]
    fn without(#[arg] more: u8) -> u8 {
        more
    }

    /// On a thread of its own.
    #[tool(blocking)]
    fn blocking(&self) -> String {
        thread::current().name().unwrap_or(self.name).to_owned()
    }

    /// Has a name that everything has.
    #[tool]
    fn clone(&self) -> &'static str {
        self.name
    }

    /// Has a word as its name.
    #[tool]
    fn r#type(&self, #[arg] r#fn: u8) -> u8 {
        r#fn
    }

    /// Is not there, with all that belongs to it.
    #[cfg(any())]
    #[tool]
    fn absent(&self, #[arg] arguments: NoSuchType) -> NoSuchType {
        arguments
    }

    /// Is there in one of two forms.
    #[cfg(not(any()))]
    #[tool]
    fn either(&self) -> u8 {
        1
    }

    /// Is there in one of two forms.
    #[cfg(any())]
    #[tool]
    fn either(&self) -> u8 {
        2
    }
}

#[tokio::test]
async fn a_method_takes_self_and_the_call_as_it_wants() {
    let everything = Arc::new(Everything { name: "it" });
    let registry = ToolRegistry::builder().toolset(everything).state(Prefix("> ")).build().unwrap();
    assert_eq!(read(&call(&registry, "by_reference", json!({})).await), "> it by_reference");
    assert_eq!(read(&call(&registry, "by_arc", json!({"more": 1})).await), "it1");
    assert_eq!(read(&call(&registry, "by_reference_to_arc", json!({"more": 1})).await), "it1c1");
    assert_eq!(read(&call(&registry, "without", json!({"more": 1})).await), "1");
    assert_eq!(read(&call(&registry, "clone", json!({})).await), "it");
    assert_eq!(read(&call(&registry, "type", json!({"fn": 1})).await), "1");
    assert_eq!(read(&call(&registry, "either", json!({})).await), "1");
    let here = thread::current().name().unwrap_or_default().to_owned();
    assert_ne!(read(&call(&registry, "blocking", json!({})).await), here);
    assert!(registry.get("absent").is_none());
}

#[test]
fn missing_state_is_told_with_the_tool_that_needs_it() {
    let everything = Arc::new(Everything { name: "it" });
    let told = ToolRegistry::builder().toolset(everything).build().unwrap_err().to_string();
    assert!(told.contains("by_reference") && told.contains("Prefix"), "{told}");
    assert!(!told.contains("by_arc"), "{told}");
}

#[derive(Debug)]
struct Locked;

impl std::fmt::Display for Locked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the door is locked")
    }
}

impl std::error::Error for Locked {}

impl CodedError for Locked {
    fn code(&self) -> &'static str {
        "LOCKED"
    }
}

struct Doors;

#[tools]
#[expect(clippy::unused_self, clippy::unused_async, reason = "only the signatures matter")]
impl Doors {
    /// Fails with a code.
    #[tool]
    async fn coded(&self) -> Result<u8, Locked> {
        Err(Locked)
    }

    /// Fails with a std error.
    #[tool]
    fn std(&self) -> Result<u8, ParseIntError> {
        "x".parse()
    }

    /// Fails with anyhow.
    #[tool]
    fn anyhow(&self) -> anyhow::Result<u8> {
        anyhow::bail!("no key")
    }

    /// Never ends.
    #[tool(timeout = "200ms", grace = "50ms")]
    async fn never(&self) -> u8 {
        pending().await
    }

    /// Is offered to large models.
    #[tool(when = Self::with_large_models, finalize = |_, _| Ok(Some("final".into())))]
    fn sometimes(&self) -> u8 {
        1
    }

    async fn with_large_models(cx: ConditionContext) -> ToolResult<bool> {
        Ok(cx.model().model.contains("large"))
    }
}

#[tokio::test]
async fn every_error_that_converts_is_a_result() {
    let registry = mounted(Arc::new(Doors));
    let coded = call(&registry, "coded", json!({})).await;
    assert_eq!(
        (read(&coded).as_str(), code(&coded)),
        ("Error: the door is locked", Some("LOCKED"))
    );
    let std = call(&registry, "std", json!({})).await;
    assert_eq!(read(&std), "Error: invalid digit found in string");
    assert_eq!(read(&call(&registry, "anyhow", json!({})).await), "Error: no key");
}

#[tokio::test(start_paused = true)]
async fn timeout_and_grace_hold_for_methods() {
    let registry =
        ToolRegistry::builder().toolset(Arc::new(Doors)).around("timeout", Timeout).build();
    let started = tokio::time::Instant::now();
    let result = call(&registry.unwrap(), "never", json!({})).await;
    assert_eq!(started.elapsed(), Duration::from_millis(250));
    assert_eq!(code(&result), Some("TOOL_TIMEOUT"));
}

#[test]
fn conditions_may_be_functions_of_the_type() {
    let registry = mounted(Arc::new(Doors));
    assert!(registry.get("sometimes").is_some());
    assert!(registry.executable("sometimes").is_none() && registry.executable("std").is_some());
}

/// Tools that are only known at run time.
struct Remote(Vec<&'static str>);

impl Tools for Remote {
    fn toolset(self: Arc<Self>) -> Toolset {
        let definition = |name: &&'static str| {
            let owner = Arc::clone(&self);
            let parameters = ValueSchema::object([]);
            ToolDefinition::from_fn(*name, "Counts.", parameters, move |_, _| {
                let count = owner.0.len();
                async move { Ok(json!(count)) }
            })
        };
        Toolset::new("remote", self.0.iter().map(definition))
    }
}

#[tokio::test]
async fn tools_may_be_given_by_hand_and_as_a_trait_object() {
    let several: [Arc<dyn Tools>; 2] = [Arc::new(Remote(vec!["b", "a"])), Arc::new(Doors)];
    let mut builder = ToolRegistry::builder();
    for toolset in several {
        builder = builder.toolset(toolset);
    }
    let registry = builder.build().unwrap();
    assert_eq!(read(&call(&registry, "b", json!({})).await), "2");
    let names: Vec<_> = registry.definitions().iter().map(|d| d.name().to_owned()).collect();
    assert!(names.is_sorted());
    assert_eq!(names.len(), 7);
}

#[test]
fn a_toolset_is_in_the_order_of_names() {
    let toolset = Arc::new(Remote(vec!["b", "c", "a"])).toolset();
    assert_eq!(toolset.tool_names().collect::<Vec<_>>(), ["a", "b", "c"]);
    let names: Vec<_> = toolset.into_iter().map(|d| d.name().to_owned()).collect();
    assert_eq!(names, ["a", "b", "c"]);
}
