//! The vectors of the registry: steps on a fresh one, and what each scope sees after each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use dsh_tools::ptc::PtcExecutor;
use dsh_tools::{
    Arguments, Batch, BuildError, CallOptions, Execution, NativeExecutor, Problem, Registration,
    Scope, ToolCall, ToolDefinition, ToolError, ToolRegistry,
};
use serde_json::{Map, Value, json};

use super::scenario::{Agents, Script, definition, filter, list, text};
use super::tree::Tree;
use super::{Verdict, compare};

pub(crate) fn run(_group: &str, input: &Value, expect: &Value) -> Verdict {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let mut stage = Stage::new(input);
    let steps = list(&input["steps"]).iter().zip(list(&expect["steps"]));
    for (number, (step, expected)) in steps.enumerate() {
        let found = runtime.block_on(stage.step(step, expected));
        if let Verdict::Differs(how) = compare(&found.into(), &Tree::expand(expected)) {
            return Verdict::Differs(format!("step {number}: {how}"));
        }
    }
    Verdict::Passed
}

struct Stage {
    registry: ToolRegistry,
    agents: Agents,
    observe: Vec<String>,
    handles: HashMap<String, Registration>,
    changes: Arc<Mutex<Changes>>,
}

#[derive(Default)]
struct Changes {
    count: usize,
    broken: Option<String>,
}

impl Stage {
    fn new(input: &Value) -> Self {
        let builder = match input["deployment_executor"].as_str() {
            Some("ptc") => ToolRegistry::builder().executor(PtcExecutor::new(Script::default())),
            _ => ToolRegistry::builder().executor(NativeExecutor::new()),
        };
        let registry = builder.build().expect("a registry without tools");
        let agents = Agents::default();
        for agent in list(&input["agents"]) {
            agents.add(&registry, agent);
        }
        let changes: Arc<Mutex<Changes>> = Arc::default();
        let heard = Arc::clone(&changes);
        registry
            .on_change("heard", move |_: &ToolRegistry| {
                let mut changes = heard.lock().expect("not poisoned");
                changes.count += 1;
                changes.broken.clone().map_or(Ok(()), |message| Err(ToolError::new(message)))
            })
            .keep();
        let observe = list(&input["observe"]).iter().map(|name| text(name).to_owned()).collect();
        Self { registry, agents, observe, handles: HashMap::new(), changes }
    }

    /// Does a step and tells of it what the vector tells.
    async fn step(&mut self, step: &Value, expected: &Value) -> Value {
        self.changes.lock().expect("not poisoned").count = 0;
        let mut row = Map::new();
        match self.perform(step).await {
            Ok(result) => {
                row.insert("ok".into(), true.into());
                if let Some(result) = result {
                    row.insert("result".into(), result);
                }
            }
            Err(error) => {
                row.insert("ok".into(), false.into());
                row.insert("error".into(), error);
            }
        }
        if expected.get("changes").is_some() {
            row.insert("changes".into(), self.changes.lock().expect("not poisoned").count.into());
        }
        if expected.get("visible").is_some() {
            let seen = self.observe.iter().map(|name| (name.clone(), json!(self.names(name))));
            row.insert("visible".into(), Value::Object(seen.collect()));
        }
        Value::Object(row)
    }

    async fn perform(&mut self, step: &Value) -> Result<Option<Value>, Value> {
        let scope = step["scope"].as_str().or(step["agent"].as_str()).unwrap_or_default();
        let scope = self.agents.find(scope);
        match text(&step["op"]) {
            "register" => self.register(scope.as_ref(), step).map(|()| None),
            "dispose" => {
                let handle = self.handles.remove(text(&step["ref"]));
                drop(handle);
                Ok(None)
            }
            "restrict" => {
                let scope = scope.expect("only a scope can be restricted");
                let handle = scope.restrict(filter(step)).map_err(|e| message(&e.to_string()))?;
                self.hold(step, handle);
                Ok(None)
            }
            "guard" => {
                let (reason, only) = (text(&step["reason"]).to_owned(), step["only"].clone());
                let guard = move |execution: &Execution| {
                    let concerns = only.as_str().is_none_or(|only| only == execution.name());
                    Ok(concerns.then(|| reason.clone()))
                };
                let handle = match &scope {
                    Some(scope) => scope.guard("guard", guard),
                    None => self.registry.guard("guard", guard),
                };
                self.hold(step, handle);
                Ok(None)
            }
            "break_change" => {
                let broken = text(&step["message"]).to_owned();
                self.changes.lock().expect("not poisoned").broken = Some(broken);
                Ok(None)
            }
            "mend_change" => {
                self.changes.lock().expect("not poisoned").broken = None;
                Ok(None)
            }
            "lookup" => {
                let found = self.get(scope.as_ref(), text(&step["name"]));
                Ok(Some(found.map_or(Value::Null, |found| found.description().into())))
            }
            "schemas" => {
                let schemas = match &scope {
                    Some(scope) => scope.schemas(),
                    None => self.registry.schemas(),
                };
                Ok(Some(json!(schemas)))
            }
            "classify" => {
                let arguments: Arguments =
                    step.get("arguments").cloned().unwrap_or(json!({})).into();
                let found = self.get(scope.as_ref(), text(&step["tool"]));
                let parallel = found.is_some_and(|found| found.is_parallel(&arguments));
                Ok(Some(if parallel { "parallel" } else { "exclusive" }.into()))
            }
            "described" => {
                let offer = match &scope {
                    Some(scope) => scope.describe(None),
                    None => self.registry.describe(None),
                };
                let offer = offer.map_err(|error| message(&error.to_string()))?;
                Ok(Some(offer.schemas.iter().map(|schema| schema["name"].clone()).collect()))
            }
            "select_executor" => {
                let handle = match (&scope, text(&step["executor"])) {
                    (Some(scope), "ptc") => scope.executor(PtcExecutor::new(Script::default())),
                    (Some(scope), _) => scope.executor(NativeExecutor::new()),
                    (None, _) => panic!("the executor for everybody is there from the start"),
                };
                // Its words are ours.
                let handle = handle.map_err(|_taken| json!({}))?;
                self.hold(step, handle);
                Ok(None)
            }
            "call" => Ok(Some(self.call(scope.as_ref(), step).await)),
            other => panic!("no such step: {other}"),
        }
    }

    fn register(&mut self, scope: Option<&Scope>, step: &Value) -> Result<(), Value> {
        let tool = &step["tool"];
        let definition = definition(tool).map_err(|error| {
            json!({
                "message": error.to_string(),
                "code": "UNSUPPORTED_SCHEMA",
                "violations": error.violations(),
            })
        })?;
        let definition = classified(definition, &tool["concurrency"]);
        let registered = match scope {
            Some(scope) => scope.register(definition),
            None => self.registry.register(definition),
        };
        let handle = registered.map_err(|error| message(&told(&error)))?;
        self.hold(step, handle);
        Ok(())
    }

    /// Keeps a handle under the name by which a later step knows it. A name of an earlier one stays
    /// with that one, unless it is gone.
    fn hold(&mut self, step: &Value, handle: Registration) {
        let name = step["as"].as_str().or(step["tool"]["name"].as_str()).unwrap_or_default();
        if self.handles.contains_key(name) {
            handle.keep();
        } else {
            self.handles.insert(name.to_owned(), handle);
        }
    }

    fn get(&self, scope: Option<&Scope>, name: &str) -> Option<ToolDefinition> {
        scope.map_or_else(|| self.registry.get(name), |scope| scope.get(name))
    }

    fn names(&self, scope: &str) -> Vec<String> {
        let definitions = match self.agents.find(scope) {
            Some(scope) => scope.definitions(),
            None => self.registry.definitions(),
        };
        definitions.iter().map(|definition| definition.name().to_owned()).collect()
    }

    async fn call(&self, scope: Option<&Scope>, step: &Value) -> Value {
        let options = match scope {
            Some(scope) => CallOptions::new().with_scope(scope),
            None => CallOptions::new(),
        };
        let arguments = step.get("arguments").cloned().unwrap_or(json!({}));
        let call = ToolCall::new("c1", text(&step["tool"]), arguments);
        let batch = Batch::new([call]).with_options(options);
        let outcome = self.registry.execute_batch(batch).await.expect("an executor is mounted");
        let result = outcome.results[0].result();
        let mut told = json!({"isError": result.is_error(), "text": result.content().to_string()});
        if let Some(code) = result.error().and_then(ToolError::code) {
            told["code"] = json!(code);
        }
        told
    }
}

fn classified(definition: ToolDefinition, concurrency: &Value) -> ToolDefinition {
    match concurrency {
        Value::Bool(parallel) => {
            let parallel = *parallel;
            definition.with_parallel_when(move |_| parallel)
        }
        Value::String(how) if how == "throws" => {
            definition.with_parallel_when(|_| panic!("the classifier breaks"))
        }
        Value::String(_) => definition.with_parallel_when(|arguments| arguments["safe"] == true),
        _ => definition,
    }
}

fn message(text: &str) -> Value {
    json!({ "message": text })
}

/// The one problem in the words of the specification; the places below it are ours.
fn told(error: &BuildError) -> String {
    match error.problems() {
        [Problem::Invalid { problem, .. }] => problem.clone(),
        problems => {
            let text = problems.first().map(ToString::to_string).unwrap_or_default();
            text.lines().next().unwrap_or_default().to_owned()
        }
    }
}
