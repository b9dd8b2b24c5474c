//! What generated code names, and nothing else. Not covered by semver.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use inventory;
pub use serde;

pub use crate::body::{BodyCall, BodyFuture, Output};
pub use crate::definition::Origin;
pub use crate::model::{Annotations, NameRule};
pub use crate::registry::Declared;
pub use crate::schema::{
    Field, Notes, Number, Refinement, Schema, ValueSchema, any_of, array_of, beside_tag, checked,
    checked_newtype, description, element, exact_property, flattened, late, late_element,
    late_inner, late_property, member, named, null, object, object_of, one_of, open_object,
    property, refine, string_enum, tuple, written_number, written_property,
};

use crate::body::{Body, decode, to_value};
use crate::context::FromContext;
use crate::definition::{
    Details, Meta, Parallel, Parameters, Renderer, ToolDefinition, classifier,
};
use crate::model::{CodedError, Content, ToolError, ToolResult};
use crate::schema::{check_constant, not_arguments, refuse};
use crate::state::StateType;

/// A tool as it is known while compiling.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    pub title: Option<&'static str>,
    pub description: &'static str,
    pub parameters: &'static ValueSchema,
    pub output: &'static ValueSchema,
    pub timeout: Option<Duration>,
    pub grace: Option<Duration>,
    pub annotations: Annotations,
    pub tags: &'static [&'static str],
    pub name_rule: NameRule,
    pub origin: Origin,
}

/// Refuses a tool that breaks a rule, while the user's crate compiles.
#[track_caller]
pub const fn check(tool: &'static Tool) {
    if !tool.name_rule.admits(tool.name) {
        refuse(&["tool `", tool.name, "`: the name has to be ", tool.name_rule.describe()]);
    }
    if let Some((what, kind, instead)) = not_arguments(tool.parameters) {
        refuse(&["tool `", tool.name, "`: $: ", what, kind, instead]);
    }
    check_constant(&["tool `", tool.name, "`"], tool.parameters);
    check_constant(&["tool `", tool.name, "`: what it returns"], tool.output);
}

/// The arguments of a tool that has none.
#[derive(Debug, serde::Deserialize)]
pub struct NoArguments {}

impl Schema for NoArguments {
    const SCHEMA: &'static ValueSchema = &object(Notes::NONE, &[]);
}

/// Marks a parameter that is the argument struct.
#[derive(Debug)]
pub struct IsArguments;
/// Marks a parameter that comes from the call.
#[derive(Debug)]
pub struct IsExtra;

/// The first parameter of a tool: the argument struct, or something from the call.
///
/// `M` is inferred: a type fits one of the two implementations.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the first parameter of a tool",
    label = "neither an argument struct nor part of the call",
    note = "an argument struct needs `#[derive(serde::Deserialize, dsh_tools::Schema)]`",
    note = "what comes from the call is `&ToolContext`, `State<T>`, or a type that implements \
            `FromContext`",
    note = "to take arguments one by one, mark each: `#[arg] limit: u64`"
)]
pub trait Parameter<'c, M>: Sized {
    /// The type of the arguments.
    type Arguments: Schema + DeserializeOwned + 'static;

    fn state() -> Option<StateType>;

    fn take(call: &'c BodyCall) -> ToolResult<Self>;
}

#[diagnostic::do_not_recommend]
impl<T: Schema + DeserializeOwned + 'static> Parameter<'_, IsArguments> for T {
    type Arguments = T;

    fn state() -> Option<StateType> {
        None
    }

    fn take(call: &BodyCall) -> ToolResult<Self> {
        call.decode()
    }
}

#[diagnostic::do_not_recommend]
impl<'c, T: FromContext<'c>> Parameter<'c, IsExtra> for T {
    type Arguments = NoArguments;

    fn state() -> Option<StateType> {
        T::state()
    }

    fn take(call: &'c BodyCall) -> ToolResult<Self> {
        call.decode::<NoArguments>()?;
        T::from_context(&call.cx)
    }
}

/// A later parameter, for one call.
///
/// # Errors
/// The call does not have what the parameter is made from.
pub fn extra<'c, P: FromContext<'c>>(call: &'c BodyCall) -> ToolResult<P> {
    P::from_context(&call.cx)
}

/// Marks a return type that is the value.
#[derive(Debug)]
pub struct IsValue;
/// Marks a return type that is a `Result`.
#[derive(Debug)]
pub struct IsResult;

/// What a tool's function returns: a value, or a `Result` of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a tool returns",
    label = "neither a value with a schema nor a `Result` of one",
    note = "a value needs `#[derive(serde::Serialize, dsh_tools::Schema)]`",
    note = "a `Result` may have `ToolError`, any std error, `anyhow::Error` or a text as its error"
)]
pub trait ToolReturn<M> {
    /// The value.
    type Value: Schema + Serialize;
    /// The error, if there can be one.
    type Error;

    /// The value or the error.
    ///
    /// # Errors
    /// What the function returned.
    fn into_result(self) -> Result<Self::Value, Self::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: Schema + Serialize> ToolReturn<IsValue> for T {
    type Value = T;
    type Error = ToolError;

    fn into_result(self) -> Result<T, ToolError> {
        Ok(self)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Schema + Serialize, E> ToolReturn<IsResult> for Result<T, E> {
    type Value = T;
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

/// The JSON of what a tool returned.
///
/// # Errors
/// JSON would not give the value back as it is.
pub fn value<T: Serialize>(call: &BodyCall, value: T) -> ToolResult<Output> {
    Output::of(&call.tool, &value)
}

/// A body that is a future.
pub fn body(future: impl Future<Output = ToolResult<Output>> + Send + 'static) -> BodyFuture {
    Box::pin(future)
}

/// A body that blocks a thread.
pub fn blocking(run: impl FnOnce() -> ToolResult<Output> + Send + 'static) -> BodyFuture {
    Box::pin(async {
        match tokio::task::spawn_blocking(run).await {
            Ok(value) => value,
            Err(error) => match error.try_into_panic() {
                Ok(payload) => std::panic::resume_unwind(payload),
                // The runtime is going down and did not start it.
                Err(_) => Err(ToolError::aborted()),
            },
        }
    })
}

/// Chooses the conversion of an error that has a code.
pub trait CodedKind {
    #[doc(hidden)]
    fn __kind(&self) -> Coded {
        Coded
    }
}

impl<E: CodedError> CodedKind for E {}

/// Chooses the conversion of every other error; one reference further, so it comes second.
pub trait AnyKind {
    #[doc(hidden)]
    fn __kind(&self) -> Plain {
        Plain
    }
}

impl<E> AnyKind for &E {}

/// An error of a tool that has no code of its own.
///
/// The bound is not on the choice of the conversion, where the compiler's words for it are long.
#[diagnostic::on_unimplemented(
    message = "a tool cannot fail with `{Self}`",
    label = "not an error that a model could be told",
    note = "the error of a tool is `ToolError`, a type that implements `std::error::Error`, \
            `anyhow::Error` or a text",
    note = "to give it a code that callers can act on, implement `CodedError`"
)]
pub trait PlainError {
    fn into_tool_error(self) -> ToolError;
}

#[diagnostic::do_not_recommend]
impl<E: Into<ToolError>> PlainError for E {
    fn into_tool_error(self) -> ToolError {
        self.into()
    }
}

/// The conversion of an error that has a code.
#[derive(Debug)]
pub struct Coded;

/// The conversion of every other error.
#[derive(Debug)]
pub struct Plain;

impl Coded {
    pub fn convert<E: CodedError>(self, error: E) -> ToolError {
        ToolError::coded(error)
    }
}

impl Plain {
    pub fn convert<E: PlainError>(self, error: E) -> ToolError {
        error.into_tool_error()
    }
}

/// The type of a function, by which its definition is found.
pub fn type_id_of<F: 'static>(_function: &F) -> TypeId {
    TypeId::of::<F>()
}

/// Marks a renderer of the value.
#[derive(Debug)]
pub struct OfValue;
/// Marks a renderer of arguments and value.
#[derive(Debug)]
pub struct OfBoth;

/// A function that makes what a model reads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot render what this tool returns",
    label = "not a renderer",
    note = "a renderer is `fn(&Value) -> C` or `fn(&Arguments, &Value) -> C`, where `C` is text or \
            `Content`"
)]
pub trait Render<A, T, K>: Send + Sync + 'static {
    fn render(&self, arguments: &Value, value: &Value) -> ToolResult<Content>;
}

#[diagnostic::do_not_recommend]
impl<F, A, T, C> Render<A, T, OfValue> for F
where
    F: Fn(&T) -> C + Send + Sync + 'static,
    T: DeserializeOwned,
    C: Into<Content>,
{
    fn render(&self, _arguments: &Value, value: &Value) -> ToolResult<Content> {
        Ok(self(&decode(value)?).into())
    }
}

#[diagnostic::do_not_recommend]
impl<F, A, T, C> Render<A, T, OfBoth> for F
where
    F: Fn(&A, &T) -> C + Send + Sync + 'static,
    A: DeserializeOwned,
    T: DeserializeOwned,
    C: Into<Content>,
{
    fn render(&self, arguments: &Value, value: &Value) -> ToolResult<Content> {
        Ok(self(&decode(arguments)?, &decode(value)?).into())
    }
}

/// Makes the definition of a tool, piece by piece.
pub fn define(tool: &'static Tool, body: fn(BodyCall) -> BodyFuture) -> Definer {
    Definer {
        tool,
        body: Arc::new(body),
        needs: Vec::new(),
        parallel: Parallel::Never,
        render: None,
        meta: None,
    }
}

/// A definition under way.
pub struct Definer {
    tool: &'static Tool,
    body: Arc<dyn Body>,
    needs: Vec<StateType>,
    parallel: Parallel,
    render: Option<Renderer>,
    meta: Option<Meta>,
}

impl Definer {
    #[must_use]
    pub fn __first_needs<'c, P: Parameter<'c, M>, M>(mut self) -> Self {
        self.needs.extend(P::state());
        self
    }

    #[must_use]
    pub fn __needs<'c, P: FromContext<'c>>(mut self) -> Self {
        self.needs.extend(P::state());
        self
    }

    #[must_use]
    pub fn __parallel(mut self) -> Self {
        self.parallel = Parallel::Always;
        self
    }

    #[must_use]
    pub fn __classifier<'c, P, M, F>(mut self, classify: F) -> Self
    where
        P: Parameter<'c, M>,
        F: Fn(&P::Arguments) -> bool + Send + Sync + 'static,
    {
        self.parallel = Parallel::When(classifier(classify));
        self
    }

    #[must_use]
    pub fn __render<'c, P, M, R, N, F, K>(mut self, render: F) -> Self
    where
        P: Parameter<'c, M>,
        R: ToolReturn<N>,
        F: Render<P::Arguments, R::Value, K>,
    {
        self.render = Some(Arc::new(move |arguments, value| render.render(arguments, value)));
        self
    }

    #[must_use]
    pub fn __meta<'c, P, M, R, N, F, T>(mut self, meta: F) -> Self
    where
        P: Parameter<'c, M>,
        P::Arguments: DeserializeOwned,
        R: ToolReturn<N>,
        R::Value: DeserializeOwned,
        F: Fn(&P::Arguments, &R::Value) -> T + Send + Sync + 'static,
        T: Serialize,
    {
        self.meta = Some(Arc::new(move |arguments, value| {
            to_value(&meta(&decode(arguments)?, &decode(value)?))
        }));
        self
    }

    pub fn finish(self) -> ToolDefinition {
        let tool = self.tool;
        let definition = ToolDefinition::new(
            tool.name,
            tool.description.into(),
            Parameters::Constant(tool.parameters),
            self.body,
        )
        .with_details(Details {
            title: tool.title,
            output: tool.output,
            render: self.render,
            annotations: tool.annotations,
            tags: tool.tags,
            timeout: tool.timeout,
            grace: tool.grace,
            parallel: self.parallel,
            name_rule: tool.name_rule,
            needs: self.needs,
            origin: tool.origin,
        });
        match self.meta {
            Some(meta) => definition.with_meta(move |arguments, value| meta(arguments, value)),
            None => definition,
        }
    }
}

impl std::fmt::Debug for Definer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Definer").field("tool", self.tool).finish_non_exhaustive()
    }
}
