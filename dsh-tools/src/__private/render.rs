//! What a model reads of a value.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::body::decode;
use crate::model::{Content, ToolResult};

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
