//! The tools behind their policy, called as a model calls them.

use dsh_tools::hooks::ToolExecutor;
use dsh_tools::hooks::{Approval, ApprovalRequest, approver_fn};
use dsh_tools::{Batch, CallOptions, CallResult, NativeExecutor, RegistryBuilder, ToolCall};

use super::Workspace;

fn builder(workspace: &Workspace) -> RegistryBuilder {
    workspace_tools::builder(workspace.root.clone())
}

async fn call(builder: RegistryBuilder, name: &str, arguments: &str) -> CallResult {
    let registry = builder.build().unwrap();
    let batch = Batch::new([ToolCall::new("1", name, arguments)])
        .with_options(CallOptions::new().with_scope(&registry.scope("main")));
    let outcome = NativeExecutor::new().execute(&registry, batch).await.unwrap();
    outcome.results[0].result().clone()
}

fn code(result: &CallResult) -> Option<&str> {
    Some(result.error()?.code()?.as_str())
}

#[tokio::test]
async fn all_tools_are_there_and_described() {
    let registry = builder(&Workspace::new()).build().unwrap();
    let names: Vec<_> = registry.definitions().iter().map(|d| d.name().to_owned()).collect();
    assert_eq!(
        names,
        ["edit_file", "glob", "grep", "list_dir", "read_file", "run_command", "write_file"]
    );
    for definition in &*registry.definitions() {
        let schema = definition.parameters().to_json();
        for (name, property) in schema["properties"].as_object().unwrap() {
            let described = property["description"].as_str().unwrap_or_default();
            assert!(!described.is_empty(), "{}: {name}", definition.name());
        }
    }
}

#[tokio::test]
async fn a_tool_reads_what_a_model_asks_for() {
    let workspace = Workspace::with(&[("a.txt", "one\ntwo\n")]);
    let result = call(builder(&workspace), "read_file", r#"{"path": "a.txt", "offset": 2}"#).await;
    assert_eq!(result.content().to_string(), "     2\ttwo\n");
    assert_eq!(result.value().unwrap()["total_lines"], 2);
}

#[tokio::test]
async fn misspelt_arguments_are_named_with_all_other_problems() {
    let workspace = Workspace::new();
    let arguments = r#"{"pattern": "fn main", "limt": 3, "context": 11}"#;
    let result = call(builder(&workspace), "grep", arguments).await;
    assert_eq!(code(&result), Some("INVALID_ARGS"));
    assert_eq!(
        result.content().to_string(),
        "Error: invalid arguments: \"context\" must be at most 10; \
         \"limt\" is not a declared property (additionalProperties: false), did you mean \"limit\"?"
    );
}

#[tokio::test]
async fn a_path_outside_is_denied_by_the_guard_before_the_tool_runs() {
    let workspace = Workspace::new();
    for (name, arguments) in [
        ("read_file", r#"{"path": "../outside/secret.txt"}"#),
        ("write_file", r#"{"path": "/tmp/x", "content": ""}"#),
        ("list_dir", r#"{"path": "a/../../outside"}"#),
        ("grep", r#"{"pattern": "x", "path": ".."}"#),
        ("run_command", r#"{"command": "ls", "cwd": "../outside"}"#),
    ] {
        let builder = builder(&workspace)
            .approver(approver_fn(|request| Box::pin(async { Ok(request.allow_once()) })));
        let result = call(builder, name, arguments).await;
        let text = result.content().to_string();
        assert!(text.contains("is outside the workspace"), "{name}: {text}");
        // The guard denies without a code; the tool's own check would have one.
        assert_eq!(code(&result), None, "{name}");
    }
}

#[tokio::test]
async fn a_link_outside_is_refused_by_the_tool_itself() {
    let workspace = Workspace::new();
    workspace.link("door", workspace.outside(""));
    let result = call(builder(&workspace), "read_file", r#"{"path": "door/secret.txt"}"#).await;
    assert_eq!(code(&result), Some("PATH_OUTSIDE_WORKSPACE"));
    assert_eq!(result.error().unwrap().info().unwrap().name, "WorkspaceError");
}

#[tokio::test]
async fn secrets_are_off_limits() {
    let files = [".env", ".env.local", "deploy/server.pem", "id_rsa", "ID_ED25519"];
    let workspace = Workspace::with(&files.map(|file| (file, "secret")));
    for file in files {
        let arguments = format!(r#"{{"path": "{file}"}}"#);
        let result = call(builder(&workspace), "read_file", &arguments).await;
        assert_eq!(
            result.content().to_string(),
            format!("Error: `{file}` holds secrets; no tool may use it")
        );
    }
}

#[tokio::test]
async fn a_command_runs_only_after_a_yes() {
    let workspace = Workspace::new();
    let run = r#"{"command": "touch ran"}"#;
    let answer = |answer: fn(&ApprovalRequest) -> Approval| {
        builder(&workspace).approver(approver_fn(move |request| {
            assert_eq!(request.reason(), Some("it runs `touch ran`"));
            Box::pin(async move { Ok(answer(request)) })
        }))
    };
    let result = call(builder(&workspace), "run_command", run).await;
    assert!(result.content().to_string().contains("nobody is there to give it"));
    let result = call(answer(|_| Approval::Rejected), "run_command", run).await;
    assert_eq!(result.content().to_string(), "Error: the user rejected tool \"run_command\"");
    assert!(workspace.names().is_empty());

    let result = call(answer(ApprovalRequest::allow_once), "run_command", run).await;
    assert_eq!(result.content().to_string(), "[no output]\n");
    assert_eq!(workspace.names(), ["ran"]);
}
