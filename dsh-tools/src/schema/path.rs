//! Paths of nodes, kept as steps and written only where something is said about one.

use std::fmt::Write as _;

/// The steps of a walk. A node is known by its place in here, so a path costs one entry a node.
pub(super) struct Paths<'a> {
    steps: Vec<(At, Step<'a>)>,
}

/// The place of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct At(usize);

/// The root of a walk.
pub(super) const ROOT: At = At(usize::MAX);

/// From a node to one below it.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// `.key`, or `key` where nothing stands before it.
    Key(&'a str),
    /// `[index]`.
    Index(usize),
    /// `.keyword`.
    Keyword(&'static str),
    /// `.keyword[index]`.
    Branch(&'static str, usize),
    /// `.keyword.key`.
    Named(&'static str, &'a str),
}

impl<'a> Paths<'a> {
    pub(super) fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// The node below another one.
    pub(super) fn below(&mut self, above: At, step: Step<'a>) -> At {
        self.steps.push((above, step));
        At(self.steps.len() - 1)
    }

    /// The path of a node, with `last` behind it if there is one.
    pub(super) fn write(&self, root: &str, at: At, last: Option<Step<'_>>) -> String {
        let mut steps: Vec<Step<'_>> = last.into_iter().collect();
        let mut at = at;
        while let Some((above, step)) = self.steps.get(at.0) {
            steps.push(*step);
            at = *above;
        }
        let mut path = root.to_owned();
        for step in steps.iter().rev() {
            // Writing to a string cannot fail.
            _ = match step {
                Step::Key(key) if path.is_empty() => write!(path, "{key}"),
                Step::Key(key) => write!(path, ".{key}"),
                Step::Index(index) => write!(path, "[{index}]"),
                Step::Keyword(keyword) => write!(path, ".{keyword}"),
                Step::Branch(keyword, index) => write!(path, ".{keyword}[{index}]"),
                Step::Named(keyword, key) => write!(path, ".{keyword}.{key}"),
            };
        }
        path
    }
}
