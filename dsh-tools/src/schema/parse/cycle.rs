//! References that lead to themselves before any part of a value is taken.

use crate::schema::value::{Kind, Reference, ValueSchema};

/// The path of a schema that a check would never come back from.
pub(super) fn endless(root: &ValueSchema) -> Option<String> {
    let count = root.definitions.len();
    // The root is the node after all definitions.
    let schema = |node: usize| root.definitions.get(node).map_or(root, |d| &d.schema);
    let edges: Vec<Vec<usize>> = (0..=count).map(|node| leads_to(schema(node), count)).collect();
    let mut state = vec![State::New; count + 1];
    for start in 0..=count {
        let mut path = vec![(start, 0)];
        while let Some((node, edge)) = path.pop() {
            state[node] = State::Open;
            match edges[node].get(edge) {
                None => state[node] = State::Done,
                Some(next) => {
                    path.push((node, edge + 1));
                    match state[*next] {
                        State::New => path.push((*next, 0)),
                        State::Open => {
                            let definition = root.definitions.get(*next);
                            let path = definition.map(|d| format!("schema.$defs.{}", d.name));
                            return Some(path.unwrap_or_else(|| "schema".to_owned()));
                        }
                        State::Done => {}
                    }
                }
            }
        }
    }
    None
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

/// The nodes that a node leads to while it looks at the same value.
fn leads_to(schema: &ValueSchema, root: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut todo = vec![schema];
    while let Some(schema) = todo.pop() {
        match &schema.kind {
            Kind::Reference(Reference::Definition(place)) => found.push(*place),
            Kind::Reference(Reference::Root) => found.push(root),
            Kind::OneOf(branches) | Kind::AnyOf(branches) => todo.extend(branches.iter()),
            _ => {}
        }
    }
    found
}
