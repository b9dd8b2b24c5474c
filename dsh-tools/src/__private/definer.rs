//! The definition, made piece by piece.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::parameter::Parameter;
use super::render::Render;
use super::returned::ToolReturn;
use super::tool::Tool;
use crate::body::{Body, BodyCall, BodyFuture, decode, to_value};
use crate::context::FromContext;
use crate::definition::{
    Details, Meta, Parallel, Parameters, Renderer, ToolDefinition, classifier,
};
use crate::state::StateType;

/// The type of a function, by which its definition is found.
pub fn type_id_of<F: 'static>(_function: &F) -> TypeId {
    TypeId::of::<F>()
}

/// Makes the definition of a function, piece by piece.
pub fn define(tool: &'static Tool, body: fn(BodyCall) -> BodyFuture) -> Definer {
    Definer::new(tool, Arc::new(body))
}

/// Makes the definition of a method, piece by piece; it shares the value the method is called on.
pub fn define_method<S: Send + Sync + 'static>(
    tool: &'static Tool,
    owner: &Arc<S>,
    body: fn(Arc<S>, BodyCall) -> BodyFuture,
) -> Definer {
    let owner = Arc::clone(owner);
    Definer::new(tool, Arc::new(move |call: BodyCall| body(Arc::clone(&owner), call)))
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
    fn new(tool: &'static Tool, body: Arc<dyn Body>) -> Self {
        Self { tool, body, needs: Vec::new(), parallel: Parallel::Never, render: None, meta: None }
    }

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

impl fmt::Debug for Definer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Definer").field("tool", self.tool).finish_non_exhaustive()
    }
}
