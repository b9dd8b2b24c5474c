//! What is wrong with a text, and where.

use std::ops::Range;

use crate::policy::{PolicyError, PolicyProblem};

/// Collects what is wrong with a text.
pub(super) struct Findings<'t> {
    text: &'t str,
    found: Vec<(usize, String)>,
}

impl<'t> Findings<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, found: Vec::new() }
    }

    /// Notes what is wrong with the piece of text at `span`.
    pub(super) fn add(&mut self, span: Range<usize>, message: impl Into<String>) {
        self.found.push((span.start, message.into()));
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(super) const fn count(&self) -> usize {
        self.found.len()
    }

    /// The line of a place in the text, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.before(at).matches('\n').count() + 1
    }

    fn column(&self, at: usize) -> usize {
        let line = self.before(at).rsplit('\n').next().unwrap_or_default();
        line.chars().count() + 1
    }

    fn before(&self, at: usize) -> &'t str {
        self.text.get(..self.text.floor_char_boundary(at)).unwrap_or_default()
    }

    /// Everything that was found, in the order of the text.
    pub(super) fn into_error(mut self) -> PolicyError {
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|(at, _)| *at);
        let problems = found.into_iter().map(|(at, message)| PolicyProblem {
            line: self.line(at),
            column: self.column(at),
            message,
        });
        PolicyError::new(problems.collect())
    }
}
