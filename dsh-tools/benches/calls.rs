//! One call through the whole pipeline, beside the least that any answer to it has to do.
//!
//! `cargo bench -p dsh-tools --bench calls`; compare within one run. The floor looks the tool up,
//! reads the arguments into the type, runs the body, writes its result as JSON, and makes a child
//! token and a panic guard: what a host would write by hand, without any policy.

use std::collections::HashMap;
use std::future::poll_fn;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;

use divan::Bencher;
use dsh_tools::hooks::{PreDecision, around_fn, post_execute_fn, pre_execute_fn};
use dsh_tools::{
    CallOptions, Execution, RegistryBuilder, Schema, ToolCall, ToolContext, ToolDefinition,
    ToolRegistry,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

fn main() {
    divan::main();
}

#[derive(Deserialize, Schema)]
struct Args {
    path: String,
    offset: Option<u64>,
    limit: Option<u64>,
}

#[derive(Serialize, Schema)]
struct Found {
    name: String,
    first: u64,
    last: u64,
}

const TEXT: &str = r#"{"path": "/srv/data/file.txt", "limit": 200}"#;

fn find(args: Args) -> Found {
    let first = args.offset.unwrap_or(0);
    Found { name: args.path, first, last: first + args.limit.unwrap_or(10) }
}

fn tool(name: String) -> ToolDefinition {
    ToolDefinition::typed(name, "Finds lines.", |args: Args, _: ToolContext| async {
        Ok(find(args))
    })
}

fn registry(tools: usize, more: impl FnOnce(RegistryBuilder) -> RegistryBuilder) -> ToolRegistry {
    let builder = (0..tools).fold(ToolRegistry::builder(), |builder, index| {
        builder.tool(tool(format!("tool_{index}")))
    });
    more(builder).build().expect("the tools are right")
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().build().expect("it starts")
}

type Body = Box<dyn Fn(&str) -> Pin<Box<dyn Future<Output = String> + Send>> + Send + Sync>;

/// What cannot be left out.
#[divan::bench]
fn floor(bencher: Bencher<'_, '_>) {
    let runtime = runtime();
    let body: Body = Box::new(|text| {
        let args = serde_json::from_str(text);
        Box::pin(async move {
            serde_json::to_string(&find(args.expect("it is valid"))).expect("it is JSON")
        })
    });
    let tools = HashMap::from([("tool_0".to_owned(), body)]);
    let caller = CancellationToken::new();
    bencher.bench(|| {
        runtime.block_on(async {
            let call = ("call_1".to_owned(), "tool_0".to_owned(), TEXT.to_owned());
            let token = caller.child_token();
            let mut future = tools[&call.1](black_box(&call.2));
            let answer = poll_fn(|cx| {
                catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)))
                    .expect("it does not panic")
            });
            let answer = answer.await;
            drop(token);
            drop(black_box(answer));
        });
    });
}

fn run(bencher: Bencher<'_, '_>, registry: &ToolRegistry) {
    let runtime = runtime();
    let call = || registry.execute(ToolCall::new("call_1", "tool_0", TEXT), CallOptions::new());
    assert_eq!(
        runtime.block_on(call()).result().value(),
        Some(&json!({"name": "/srv/data/file.txt", "first": 0, "last": 200}))
    );
    // Dropped here, as hosts do; kept until the end, results would measure the allocator.
    bencher.bench(|| drop(black_box(runtime.block_on(call()))));
}

#[divan::bench]
fn without_hooks(bencher: Bencher<'_, '_>) {
    run(bencher, &registry(1, |builder| builder));
}

#[divan::bench]
fn with_every_kind_of_hook(bencher: Bencher<'_, '_>) {
    let registry = registry(1, |builder| {
        builder
            .pre_execute(
                "pre",
                pre_execute_fn(|_, next| {
                    Box::pin(async {
                        match next.run().await? {
                            PreDecision::Allow => Ok(PreDecision::Allow),
                            other => Ok(other),
                        }
                    })
                }),
            )
            .guard("guard", |_: &Execution| Ok(None))
            .around("around", around_fn(|_, next| next.run()))
            .post_execute("post", post_execute_fn(|_, _, next| next.run()))
    });
    run(bencher, &registry);
}

#[divan::bench]
fn among_10000_tools(bencher: Bencher<'_, '_>) {
    run(bencher, &registry(10_000, |builder| builder));
}

#[divan::bench_group]
mod registering {
    use super::{Bencher, ToolDefinition, ToolRegistry, tool};

    fn tools() -> Vec<ToolDefinition> {
        (0..10_000).map(|index| tool(format!("tool_{index}"))).collect()
    }

    fn empty() -> ToolRegistry {
        ToolRegistry::builder().build().expect("nothing is wrong with nothing")
    }

    #[divan::bench]
    fn one_by_one_10000(bencher: Bencher<'_, '_>) {
        bencher.with_inputs(|| (empty(), tools())).bench_local_values(|(registry, tools)| {
            for tool in tools {
                registry.register(tool).expect("its name is new").keep();
            }
            registry
        });
    }

    #[divan::bench]
    fn all_at_once_10000(bencher: Bencher<'_, '_>) {
        bencher.with_inputs(|| (empty(), tools())).bench_local_values(|(registry, tools)| {
            registry.register_all(tools).expect("their names are new").keep();
            registry
        });
    }

    #[divan::bench]
    fn schemas_of_1000_unchanged(bencher: Bencher<'_, '_>) {
        let registry = super::registry(1_000, |builder| builder);
        bencher.bench(|| registry.schemas());
    }

    #[divan::bench]
    fn schemas_of_1000_after_a_change(bencher: Bencher<'_, '_>) {
        let registry = super::registry(1_000, |builder| builder);
        bencher.bench_local(|| {
            let one_more = registry.register(tool("new".to_owned())).expect("its name is new");
            let schemas = registry.schemas();
            drop(one_more);
            schemas
        });
    }
}
