//! Types that contain themselves, and each other, in every position.
#![deny(warnings)]

use std::collections::BTreeMap;

use dsh_tools::prelude::*;

#[derive(Deserialize, Schema)]
struct Tree<T, const N: usize = 1> {
    value: T,
    children: Vec<Tree<T, N>>,
    parent: Option<Box<Self>>,
}

#[derive(Deserialize, Schema)]
enum Sum {
    Number(f64),
    Add(Box<Sum>, Box<Sum>),
    All { terms: Vec<Sum> },
}

#[derive(Deserialize, Schema)]
#[serde(untagged)]
enum Json {
    Text(String),
    Map(BTreeMap<String, Json>),
}

#[derive(Deserialize, Schema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Node(Option<Box<Self>>),
    Leaf,
}

#[derive(Deserialize, Schema)]
#[serde(transparent)]
struct List(Vec<List>);

#[derive(Deserialize, Schema)]
struct Folder {
    files: Vec<File>,
}

#[derive(Deserialize, Schema)]
struct File {
    #[schema(recursive, deprecated)]
    folder: Option<Box<Folder>>,
}

/// Walks.
#[tool]
fn walk(#[arg] tree: Tree<u8>, #[arg] sum: Sum, #[arg] json: Json, #[arg] list: List) -> usize {
    let _ = (tree.value, &tree.parent, list.0.len());
    if let Sum::All { terms } = &sum {
        return terms.len();
    }
    match (sum, json) {
        (Sum::Number(_), Json::Text(text)) => text.len(),
        (Sum::Add(..), Json::Map(map)) => map.len(),
        _ => tree.children.len(),
    }
}

/// Looks.
#[tool]
fn look(args: Folder, #[allow(unused)] cx: &ToolContext) -> bool {
    args.files.iter().any(|file| file.folder.is_none())
}

/// Goes down.
#[tool]
fn descend(#[arg] from: Adjacent) -> bool {
    match from {
        Adjacent::Node(below) => below.is_some(),
        Adjacent::Leaf => false,
    }
}

fn main() {}
