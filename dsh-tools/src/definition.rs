//! [`ToolDefinition`]: everything about one tool, with its body; the API without macros.

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::body::{Body, BodyCall, BodyFuture, Output, decode};
use crate::context::ToolContext;
use crate::execution::Execution;
use crate::hooks::Condition;
use crate::json;
use crate::model::{
    Annotations, Arguments, CallResult, Content, NameRule, ToolResult, default_render,
};
use crate::schema::{Schema, ValueSchema, faults};
use crate::state::StateType;
use crate::view::{
    CallView, PresentCall, PresentResult, ResultRecord, ResultView, present_call, present_result,
};

/// Everything about one tool: what a model reads, how it is called, what it does.
///
/// `#[tool]` makes one from a function. This is the same without macros, for tools that are only
/// known at run time. Cheap to clone; a clone is the same definition.
///
/// ```
/// use dsh_tools::schema::{Property, ValueSchema};
/// use dsh_tools::{CallOptions, ToolCall, ToolDefinition, ToolRegistry};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dsh_tools::BuildError> {
/// let parameters = ValueSchema::object([Property::required("text", ValueSchema::string())]);
/// let shout = ToolDefinition::from_fn("shout", "Says it loudly.", parameters, |arguments, _cx| {
///     async move { Ok(json!(arguments["text"].as_str().unwrap_or_default().to_uppercase())) }
/// });
///
/// let registry = ToolRegistry::builder().tool(shout).build()?;
/// let call = ToolCall::new("c1", "shout", r#"{"text": "hi"}"#);
/// let completed = registry.execute(call, CallOptions::new()).await;
/// assert_eq!(completed.result().content().to_string(), "HI");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct ToolDefinition(Arc<Parts>);

#[derive(Clone)]
struct Parts {
    name: Arc<str>,
    title: Option<Cow<'static, str>>,
    description: Cow<'static, str>,
    parameters: Parameters,
    output: OutputSchema,
    render: Option<Renderer>,
    meta: Option<Meta>,
    project_content: Option<ContentCallback>,
    finalize_content: Option<ContentCallback>,
    present_call: Option<PresentCall>,
    present_result: Option<PresentResult>,
    deferred_loading: bool,
    annotations: Annotations,
    tags: Vec<Cow<'static, str>>,
    timeout: Option<Duration>,
    grace: Option<Duration>,
    output_budget: Option<usize>,
    /// Its results are parts of an output that was cut.
    pages_output: bool,
    parallel: Parallel,
    name_rule: NameRule,
    needs: Vec<StateType>,
    origin: Option<Origin>,
    condition: Option<Arc<dyn Condition>>,
    body: Arc<dyn Body>,
    /// What a model is told of it, made when it is asked for first.
    json: OnceLock<Arc<Value>>,
}

/// What a tool says about its arguments.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Parameters {
    /// A constant schema; arguments are checked against it before the body runs.
    Constant(&'static ValueSchema),
    /// A schema made at run time; arguments are checked against it before the body runs.
    Schema(Arc<ValueSchema>),
    /// JSON Schema from elsewhere, shown to the model as it is; the body checks its arguments.
    Unchecked(Arc<Value>),
}

#[derive(Clone)]
enum OutputSchema {
    Constant(&'static ValueSchema),
    Shared(Arc<ValueSchema>),
}

/// Makes what a model reads, from the arguments and the value.
pub(crate) type Renderer = Arc<dyn Fn(&Value, &Value) -> ToolResult<Content> + Send + Sync>;

/// Makes what is recorded for the card of a call, from the arguments and the value.
pub(crate) type Meta = Arc<dyn Fn(&Value, &Value) -> ToolResult<Value> + Send + Sync>;

/// Makes other content of a result, or none to keep it.
pub(crate) type ContentCallback =
    Arc<dyn Fn(&Execution, &CallResult) -> ToolResult<Option<Content>> + Send + Sync>;

/// Whether a call may overlap with other calls of its batch.
#[derive(Clone)]
pub(crate) enum Parallel {
    Never,
    Always,
    When(Classifier),
}

/// Decides by the arguments whether a call may overlap; arguments that do not fit may not.
pub(crate) type Classifier = Arc<dyn Fn(&Value) -> bool + Send + Sync>;

/// Where a tool was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The source file, as the compiler names it.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The module.
    pub module: &'static str,
}

impl ToolDefinition {
    /// A tool whose body takes and gives JSON.
    ///
    /// The arguments are checked against the parameters before the body runs, except for
    /// [`Parameters::Unchecked`]. The value may be any JSON until
    /// [`with_output`](Self::with_output) says more.
    pub fn from_fn<F, Fut>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        parameters: impl Into<Parameters>,
        body: F,
    ) -> Self
    where
        F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ToolResult<Value>> + Send + 'static,
    {
        let parameters = parameters.into();
        let checked = parameters.clone();
        let body = move |call: BodyCall| -> BodyFuture {
            let arguments = match checked.schema() {
                Some(schema) => call.checked(schema),
                None => Ok(json::copy(call.arguments().value())),
            };
            match arguments {
                Ok(arguments) => {
                    let value = body(arguments, call.cx);
                    Box::pin(async move { value.await.map(Output::Value) })
                }
                Err(error) => Box::pin(async { Err(error) }),
            }
        };
        Self::new(&name.into(), description.into(), parameters, Arc::new(body))
    }

    /// A tool whose body takes and gives Rust values.
    ///
    /// Schemas come from the types, as for a tool made by `#[tool]`.
    pub fn typed<A, T, F, Fut>(
        name: impl Into<Cow<'static, str>>,
        description: impl Into<Cow<'static, str>>,
        body: F,
    ) -> Self
    where
        A: Schema + DeserializeOwned + 'static,
        T: Schema + Serialize + 'static,
        F: Fn(A, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ToolResult<T>> + Send + 'static,
    {
        let body = move |call: BodyCall| -> BodyFuture {
            match call.decode::<A>() {
                Ok(arguments) => {
                    let value = body(arguments, call.cx);
                    Box::pin(async move { Output::of(&call.tool, &value.await?) })
                }
                Err(error) => Box::pin(async { Err(error) }),
            }
        };
        let parameters = Parameters::Constant(A::SCHEMA);
        let mut definition =
            Self::new(&name.into(), description.into(), parameters, Arc::new(body));
        definition.parts().output = OutputSchema::Constant(T::SCHEMA);
        definition
    }

    pub(crate) fn new(
        name: &str,
        description: Cow<'static, str>,
        parameters: Parameters,
        body: Arc<dyn Body>,
    ) -> Self {
        static ANYTHING: ValueSchema = ValueSchema::json();
        Self(Arc::new(Parts {
            name: name.into(),
            title: None,
            description,
            parameters,
            output: OutputSchema::Constant(&ANYTHING),
            render: None,
            meta: None,
            project_content: None,
            finalize_content: None,
            present_call: None,
            present_result: None,
            deferred_loading: false,
            annotations: Annotations::NONE,
            tags: Vec::new(),
            timeout: None,
            grace: None,
            output_budget: None,
            pages_output: false,
            parallel: Parallel::Never,
            name_rule: NameRule::Any,
            needs: Vec::new(),
            origin: None,
            condition: None,
            body,
            json: OnceLock::new(),
        }))
    }

    fn parts(&mut self) -> &mut Parts {
        let parts = Arc::make_mut(&mut self.0);
        parts.json = OnceLock::new();
        parts
    }

    /// Sets the title for people.
    #[must_use]
    pub fn with_title(mut self, title: impl Into<Cow<'static, str>>) -> Self {
        self.parts().title = Some(title.into());
        self
    }

    /// Sets what the value of the body has to look like; checked after each call.
    #[must_use]
    pub fn with_output(mut self, schema: ValueSchema) -> Self {
        self.parts().output = OutputSchema::Shared(Arc::new(schema));
        self
    }

    /// Sets what a model reads of arguments and value.
    ///
    /// Default: a text value as it is, any other value as compact JSON. The renderer has to be
    /// pure; it runs again when policy replaces the value.
    #[must_use]
    pub fn with_render<C: Into<Content>>(
        mut self,
        render: impl Fn(&Value, &Value) -> C + Send + Sync + 'static,
    ) -> Self {
        self.parts().render = Some(Arc::new(move |args, value| Ok(render(args, value).into())));
        self
    }

    /// As [`with_render`](Self::with_render), for a renderer that may fail; the call fails then.
    #[must_use]
    pub fn try_with_render<C: Into<Content>>(
        mut self,
        render: impl Fn(&Value, &Value) -> ToolResult<C> + Send + Sync + 'static,
    ) -> Self {
        self.parts().render = Some(Arc::new(move |args, value| Ok(render(args, value)?.into())));
        self
    }

    /// Sets what is recorded of arguments and value for the card that shows a call.
    ///
    /// Only for successes of calls that are not nested, and anew when policy replaces the value. It
    /// has to be pure; the call fails with `INVALID_TOOL_OUTPUT` where it fails.
    #[must_use]
    pub fn with_meta(
        mut self,
        meta: impl Fn(&Value, &Value) -> ToolResult<Value> + Send + Sync + 'static,
    ) -> Self {
        self.parts().meta = Some(Arc::new(meta));
        self
    }

    /// Installs content before policy sees the result; none keeps what was rendered.
    ///
    /// For every outcome that policy sees, also failures and denials. An error fails the call.
    #[must_use]
    pub fn with_project_content(
        mut self,
        project: impl Fn(&Execution, &CallResult) -> ToolResult<Option<Content>> + Send + Sync + 'static,
    ) -> Self {
        self.parts().project_content = Some(Arc::new(project));
        self
    }

    /// Changes content last, after all policy; none keeps it.
    ///
    /// Once for every call whose tool was known when it came, however it ended. An error fails the
    /// call.
    #[must_use]
    pub fn with_finalize_content(
        mut self,
        finalize: impl Fn(&Execution, &CallResult) -> ToolResult<Option<Content>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        self.parts().finalize_content = Some(Arc::new(finalize));
        self
    }

    /// Sets how a call looks before its result is there; none is the generic view.
    ///
    /// It has to be pure, since it also runs when an old log is shown. It is not asked about
    /// arguments that do not fit the parameters or `A`, which may be [`Value`].
    #[must_use]
    pub fn with_call_view<A: DeserializeOwned + 'static, V: Into<CallView>>(
        mut self,
        view: impl Fn(&A) -> Option<V> + Send + Sync + 'static,
    ) -> Self {
        self.parts().present_call = Some(present_call(view));
        self
    }

    /// Sets how a call looks when its result is there; none is the generic view.
    ///
    /// As [`with_call_view`](Self::with_call_view); failures are asked about, too.
    #[must_use]
    pub fn with_result_view<A: DeserializeOwned + 'static, V: Into<ResultView>>(
        mut self,
        view: impl Fn(&A, ResultRecord<'_>) -> Option<V> + Send + Sync + 'static,
    ) -> Self {
        self.parts().present_result = Some(present_result(view));
        self
    }

    /// Asks the provider to load the definition late, where it can. Default: it does not.
    #[must_use]
    pub fn with_deferred_loading(mut self, deferred: bool) -> Self {
        self.parts().deferred_loading = deferred;
        self
    }

    /// Sets the hints about what the tool does.
    #[must_use]
    pub fn with_annotations(mut self, annotations: Annotations) -> Self {
        self.parts().annotations = annotations;
        self
    }

    /// Adds a tag, for policy to select tools by.
    #[must_use]
    pub fn with_tag(mut self, tag: impl Into<Cow<'static, str>>) -> Self {
        self.parts().tags.push(tag.into());
        self
    }

    /// Declares how long a call may take.
    ///
    /// Only enforced where the host mounts [`Timeout`](crate::around::Timeout). Zero is refused
    /// when the tool is registered.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.parts().timeout = Some(timeout);
        self
    }

    /// Sets how long a cancelled body may take to settle before its future is dropped.
    ///
    /// Default: none, which waits for the body however long it takes.
    #[must_use]
    pub fn with_grace(mut self, grace: Duration) -> Self {
        self.parts().grace = Some(grace);
        self
    }

    /// Declares how many bytes of text a model may be given of one result.
    ///
    /// Only enforced where the host mounts [`OutputBudget`](crate::outbound::OutputBudget), which
    /// tells what counts. Zero is refused when the tool is registered.
    #[must_use]
    pub fn with_output_budget(mut self, bytes: usize) -> Self {
        self.parts().output_budget = Some(bytes);
        self
    }

    /// Keeps the results out of every output budget, as they keep to one by themselves.
    pub(crate) fn paging_output(mut self) -> Self {
        self.parts().pages_output = true;
        self
    }

    /// Lets calls overlap with other calls of their batch. Default: they do not.
    #[must_use]
    pub fn with_parallel(mut self, parallel: bool) -> Self {
        self.parts().parallel = if parallel { Parallel::Always } else { Parallel::Never };
        self
    }

    /// Lets a call overlap if its arguments say so.
    #[must_use]
    pub fn with_parallel_when(
        mut self,
        classifier: impl Fn(&Value) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.parts().parallel = Parallel::When(Arc::new(classifier));
        self
    }

    /// Offers the tool only in model steps in which the condition holds.
    ///
    /// It is there for the calls of a step whose [tool set](crate::ResolvedToolSet) admits it, and
    /// for no others.
    #[must_use]
    pub fn with_condition(mut self, condition: impl Condition) -> Self {
        self.parts().condition = Some(Arc::new(condition));
        self
    }

    /// The name a model calls it by.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    pub(crate) fn shared_name(&self) -> &Arc<str> {
        &self.0.name
    }

    /// The title for people, if there is one.
    pub fn title(&self) -> Option<&str> {
        self.0.title.as_deref()
    }

    /// What the model reads about it.
    pub fn description(&self) -> &str {
        &self.0.description
    }

    /// What the tool says about its arguments.
    pub fn parameters(&self) -> &Parameters {
        &self.0.parameters
    }

    /// What its value looks like.
    pub fn output(&self) -> &ValueSchema {
        match &self.0.output {
            OutputSchema::Constant(schema) => schema,
            OutputSchema::Shared(schema) => schema,
        }
    }

    /// The hints about what it does.
    pub fn annotations(&self) -> Annotations {
        self.0.annotations
    }

    /// Its tags.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.tags.iter().map(AsRef::as_ref)
    }

    /// How long a call may take, if it says so.
    pub fn timeout(&self) -> Option<Duration> {
        self.0.timeout
    }

    /// How long a cancelled body may take to settle, if it says so.
    pub fn grace(&self) -> Option<Duration> {
        self.0.grace
    }

    /// How many bytes of text a model may be given of one result, if it says so.
    pub fn output_budget(&self) -> Option<usize> {
        self.0.output_budget
    }

    /// In which model steps it is offered, if not in all.
    pub fn condition(&self) -> Option<&Arc<dyn Condition>> {
        self.0.condition.as_ref()
    }

    /// The state it needs the host to supply.
    pub fn needs(&self) -> &[StateType] {
        &self.0.needs
    }

    /// Where it was written, if a macro made it.
    pub fn origin(&self) -> Option<Origin> {
        self.0.origin
    }

    /// Whether a call with these arguments may overlap with others of its batch.
    ///
    /// A classifier that panics, and arguments that do not fit, mean no.
    pub fn is_parallel(&self, arguments: &Arguments) -> bool {
        match self.parallel() {
            Parallel::Never => false,
            Parallel::Always => true,
            Parallel::When(classifier) => {
                let arguments = arguments.value();
                self.fits(arguments)
                    && crate::panic::catch("the classifier", || classifier(arguments))
                        .unwrap_or(false)
            }
        }
    }

    /// The tool as a model is told of it: name, description, parameters, and whether it loads late.
    pub fn to_json(&self) -> Value {
        let mut json = serde_json::json!({
            "name": self.name(),
            "description": self.description(),
            "parameters": self.parameters().to_json(),
        });
        if self.0.deferred_loading {
            json["deferLoading"] = true.into();
        }
        json
    }

    /// As [`to_json`](Self::to_json), made once.
    pub(crate) fn json(&self) -> Arc<Value> {
        Arc::clone(self.0.json.get_or_init(|| Arc::new(self.to_json())))
    }

    /// Whether both are the same definition, not merely equal ones.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    pub(crate) fn with_details(mut self, details: Details) -> Self {
        let parts = self.parts();
        parts.title = details.title.map(Cow::Borrowed);
        parts.output = OutputSchema::Constant(details.output);
        parts.render = details.render;
        parts.annotations = details.annotations;
        parts.tags = details.tags.iter().copied().map(Cow::Borrowed).collect();
        parts.timeout = details.timeout;
        parts.grace = details.grace;
        parts.parallel = details.parallel;
        parts.name_rule = details.name_rule;
        parts.needs = details.needs;
        parts.origin = Some(details.origin);
        self
    }

    pub(crate) fn meta(&self) -> Option<&Meta> {
        self.0.meta.as_ref()
    }

    pub(crate) fn project_content(&self) -> Option<&ContentCallback> {
        self.0.project_content.as_ref()
    }

    pub(crate) fn finalize_content(&self) -> Option<&ContentCallback> {
        self.0.finalize_content.as_ref()
    }

    pub(crate) fn present_call(&self) -> Option<&PresentCall> {
        self.0.present_call.as_ref()
    }

    pub(crate) fn present_result(&self) -> Option<&PresentResult> {
        self.0.present_result.as_ref()
    }

    pub(crate) fn pages_output(&self) -> bool {
        self.0.pages_output
    }

    /// Whether arguments keep what the parameters say, as far as that is checked.
    pub(crate) fn fits(&self, arguments: &Value) -> bool {
        self.parameters().schema().is_none_or(|schema| schema.is_valid(arguments))
    }

    pub(crate) fn parallel(&self) -> &Parallel {
        &self.0.parallel
    }

    pub(crate) fn start(&self, call: BodyCall) -> BodyFuture {
        self.0.body.start(call)
    }

    /// Whether the value goes out as it is: as its JSON, with nothing made of it.
    pub(crate) fn is_plain(&self) -> bool {
        self.0.render.is_none() && self.0.meta.is_none()
    }

    pub(crate) fn render(&self, arguments: &Arguments, value: &Value) -> ToolResult<Content> {
        match &self.0.render {
            Some(render) => render(arguments.value(), value),
            None => Ok(default_render(value)),
        }
    }

    /// Every mistake that keeps this definition out of a registry.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if !self.0.name_rule.admits(self.name()) {
            problems.push(format!("the name has to be {}", self.0.name_rule.describe()));
        }
        if self.description().trim().is_empty() {
            problems.push("the description is empty".to_owned());
        }
        if self.timeout().is_some_and(|timeout| timeout.is_zero()) {
            let who = match self.parameters() {
                Parameters::Unchecked(_) => format!("tool \"{}\"", self.name()),
                _ => format!("defineTool({}):", self.name()),
            };
            problems.push(format!("{who} timeoutMs must be a positive finite number"));
        }
        if self.output_budget() == Some(0) {
            problems.push("the output budget is zero".to_owned());
        }
        if let Parameters::Unchecked(schema) = self.parameters()
            && !json::is_lossless(schema)
        {
            problems.push(format!(
                "tool \"{}\" parameters must be lossless JSON before schema projection",
                self.name()
            ));
        }
        if let Some(schema) = self.parameters().schema() {
            if !schema.is_object() {
                problems.push("the parameters are not an object".to_owned());
            }
            problems.extend(faults(schema).into_iter().map(|fault| format!("parameters {fault}")));
        }
        problems.extend(faults(self.output()).into_iter().map(|fault| format!("output {fault}")));
        problems
    }
}

/// What a macro-made definition has beyond name, description, parameters and body.
pub(crate) struct Details {
    pub(crate) title: Option<&'static str>,
    pub(crate) output: &'static ValueSchema,
    pub(crate) render: Option<Renderer>,
    pub(crate) annotations: Annotations,
    pub(crate) tags: &'static [&'static str],
    pub(crate) timeout: Option<Duration>,
    pub(crate) grace: Option<Duration>,
    pub(crate) parallel: Parallel,
    pub(crate) name_rule: NameRule,
    pub(crate) needs: Vec<StateType>,
    pub(crate) origin: Origin,
}

impl Parameters {
    /// The schema that arguments are checked against, if they are.
    pub fn schema(&self) -> Option<&ValueSchema> {
        match self {
            Self::Constant(schema) => Some(schema),
            Self::Schema(schema) => Some(schema),
            Self::Unchecked(_) => None,
        }
    }

    /// The JSON Schema a model is shown.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Constant(schema) => schema.to_json(),
            Self::Schema(schema) => schema.to_json(),
            Self::Unchecked(schema) => Value::clone(schema),
        }
    }
}

impl From<ValueSchema> for Parameters {
    fn from(schema: ValueSchema) -> Self {
        Self::Schema(Arc::new(schema))
    }
}

impl From<&'static ValueSchema> for Parameters {
    fn from(schema: &'static ValueSchema) -> Self {
        Self::Constant(schema)
    }
}

/// JSON Schema from elsewhere, which is shown and not checked.
impl From<Value> for Parameters {
    fn from(schema: Value) -> Self {
        Self::Unchecked(Arc::new(schema))
    }
}

/// A typed classifier; arguments that do not fit are answered with no.
pub(crate) fn classifier<A: DeserializeOwned>(
    classify: impl Fn(&A) -> bool + Send + Sync + 'static,
) -> Classifier {
    Arc::new(move |arguments| decode::<A>(arguments).is_ok_and(|arguments| classify(&arguments)))
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} ({})", self.file, self.line, self.module)
    }
}

impl fmt::Debug for ToolDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolDefinition")
            .field("name", &self.name())
            .field("origin", &self.origin())
            .finish_non_exhaustive()
    }
}
