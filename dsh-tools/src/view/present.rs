//! The presenters of a tool, and what is shown where they answer nothing.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::call::{CallView, GenericCall};
use super::result::{GenericResult, ResultView};
use crate::body::decode;
use crate::definition::ToolDefinition;
use crate::json;
use crate::log::ResultEvent;
use crate::model::{CallResult, Content};
use crate::panic::catch;

/// Makes the view of a call, or none.
pub(crate) type PresentCall = Arc<dyn Fn(&Value) -> Option<CallView> + Send + Sync>;

/// Makes the view of a result, or none.
pub(crate) type PresentResult =
    Arc<dyn Fn(&Value, ResultRecord<'_>) -> Option<ResultView> + Send + Sync>;

/// What is kept of a result, live and in a log: never the value.
///
/// ```
/// use dsh_tools::view::ResultRecord;
/// use dsh_tools::{CallResult, ToolError};
///
/// let result = CallResult::failure(ToolError::new("no such file"));
/// let record = ResultRecord::from(&result);
/// assert!(record.is_error());
/// assert_eq!(record.content().to_string(), "Error: no such file");
/// assert_eq!(record.meta_as::<Vec<String>>(), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ResultRecord<'r> {
    content: &'r Content,
    is_error: bool,
    meta: Option<&'r Value>,
}

impl<'r> ResultRecord<'r> {
    /// A record that was kept elsewhere than in this crate's log.
    pub fn new(content: &'r Content, is_error: bool, meta: Option<&'r Value>) -> Self {
        Self { content, is_error, meta }
    }

    /// What the model read; the text of the error for a failure.
    pub fn content(&self) -> &'r Content {
        self.content
    }

    /// Whether the call failed.
    pub fn is_error(&self) -> bool {
        self.is_error
    }

    /// What the tool recorded for its card.
    pub fn meta(&self) -> Option<&'r Value> {
        self.meta
    }

    /// What the tool recorded, read as a type; none for other and older shapes.
    pub fn meta_as<T: DeserializeOwned>(&self) -> Option<T> {
        read(self.meta?)
    }
}

impl<'r> From<&'r CallResult> for ResultRecord<'r> {
    fn from(result: &'r CallResult) -> Self {
        Self::new(result.content(), result.is_error(), result.meta())
    }
}

impl<'r> From<&'r ResultEvent> for ResultRecord<'r> {
    fn from(event: &'r ResultEvent) -> Self {
        Self::new(&event.content, event.is_error, event.meta.as_ref())
    }
}

impl ToolDefinition {
    /// How a call with these arguments looks before its result is there.
    ///
    /// Where the tool says nothing, or its presenter panics: its name, and the arguments as they
    /// are. Look the tool up in the scope of the call.
    pub fn call_view(&self, arguments: &Value) -> CallView {
        let present = |present: &PresentCall| {
            catch("the presenter of the call", || present(arguments)).ok().flatten()
        };
        self.present_call().filter(|_| self.fits(arguments)).and_then(present).unwrap_or_else(
            || GenericCall::new(self.name()).with_raw_input(raw_input(arguments)).into(),
        )
    }

    /// How a call looks when its result is there.
    ///
    /// Where the tool says nothing, or its presenter panics: the content of the result.
    pub fn result_view<'r>(
        &self,
        arguments: &Value,
        result: impl Into<ResultRecord<'r>>,
    ) -> ResultView {
        let result = result.into();
        let present = |present: &PresentResult| {
            catch("the presenter of the result", || present(arguments, result)).ok().flatten()
        };
        self.present_result()
            .filter(|_| self.fits(arguments))
            .and_then(present)
            .unwrap_or_else(|| GenericResult::new(result.content.clone()).into())
    }
}

/// A typed presenter of calls; arguments that do not fit are answered with none.
pub(crate) fn present_call<A: DeserializeOwned, V: Into<CallView>>(
    view: impl Fn(&A) -> Option<V> + Send + Sync + 'static,
) -> PresentCall {
    Arc::new(move |arguments| view(&read(arguments)?).map(Into::into))
}

/// A typed presenter of results; arguments that do not fit are answered with none.
pub(crate) fn present_result<A: DeserializeOwned, V: Into<ResultView>>(
    view: impl Fn(&A, ResultRecord<'_>) -> Option<V> + Send + Sync + 'static,
) -> PresentResult {
    Arc::new(move |arguments, result| view(&read(arguments)?, result).map(Into::into))
}

/// Serde reads with the stack, and so nothing deep.
fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
    if json::is_shallow(value) { decode(value).ok() } else { None }
}

/// The arguments as they are; very deep ones as text, which whoever shows them can hold.
fn raw_input(arguments: &Value) -> Value {
    if json::is_shallow(arguments) { arguments.clone() } else { json::to_text(arguments).into() }
}
