//! A method as a tool: the value it is called on, and how it takes it.

use std::sync::Arc;

use super::tool::Tool;
use crate::definition::ToolDefinition;

/// The method of number `N` of a block `B`.
pub trait Method<B, const N: usize>: Sized {
    const TOOL: &'static Tool;

    fn definition(owner: &Arc<Self>) -> ToolDefinition
    where
        Self: Send + Sync + 'static;
}

/// How a method takes `self`.
#[diagnostic::on_unimplemented(
    message = "a tool cannot take `self` as `{Self}`",
    label = "not a way to share it",
    note = "its calls share one value, so a tool takes `&self`, `self: &Arc<Self>` or \
            `self: Arc<Self>`"
)]
pub trait Receiver<'s, S>: Sized {
    fn of(owner: &'s Arc<S>) -> Self;
}

#[diagnostic::do_not_recommend]
impl<'s, S> Receiver<'s, S> for &'s S {
    fn of(owner: &'s Arc<S>) -> Self {
        owner
    }
}

#[diagnostic::do_not_recommend]
impl<'s, S> Receiver<'s, S> for &'s Arc<S> {
    fn of(owner: &'s Arc<S>) -> Self {
        owner
    }
}

#[diagnostic::do_not_recommend]
impl<S> Receiver<'_, S> for Arc<S> {
    fn of(owner: &Arc<S>) -> Self {
        Self::clone(owner)
    }
}

/// The value as a method takes it, which the method's signature decides.
pub fn receiver<'s, R: Receiver<'s, S>, S>(owner: &'s Arc<S>) -> R {
    R::of(owner)
}
