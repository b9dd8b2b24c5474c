//! A stand-in for an engine: it carries out programs that are written as data.

use std::collections::HashMap;
use std::time::Duration;

use dsh_tools::ToolResult;
use dsh_tools::hooks::BoxFuture;
use dsh_tools::ptc::{
    Argument, Bindings, CodeRuntime, Failure, FailureKind, Ledger, Outcome, OutputLimit, Program,
};
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::{list, text};

/// Runs one script, whatever the source of the program says.
#[derive(Default)]
pub(crate) struct Script(pub(super) Vec<Value>);

type Answer = Result<Value, String>;

/// What a program is at while it runs.
struct Frame {
    bindings: Bindings,
    ledger: Ledger,
    values: HashMap<String, Value>,
    errors: HashMap<String, Thrown>,
    started: HashMap<String, (String, JoinHandle<Answer>)>,
}

/// Why steps end before their end.
enum End {
    Returned(Value),
    Thrown(Thrown),
    Limit(OutputLimit),
}

#[derive(Clone)]
struct Thrown {
    tool: Option<String>,
    message: String,
}

impl CodeRuntime for Script {
    fn language(&self) -> &'static str {
        "typescript"
    }

    fn isolation(&self) -> &'static str {
        "none"
    }

    fn run(&self, program: Program) -> BoxFuture<'_, ToolResult<Outcome>> {
        Box::pin(async move {
            let budgets = program.budgets;
            let mut frame = Frame {
                bindings: program.bindings,
                ledger: Ledger::new(budgets.output_bytes),
                values: HashMap::new(),
                errors: HashMap::new(),
                started: HashMap::new(),
            };
            let ended = tokio::select! {
                biased;
                () = program.cancellation.cancelled() => {
                    Err(Failure::new(FailureKind::Abort, "stop"))
                }
                () = tokio::time::sleep(budgets.wall) => {
                    let wall = budgets.wall.as_millis();
                    let message = format!("wall-clock ceiling reached ({wall}ms)");
                    Err(Failure::new(FailureKind::Timeout, message))
                }
                ended = frame.steps(&self.0) => Ok(ended),
            };
            Ok(frame.outcome(ended))
        })
    }
}

impl Frame {
    fn outcome(self, ended: Result<Result<(), End>, Failure>) -> Outcome {
        let (value, failure) = match ended {
            Err(failure) => (None, Some(failure)),
            Ok(Ok(())) => (None, None),
            Ok(Err(End::Returned(value))) => match self.ledger.close(Some(&value)) {
                Ok(()) => (Some(value), None),
                Err(limit) => (None, Some(over(limit))),
            },
            Ok(Err(End::Limit(limit))) => (None, Some(over(limit))),
            Ok(Err(End::Thrown(Thrown { tool, message }))) => {
                let class = if tool.is_some() { "ToolCallError" } else { "Error" };
                let message = format!("{class}: {message}");
                (None, Some(Failure::new(FailureKind::Exception, message)))
            }
        };
        Outcome { value, logs: self.ledger.into_lines(), failure }
    }

    fn steps<'a>(&'a mut self, steps: &'a [Value]) -> BoxFuture<'a, Result<(), End>> {
        Box::pin(async move {
            for step in steps {
                self.step(step).await?;
            }
            Ok(())
        })
    }

    async fn step(&mut self, step: &Value) -> Result<(), End> {
        let member = step.as_object().and_then(|members| members.iter().next());
        let (kind, given) = member.expect("a step has members");
        match kind.as_str() {
            "print" => {
                let parts: Vec<_> =
                    list(given).iter().map(|part| printed(&self.value(part))).collect();
                return self.ledger.print(&parts.join(" ")).map_err(End::Limit);
            }
            "call" => {
                let value = answer(text(given), self.call(step).await)?;
                self.keep(step, value);
            }
            "all" => {
                let answers = self.together(list(given)).await;
                let calls = list(given).iter().zip(answers);
                let values: Result<Vec<_>, End> =
                    calls.map(|(call, got)| answer(text(&call["call"]), got)).collect();
                self.keep(step, values?.into());
            }
            "settle" => {
                let failed = |why| format!("failed: {why}").into();
                let answers = self.together(list(given)).await.into_iter();
                let values: Vec<Value> = answers.map(|got| got.unwrap_or_else(failed)).collect();
                self.keep(step, values.into());
            }
            "start" => {
                let started = tokio::spawn(self.call(step));
                if let Some(name) = step["as"].as_str() {
                    self.started.insert(name.to_owned(), (text(given).to_owned(), started));
                }
            }
            "wait" => {
                let (tool, started) = self.started.remove(text(given)).expect("it was started");
                let value = answer(&tool, started.await.expect("it does not panic"))?;
                self.keep(step, value);
            }
            "pause_ms" => {
                let pause = given.as_u64().expect("a number of milliseconds");
                tokio::time::sleep(Duration::from_millis(pause)).await;
            }
            "try" => match self.steps(list(given)).await {
                Err(End::Thrown(thrown)) => {
                    self.errors.insert(text(&step["error"]).to_owned(), thrown);
                    self.steps(list(&step["catch"])).await?;
                }
                ended => ended?,
            },
            "for_each" => {
                for item in list(&self.value(given)) {
                    self.values.insert(text(&step["item"]).to_owned(), item.clone());
                    self.steps(list(&step["do"])).await?;
                }
            }
            "throw" => {
                let message = text(given).to_owned();
                return Err(End::Thrown(Thrown { tool: None, message }));
            }
            "return" => return Err(End::Returned(self.value(given))),
            _ => panic!("unknown step: {step}"),
        }
        Ok(())
    }

    /// Calls a tool; the call is on its way before the answer is waited for.
    fn call(&self, step: &Value) -> BoxFuture<'static, Answer> {
        let name = step["call"].as_str().or(step["start"].as_str()).unwrap_or_default();
        let argument = match step.get("args") {
            None => Argument::Missing,
            Some(args) => Argument::Value(self.argument(args)),
        };
        self.bindings.call(name, argument)
    }

    async fn together(&self, calls: &[Value]) -> Vec<Answer> {
        let calls: Vec<_> = calls.iter().map(|call| tokio::spawn(self.call(call))).collect();
        let mut answers = Vec::new();
        for call in calls {
            answers.push(call.await.expect("it does not panic"));
        }
        answers
    }

    fn keep(&mut self, step: &Value, value: Value) {
        if let Some(name) = step["as"].as_str() {
            self.values.insert(name.to_owned(), value);
        }
    }

    /// The argument of a call: an expression, or a value as it stands.
    fn argument(&self, args: &Value) -> Value {
        const EXPRESSIONS: [&str; 7] =
            ["json", "var", "get", "message", "tool_name", "list", "object"];
        match args.as_object() {
            Some(members)
                if members.len() == 1
                    && EXPRESSIONS.iter().any(|key| members.contains_key(*key)) =>
            {
                self.value(args)
            }
            _ => args.clone(),
        }
    }

    fn value(&self, given: &Value) -> Value {
        let member = given.as_object().and_then(|members| members.iter().next());
        let (kind, inner) = member.expect("an expression has a member");
        let error = |name: &Value| &self.errors[text(name)];
        match kind.as_str() {
            "json" => inner.clone(),
            "var" => self.values[text(inner)].clone(),
            "get" => {
                let (name, keys) = list(inner).split_first().expect("it names a variable");
                let value = self.values[text(name)].clone();
                keys.iter().fold(value, |value, key| match key.as_u64() {
                    Some(index) => value[usize::try_from(index).expect("it is small")].clone(),
                    None => value[text(key)].clone(),
                })
            }
            "message" => error(inner).message.clone().into(),
            "tool_name" => json!(error(inner).tool),
            "is_tool_error" => error(inner).tool.is_some().into(),
            "list" => list(inner).iter().map(|item| self.value(item)).collect(),
            "object" => {
                let members = inner.as_object().expect("it has members").iter();
                let members = members.map(|(key, value)| (key.clone(), self.value(value)));
                Value::Object(members.collect())
            }
            _ => panic!("unknown expression: {given}"),
        }
    }
}

fn answer(tool: &str, answer: Answer) -> Result<Value, End> {
    answer.map_err(|message| End::Thrown(Thrown { tool: Some(tool.to_owned()), message }))
}

fn over(limit: OutputLimit) -> Failure {
    Failure::new(FailureKind::OutputLimit, limit.to_string())
}

fn printed(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
