//! The registry against the most naive thing that could be one.

use std::collections::BTreeMap;

use dsh_tools::hooks::ConditionContext;
use dsh_tools::{
    CallOptions, Registration, ResolvedToolSet, Scope, Step, ToolCall, ToolDefinition, ToolFilter,
    ToolRegistry,
};
use fixtures::{code, constant, read};
use proptest::prelude::*;
use serde_json::json;

use super::budget;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
/// Global, two agents, and one nested in the first.
const SCOPES: usize = 4;
const PARENTS: [Option<usize>; SCOPES] = [None, Some(0), Some(0), Some(1)];

#[derive(Clone, Debug)]
enum Operation {
    Register {
        scope: usize,
        name: usize,
        condition: Option<bool>,
    },
    Restrict {
        scope: usize,
        allow: bool,
        names: Vec<usize>,
    },
    /// Drops a handle, by its place among those that are held.
    Undo(prop::sample::Index),
    Resolve {
        scope: usize,
    },
    Dispose(prop::sample::Index),
    Call {
        scope: usize,
        name: usize,
        set: Option<prop::sample::Index>,
    },
}

fn operations() -> impl Strategy<Value = Operation> {
    let scope = 0..SCOPES;
    let agent = 1..SCOPES;
    let name = 0..NAMES.len();
    let index = any::<prop::sample::Index>();
    prop_oneof![
        4 => (scope.clone(), name.clone(), prop::option::weighted(0.3, any::<bool>()))
            .prop_map(|(scope, name, condition)| Operation::Register { scope, name, condition }),
        2 => (agent, any::<bool>(), prop::collection::vec(name.clone(), 0..3))
            .prop_map(|(scope, allow, names)| Operation::Restrict { scope, allow, names }),
        3 => any::<prop::sample::Index>().prop_map(Operation::Undo),
        2 => scope.clone().prop_map(|scope| Operation::Resolve { scope }),
        1 => any::<prop::sample::Index>().prop_map(Operation::Dispose),
        4 => (scope, name, prop::option::of(index))
            .prop_map(|(scope, name, set)| Operation::Call { scope, name, set }),
    ]
}

/// One registration: its number, which is what its tool gives, and its condition.
#[derive(Clone, Debug, PartialEq)]
struct Tool {
    number: usize,
    name: &'static str,
    condition: Option<bool>,
}

#[derive(Default)]
struct Model {
    tools: [Vec<Tool>; SCOPES],
    filters: [Vec<(usize, bool, Vec<&'static str>)>; SCOPES],
}

/// What was undone last is the layer and the number.
type Held = (usize, usize);

impl Model {
    /// From the farthest ancestor to the scope itself, without the global layer.
    fn chain(scope: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = Some(scope);
        while let Some(scope) = at.filter(|scope| *scope != 0) {
            chain.insert(0, scope);
            at = PARENTS[scope];
        }
        chain
    }

    fn inherited(&self, scope: usize) -> Vec<Tool> {
        let mut layers = vec![0];
        layers.extend(Self::chain(scope));
        if scope != 0 {
            layers.pop();
        }
        let mut seen: Vec<Tool> = Vec::new();
        for layer in layers {
            for tool in &self.tools[layer] {
                match seen.iter_mut().find(|other| other.name == tool.name) {
                    Some(other) => *other = tool.clone(),
                    None => seen.push(tool.clone()),
                }
            }
        }
        seen
    }

    fn visible(&self, scope: usize) -> Vec<Tool> {
        let mut seen = self.inherited(scope);
        for layer in Self::chain(scope) {
            for (_, allow, names) in &self.filters[layer] {
                seen.retain(|tool| names.contains(&tool.name) == *allow);
            }
        }
        if scope != 0 {
            for tool in &self.tools[scope] {
                match seen.iter_mut().find(|other| other.name == tool.name) {
                    Some(other) => *other = tool.clone(),
                    None => seen.push(tool.clone()),
                }
            }
        }
        seen
    }
}

struct Real {
    registry: ToolRegistry,
    scopes: Vec<Scope>,
}

impl Real {
    fn new() -> Self {
        let registry = ToolRegistry::builder().build().unwrap();
        let first = registry.scope("first");
        let nested = first.scope("nested");
        let scopes = vec![first, registry.scope("second"), nested];
        Self { registry, scopes }
    }

    fn scope(&self, scope: usize) -> Option<&Scope> {
        scope.checked_sub(1).map(|agent| &self.scopes[agent])
    }

    fn register(&self, scope: usize, tool: ToolDefinition) -> Result<Registration, String> {
        match self.scope(scope) {
            None => self.registry.register(tool),
            Some(scope) => scope.register(tool),
        }
        .map_err(|error| error.to_string())
    }

    fn names(&self, scope: usize) -> Vec<String> {
        let definitions = match self.scope(scope) {
            None => self.registry.definitions(),
            Some(scope) => scope.definitions(),
        };
        definitions.iter().map(|definition| definition.name().to_owned()).collect()
    }

    async fn resolve(&self, scope: usize) -> ResolvedToolSet {
        match self.scope(scope) {
            None => self.registry.resolve(Step::default()).await,
            Some(scope) => scope.resolve(Step::default()).await,
        }
        .unwrap()
    }

    async fn call(&self, scope: usize, name: &str, set: Option<&ResolvedToolSet>) -> String {
        let mut options = CallOptions::new();
        if let Some(scope) = self.scope(scope) {
            options = options.with_scope(scope);
        }
        if let Some(set) = set {
            options = options.with_tool_set(set);
        }
        let completed = self.registry.execute(ToolCall::new("c", name, "{}"), options).await;
        code(completed.result()).map_or_else(|| read(completed.result()), str::to_owned)
    }
}

/// A set of the model: for which scope, and which registrations.
type Admitted = (usize, BTreeMap<&'static str, usize>);

#[derive(Default)]
struct Sets {
    real: Vec<ResolvedToolSet>,
    model: Vec<Option<Admitted>>,
}

async fn play(operations: Vec<Operation>) {
    let real = Real::new();
    let mut model = Model::default();
    let mut held: Vec<(Held, Registration)> = Vec::new();
    let mut sets = Sets::default();
    for (number, operation) in operations.into_iter().enumerate() {
        match operation {
            Operation::Register { scope, name, condition } => {
                let name = NAMES[name];
                let mut tool = constant(name, json!(number.to_string()));
                if let Some(answer) = condition {
                    tool =
                        tool.with_condition(move |_: ConditionContext| async move { Ok(answer) });
                }
                let taken = model.tools[scope].iter().any(|tool| tool.name == name);
                let registered = real.register(scope, tool);
                assert_eq!(registered.is_err(), taken);
                if let Ok(handle) = registered {
                    model.tools[scope].push(Tool { number, name, condition });
                    held.push(((scope, number), handle));
                }
            }
            Operation::Restrict { scope, allow, names } => {
                let names: Vec<_> = names.into_iter().map(|name| NAMES[name]).collect();
                let filter = if allow {
                    ToolFilter::allow(names.iter().copied())
                } else {
                    ToolFilter::deny(names.iter().copied())
                };
                let inherited = model.inherited(scope);
                let known = |name: &&str| inherited.iter().any(|tool| tool.name == *name);
                let restricted = real.scope(scope).unwrap().restrict(filter);
                assert_eq!(restricted.is_ok(), names.iter().all(known));
                if let Ok(handle) = restricted {
                    model.filters[scope].push((number, allow, names));
                    held.push(((scope, number), handle));
                }
            }
            Operation::Undo(index) => {
                if !held.is_empty() {
                    let ((scope, number), handle) = held.remove(index.index(held.len()));
                    drop(handle);
                    model.tools[scope].retain(|tool| tool.number != number);
                    model.filters[scope].retain(|(other, ..)| *other != number);
                }
            }
            Operation::Resolve { scope } => {
                let visible = model.visible(scope).into_iter();
                let admitted = visible.filter(|tool| tool.condition != Some(false));
                let admitted = admitted.map(|tool| (tool.name, tool.number)).collect();
                sets.model.push(Some((scope, admitted)));
                sets.real.push(real.resolve(scope).await);
            }
            Operation::Dispose(index) => {
                if !sets.real.is_empty() {
                    let index = index.index(sets.real.len());
                    sets.real[index].dispose();
                    sets.model[index] = None;
                }
            }
            Operation::Call { scope, name, set } => {
                let set = set.filter(|_| !sets.real.is_empty()).map(|i| i.index(sets.real.len()));
                let visible = model.visible(scope);
                let found = visible.iter().find(|tool| tool.name == NAMES[name]);
                let admitted = match set {
                    None => found.filter(|tool| tool.condition.is_none()),
                    Some(set) => found.filter(|tool| {
                        sets.model[set].as_ref().is_some_and(|(of, admitted)| {
                            *of == scope && admitted.get(tool.name) == Some(&tool.number)
                        })
                    }),
                };
                let expected =
                    admitted.map_or("UNKNOWN_TOOL".to_owned(), |tool| tool.number.to_string());
                let given = real.call(scope, NAMES[name], set.map(|set| &sets.real[set])).await;
                assert_eq!(given, expected);
            }
        }
        for scope in 0..SCOPES {
            let visible: Vec<_> = model.visible(scope).iter().map(|tool| tool.name).collect();
            assert_eq!(real.names(scope), visible, "scope {scope}");
        }
    }
}

proptest! {
    #![proptest_config(budget(256))]

    #[test]
    fn a_registry_sees_what_the_naive_one_sees(
        operations in prop::collection::vec(operations(), 1..40)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(play(operations));
    }
}
