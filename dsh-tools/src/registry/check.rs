//! Whether tools may be registered: every reason why not.

use std::collections::BTreeMap;

use super::error::{Place, Problem};
use super::filter::RUN_CODE;
use super::layer::ScopeId;
use crate::definition::ToolDefinition;
use crate::state::{StateMap, StateType};

/// What is wrong with the tools by themselves, and with what they need.
pub(super) fn definitions(state: &StateMap, added: &[ToolDefinition]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut missing: BTreeMap<&str, (StateType, Vec<Place>)> = BTreeMap::new();
    for definition in added {
        if definition.name() == RUN_CODE {
            problems.push(Problem::Reserved { tool: Place::of(definition) });
        }
        for problem in definition.problems() {
            problems.push(Problem::Invalid { tool: Place::of(definition), problem });
        }
        for need in definition.needs().iter().filter(|need| !state.holds(**need)) {
            let (_, tools) = missing.entry(need.name()).or_insert((*need, Vec::new()));
            tools.push(Place::of(definition));
        }
    }
    let missing = missing.into_values();
    problems.extend(missing.map(|(state, tools)| Problem::MissingState { state, tools }));
    problems
}

/// Which names are taken in a scope, by tools that are there or by each other.
pub(super) fn names(
    scope: ScopeId,
    added: &[ToolDefinition],
    present: impl Fn(&str) -> Option<ToolDefinition>,
) -> Vec<Problem> {
    let mut by_name: BTreeMap<&str, Vec<Place>> = BTreeMap::new();
    for definition in added {
        let places = by_name
            .entry(definition.name())
            .or_insert_with(|| present(definition.name()).iter().map(Place::of).collect());
        places.push(Place::of(definition));
    }
    let taken = by_name.into_iter().filter(|(_, places)| places.len() > 1);
    let is_global = scope == ScopeId::GLOBAL;
    taken
        .map(|(name, places)| Problem::Duplicate { name: name.to_owned(), is_global, places })
        .collect()
}
