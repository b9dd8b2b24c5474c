//! What exists: discovery, duplicates, missing state, undoing, order.

use dsh_tools::prelude::*;
use dsh_tools::schema::{Property, ValueSchema};
use dsh_tools::{BuildError, CallOptions, Problem, RegistryBuilder, ToolCall};
use fixtures::{constant, read};
use serde_json::json;

/// Tools that only this file mounts, as a toolset.
mod library {
    use dsh_tools::prelude::*;

    pub(super) mod zoo {
        use dsh_tools::prelude::*;

        /// Says what a zebra says.
        #[tool]
        fn zebra() -> &'static str {
            "bark"
        }
    }

    /// Says what an ape says.
    #[tool]
    fn ape() -> &'static str {
        "hoot"
    }

    /// Is only found by its function.
    #[tool(register = false)]
    pub(super) fn hidden() -> &'static str {
        "psst"
    }

    dsh_tools::toolset!(pub(super) library);
    pub(super) mod other {
        dsh_tools::toolset!(pub(in super::super) other);
    }
}

fn names(registry: &ToolRegistry) -> Vec<String> {
    registry.definitions().iter().map(|definition| definition.name().to_owned()).collect()
}

#[test]
fn a_toolset_has_the_tools_of_its_module_and_those_inside() {
    let toolset = library::library();
    assert_eq!(toolset.name(), "library");
    assert_eq!(toolset.tool_names().collect::<Vec<_>>(), ["ape", "zebra"]);
    assert_eq!(library::other::other().tool_names().count(), 0);
    let registry = ToolRegistry::builder().toolset(toolset).build().unwrap();
    assert_eq!(names(&registry), ["ape", "zebra"]);
}

#[test]
fn nothing_is_there_that_was_not_asked_for() {
    assert!(names(&ToolRegistry::builder().build().unwrap()).is_empty());
}

#[test]
fn discovery_finds_what_is_linked_sorted_by_name() {
    let registry = ToolRegistry::builder().discover().build().unwrap();
    let found = names(&registry);
    assert!(found.is_sorted());
    assert!(found.contains(&"ape".to_owned()) && found.contains(&"zebra".to_owned()));
    assert!(!found.contains(&"hidden".to_owned()));
}

#[test]
fn the_same_tool_by_several_ways_counts_once() {
    let registry = ToolRegistry::builder()
        .discover()
        .toolset(library::library())
        .function(library::hidden)
        .function(library::hidden)
        .build()
        .unwrap();
    assert_eq!(names(&registry).iter().filter(|name| *name == "ape").count(), 1);
    assert!(registry.get("hidden").is_some());
}

struct Clock;
struct Desk;

/// Takes the time.
#[tool(register = false)]
fn time(_clock: State<Clock>) -> u8 {
    0
}

/// Takes the time again.
#[tool(register = false, name = "time")]
fn time_again(_clock: State<Clock>, _desk: State<Desk>) -> u8 {
    0
}

fn not_a_tool() {}

#[test]
fn every_problem_of_a_registry_is_reported_at_once() {
    let twice = ValueSchema::object([
        Property::optional("a", ValueSchema::string()),
        Property::optional("a", ValueSchema::string()),
    ]);
    let error = ToolRegistry::builder()
        .function(time)
        .function(time_again)
        .function(not_a_tool)
        .tool(constant("slow", json!(1)).with_timeout(std::time::Duration::ZERO))
        .tool(ToolDefinition::from_fn("twice", " ", twice, |_, _| async { Ok(json!(1)) }))
        .tool(ToolDefinition::from_fn("text", "Text.", ValueSchema::string(), |_, _| async {
            Ok(json!(1))
        }))
        .build()
        .unwrap_err();
    let text = error.to_string();
    let lines: Vec<_> = text.lines().collect();
    let place = |line: &str, tool: &str| {
        line.trim().starts_with(&format!("- tool `{tool}` at tests/it/registry.rs:"))
    };
    assert_eq!(lines[0], "8 problems with the tools of this registry");
    assert_eq!(lines[1], "- `it::registry::not_a_tool` is not a tool, put `#[tool]` on it");
    assert_eq!(
        lines[2],
        "- tool `slow` made at run time: tool \"slow\" timeoutMs must be a positive finite number"
    );
    assert_eq!(lines[3], "- tool `text` made at run time: the parameters are not an object");
    assert_eq!(lines[4], "- tool `twice` made at run time: the description is empty");
    assert!(
        lines[5]
            .starts_with("- tool `twice` made at run time: parameters $: `a` is the name of two")
    );
    assert_eq!(
        lines[6],
        "- state `it::registry::Clock` is missing, add `.state(…)` with a value of that type"
    );
    assert!(place(lines[7], "time") && place(lines[8], "time"), "{text}");
    assert_eq!(
        lines[9],
        "- state `it::registry::Desk` is missing, add `.state(…)` with a value of that type"
    );
    assert!(place(lines[10], "time"), "{text}");
    assert_eq!(
        lines[11],
        "- tool \"time\" is already registered (for a per-agent variant, register through that \
         agent's `agent.ctx` instead)"
    );
    assert!(place(lines[12], "time") && place(lines[13], "time"), "{text}");
    assert_ne!(lines[12], lines[13]);
    assert_eq!(lines.len(), 14, "{text}");
    assert_eq!(format!("{error:?}"), text);
}

#[test]
fn state_that_is_there_is_not_missing() {
    let registry = ToolRegistry::builder().function(time).state(Clock).build().unwrap();
    assert!(registry.get("time").is_some());
}

#[tokio::test]
async fn a_registration_lasts_as_long_as_its_handle() {
    let registry = ToolRegistry::builder().build().unwrap();
    let first = registry.register(constant("a", json!("first"))).unwrap();
    let kept = registry.register(constant("b", json!("kept"))).unwrap();
    kept.keep();
    assert_eq!(names(&registry), ["a", "b"]);

    let call = || registry.execute(ToolCall::new("c1", "a", "{}"), CallOptions::new());
    assert_eq!(read(call().await.result()), "first");
    drop(first);
    assert_eq!(read(call().await.result()), "Error: unknown tool \"a\"");
    assert_eq!(names(&registry), ["b"]);

    let second = registry.register(constant("a", json!("second"))).unwrap();
    assert_eq!(read(call().await.result()), "second");
    drop(second);
}

#[test]
fn a_duplicate_is_refused_and_changes_nothing() {
    let registry = ToolRegistry::builder().tool(constant("a", json!(1))).build().unwrap();
    let original = registry.get("a").unwrap();
    let error: BuildError = registry.register(constant("a", json!(2))).unwrap_err();
    assert!(matches!(error.problems(), [Problem::Duplicate { places, .. }] if places.len() == 2));
    assert!(registry.get("a").unwrap().is_same(&original));
}

#[test]
fn registering_checks_state_too() {
    let registry = ToolRegistry::builder().build().unwrap();
    let error = registry.register(ToolDefinition::of(time).unwrap()).unwrap_err();
    assert!(matches!(error.problems(), [Problem::MissingState { .. }]));
    assert!(registry.get("time").is_none());
}

#[test]
fn what_is_shown_is_the_same_every_time() {
    let tools = || ["c", "a", "b"].map(|name| constant(name, json!(1)));
    let build = |tools: [ToolDefinition; 3]| {
        let builder = tools.into_iter().fold(ToolRegistry::builder(), RegistryBuilder::tool);
        serde_json::to_string(&builder.build().unwrap().schemas()).unwrap()
    };
    let mut reversed = tools();
    reversed.reverse();
    assert_eq!(build(tools()), build(reversed));
}

#[test]
fn a_dropped_registry_makes_its_handles_harmless() {
    let registry = ToolRegistry::builder().build().unwrap();
    let handle = registry.guard("g", |_: &dsh_tools::Execution| Ok(None));
    drop(registry);
    drop(handle);
}
