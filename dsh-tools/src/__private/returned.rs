//! What a body returns: a value, or a `Result` of one.

use serde::Serialize;

use crate::body::{BodyCall, Output};
use crate::model::{CodedError, ToolError, ToolResult};
use crate::schema::Schema;

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
