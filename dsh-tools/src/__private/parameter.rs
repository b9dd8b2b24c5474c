//! What a body takes: the arguments, and what comes from the call.

use serde::de::DeserializeOwned;

use crate::body::BodyCall;
use crate::context::FromContext;
use crate::model::ToolResult;
use crate::schema::{Notes, Schema, ValueSchema, object};
use crate::state::StateType;

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
