//! What the host of these tools allows: guards that deny, and a question before commands.

use std::path::Path;

use dsh_tools::hooks::{Guard, PreDecision, PreExecute, pre_execute_fn};
use dsh_tools::{Execution, ToolResult};

use crate::Root;

/// Arguments that name a path, in any of the tools.
const PATHS: [&str; 2] = ["path", "cwd"];

/// Denies paths that leave the root, before a tool looks at them.
///
/// It judges the text of the path; links are seen by the tool itself, which checks again.
pub fn inside(root: Root) -> impl Guard {
    move |execution: &Execution| {
        let refused = paths(execution).find_map(|path| root.admits(path).err());
        Ok(refused.map(|error| error.to_string()))
    }
}

/// Denies files whose names say that they hold secrets.
///
/// # Errors
/// Never.
pub fn no_secrets(execution: &Execution) -> ToolResult<Option<String>> {
    let secret = paths(execution).find(|path| is_secret(path));
    Ok(secret.map(|path| format!("`{}` holds secrets; no tool may use it", path.display())))
}

/// Asks before a command runs, and shows it.
pub fn ask_before_commands() -> impl PreExecute {
    pre_execute_fn(|execution, next| {
        Box::pin(async move {
            let runs = execution
                .definition()
                .is_some_and(|definition| definition.tags().any(|tag| tag == "commands"));
            match execution.arguments()["command"].as_str() {
                Some(command) if runs => Ok(PreDecision::ask(format!("it runs `{command}`"))),
                _ => next.run().await,
            }
        })
    })
}

fn paths(execution: &Execution) -> impl Iterator<Item = &Path> {
    PATHS.iter().filter_map(|key| execution.arguments()[key].as_str()).map(Path::new)
}

fn is_secret(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase());
    let name = name.unwrap_or_default();
    let extension = Path::new(&name).extension().and_then(|extension| extension.to_str());
    name == ".env"
        || name.starts_with(".env.")
        || name.starts_with("id_rsa")
        || name.starts_with("id_ed25519")
        || matches!(extension, Some("pem" | "key" | "p12"))
}
