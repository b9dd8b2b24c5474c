//! Case 47: one function runs tools, and every way to it passes the same policy.

use clap::Parser;
use dsh_tools::cli::{self, Command};
use dsh_tools::hooks::pre_execute_fn;
use dsh_tools::{Batch, CallOptions, Execution, RegistryBuilder, ToolCall, ToolError, ToolResult};
use fixtures::{Trace, registry, run_batch};

/// A host's command line.
#[derive(Parser)]
struct Host {
    #[command(subcommand)]
    command: Command,
}

/// How policy can say no.
const WAYS: [fn(RegistryBuilder) -> RegistryBuilder; 6] = [
    |builder| builder.guard("denies", |_: &Execution| Ok(Some("never".to_owned()))),
    |builder| {
        builder.guard("fails", |_: &Execution| -> ToolResult<Option<String>> {
            Err(ToolError::new("no database"))
        })
    },
    |builder| {
        builder.guard("panics", |_: &Execution| -> ToolResult<Option<String>> { panic!("told to") })
    },
    |builder| {
        let fails = pre_execute_fn(|_, _| Box::pin(async { Err(ToolError::new("no database")) }));
        builder.pre_execute("fails", fails)
    },
    |builder| {
        let panics = pre_execute_fn(|_, _| Box::pin(async { panic!("told to") }));
        builder.pre_execute("panics", panics)
    },
    |builder| {
        let panics = pre_execute_fn(|_, _| panic!("told to, at once"));
        builder.pre_execute("panics", panics)
    },
];

fn call() -> ToolCall {
    ToolCall::new("c1", "note", r#"{"text": "hi"}"#)
}

#[tokio::test]
async fn case_47_no_entry_point_gets_past_policy_that_denies_fails_or_panics() {
    for way in WAYS {
        let trace = Trace::default();
        let registry = registry(&trace, way);
        let completed = registry.execute(call(), CallOptions::new()).await;
        assert!(completed.result().is_error());

        let prepared = registry.prepare(call(), CallOptions::new()).await;
        assert!(!prepared.is_admitted());
        assert!(prepared.dispatch().await.complete().await.result().is_error());

        let agent = registry.scope("agent");
        let options = CallOptions::new().with_scope(&agent.scope("nested"));
        assert!(registry.execute(call(), options).await.result().is_error());

        let batch = Batch::new([call(), call()]);
        let outcome = run_batch(&registry, batch).await;
        assert!(outcome.results.iter().all(|completed| completed.result().is_error()));

        let builder = way(dsh_tools::ToolRegistry::builder().tool(fixtures::note(&trace)));
        let arguments = ["host", "call", "note", r#"{"text": "hi"}"#, "--json", "--approve"];
        let command = Host::parse_from(arguments).command;
        let code = cli::run(command, builder).await;
        assert_eq!(format!("{code:?}"), format!("{:?}", std::process::ExitCode::from(1)));

        assert!(trace.lines().is_empty(), "a body ran");
    }
}

/// The same ways in, with policy that lets calls through: the bodies run.
#[tokio::test]
async fn the_same_entry_points_run_what_policy_allows() {
    let trace = Trace::default();
    let registry = registry(&trace, |builder| builder);
    registry.execute(call(), CallOptions::new()).await;
    registry.prepare(call(), CallOptions::new()).await.dispatch().await.complete().await;
    run_batch(&registry, Batch::new([call(), call()])).await;
    let builder = dsh_tools::ToolRegistry::builder().tool(fixtures::note(&trace));
    let arguments = ["host", "call", "note", r#"{"text": "hi"}"#, "--json"];
    cli::run(Host::parse_from(arguments).command, builder).await;
    assert_eq!(trace.lines().len(), 5);
}
