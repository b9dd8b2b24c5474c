//! The order in which tools are sent to a model.

use dsh_tools::{ToolDefinition, ToolFilter, ToolOrder, ToolOrderError, ToolRegistry};
use fixtures::constant;
use serde_json::json;

fn registry(names: &[&'static str]) -> ToolRegistry {
    let registry = ToolRegistry::builder().build().unwrap();
    for name in names {
        registry.register(constant(name, json!(1))).unwrap().keep();
    }
    registry
}

fn arranged(order: &ToolOrder, registry: &ToolRegistry) -> Result<Vec<String>, ToolOrderError> {
    let arranged = order.arrange(&registry.definitions(), &registry.known_names())?;
    Ok(arranged.iter().map(|definition| definition.name().to_owned()).collect())
}

#[test]
fn by_default_tools_are_sent_in_the_order_of_their_names() {
    let registry = registry(&["b", "\u{fb33}", "a", "B", "\u{1f600}"]);
    assert_eq!(
        arranged(&ToolOrder::by_name(), &registry).unwrap(),
        ["B", "a", "b", "\u{1f600}", "\u{fb33}"]
    );
}

#[test]
fn listed_tools_have_their_places_and_others_the_rest() {
    let registry = registry(&["d", "c", "b", "a"]);
    let order = |names: &[&str]| ToolOrder::listed(names.iter().copied()).unwrap();
    assert_eq!(
        arranged(&order(&["c", "<unlisted-tools>", "a"]), &registry).unwrap(),
        ["c", "b", "d", "a"]
    );
    assert_eq!(
        arranged(&order(&["<unlisted-tools>", "a"]), &registry).unwrap(),
        ["b", "c", "d", "a"]
    );
}

#[test]
fn a_hidden_tool_is_known_and_one_that_does_not_exist_is_not() {
    let registry = registry(&["a", "b"]);
    let scope = registry.scope("s");
    scope.restrict(ToolFilter::deny(["b"])).unwrap().keep();
    let order = ToolOrder::listed(["b", "<unlisted-tools>"]).unwrap();
    let arranged = order.arrange(&scope.definitions(), &scope.known_names()).unwrap();
    assert_eq!(arranged.iter().map(ToolDefinition::name).collect::<Vec<_>>(), ["a"]);

    let refused = |names: &[&str]| {
        let order = ToolOrder::listed(names.iter().copied()).unwrap();
        order.arrange(&scope.definitions(), &scope.known_names()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&["x", "<unlisted-tools>"]),
        "toolOrder lists unregistered tool \"x\"; known tools: a, b"
    );
    assert_eq!(
        refused(&["x", "<unlisted-tools>", "y"]),
        "toolOrder lists unregistered tools \"x\", \"y\"; known tools: a, b"
    );
}

#[test]
fn a_list_that_cannot_be_meant_is_refused() {
    let refused =
        |names: &[&str]| ToolOrder::listed(names.iter().copied()).unwrap_err().to_string();
    assert_eq!(refused(&["a", "<unlisted-tools>", "a"]), "toolOrder lists \"a\" more than once");
    assert_eq!(
        refused(&["a"]),
        "toolOrder must contain the \"<unlisted-tools>\" rest entry (where unlisted tools are \
         inserted)"
    );
    let registry = registry(&["<unlisted-tools>"]);
    assert_eq!(
        arranged(&ToolOrder::by_name(), &registry).unwrap_err(),
        ToolOrderError::NamedLikeThePlace
    );
}

#[tokio::test]
async fn a_tool_whose_condition_does_not_hold_is_known() {
    let registry = registry(&["a"]);
    let off = constant("off", json!(1))
        .with_condition(|_: dsh_tools::hooks::ConditionContext| async { Ok(false) });
    registry.register(off).unwrap().keep();
    let set = registry.resolve(dsh_tools::Step::default()).await.unwrap();
    let order = ToolOrder::listed(["off", "<unlisted-tools>"]).unwrap();
    let arranged = order.arrange(&set.definitions(), &registry.known_names()).unwrap();
    assert_eq!(arranged.iter().map(ToolDefinition::name).collect::<Vec<_>>(), ["a"]);
}
