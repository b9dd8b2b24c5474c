//! What an edit changed, by lines: ranges, and a short unified excerpt.
//!
//! The places of an edit are known, so nothing is searched for; they are only widened to whole
//! lines and narrowed to those that differ.

use std::ops::Range;

use crate::boundary::complete_len;

/// Unchanged lines shown around a change.
const CONTEXT: usize = 2;
const MAX_ROWS: usize = 60;
const MAX_ROW_BYTES: usize = 300;

/// One replacement, as bytes in the text before and after.
pub(crate) struct Replacement {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// One change, as lines (from 0) in the text before and after.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Change {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// Finds the lines that replacements changed, in order.
pub(crate) fn changes(old: &str, new: &str, replacements: &[Replacement]) -> Vec<Change> {
    let (old, new) = (Lines::new(old), Lines::new(new));
    let mut changes: Vec<Change> = Vec::new();
    for replacement in replacements {
        let whole_lines = old.ends_line(replacement.old.end) && new.ends_line(replacement.new.end);
        let change = Change {
            old: old.touched(&replacement.old, whole_lines),
            new: new.touched(&replacement.new, whole_lines),
        };
        match changes.last_mut() {
            Some(last) if change.old.start < last.old.end => {
                last.old.end = last.old.end.max(change.old.end);
                last.new.end = last.new.end.max(change.new.end);
            }
            _ => changes.push(change),
        }
    }
    for change in &mut changes {
        narrow(change, &old, &new);
    }
    changes
}

/// Writes changes as unified hunks, without file names.
pub(crate) fn unified(old: &str, new: &str, changes: &[Change]) -> String {
    let (old, new) = (Lines::new(old), Lines::new(new));
    let mut rows = Vec::new();
    // Changes whose context would touch share a hunk.
    for hunk in changes.chunk_by(|a, b| b.old.start - a.old.end <= 2 * CONTEXT) {
        hunk_rows(&old, &new, hunk, &mut rows);
    }
    if rows.len() > MAX_ROWS {
        let more = rows.len() - MAX_ROWS;
        rows.truncate(MAX_ROWS);
        rows.push(format!("[{more} more lines of changes]\n"));
    }
    rows.concat()
}

fn hunk_rows(old: &Lines<'_>, new: &Lines<'_>, hunk: &[Change], rows: &mut Vec<String>) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let before = first.old.start.min(CONTEXT);
    let after = (old.count() - last.old.end).min(CONTEXT);
    let (old_start, new_start) = (first.old.start - before, first.new.start - before);
    let (old_end, new_end) = (last.old.end + after, last.new.end + after);
    rows.push(format!(
        "@@ -{},{} +{},{} @@\n",
        old_start + usize::from(old_end > old_start),
        old_end - old_start,
        new_start + usize::from(new_end > new_start),
        new_end - new_start,
    ));
    let mut at = old_start;
    for change in hunk {
        rows.extend((at..change.old.start).map(|line| row(' ', old.line(line))));
        rows.extend(change.old.clone().map(|line| row('-', old.line(line))));
        rows.extend(change.new.clone().map(|line| row('+', new.line(line))));
        at = change.old.end;
    }
    rows.extend((at..old_end).map(|line| row(' ', old.line(line))));
}

fn row(mark: char, line: &str) -> String {
    let (line, end) = match line.strip_suffix('\n') {
        Some(line) => (line.strip_suffix('\r').unwrap_or(line), ""),
        None => (line, "\\ No newline at end of file\n"),
    };
    let kept = complete_len(&line.as_bytes()[..line.len().min(MAX_ROW_BYTES)]);
    let cut = if kept < line.len() { " [line cut]" } else { "" };
    let start = line.get(..kept).unwrap_or(line);
    format!("{mark}{start}{cut}\n{end}")
}

/// Takes away lines at both ends that are the same before and after.
fn narrow(change: &mut Change, old: &Lines<'_>, new: &Lines<'_>) {
    let lines = |change: &Change| change.old.len().min(change.new.len());
    while lines(change) > 0 && old.line(change.old.start) == new.line(change.new.start) {
        change.old.start += 1;
        change.new.start += 1;
    }
    while lines(change) > 0 && old.line(change.old.end - 1) == new.line(change.new.end - 1) {
        change.old.end -= 1;
        change.new.end -= 1;
    }
}

/// A text and where its lines start.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn new(text: &'t str) -> Self {
        let after_newlines = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts =
            std::iter::once(0).chain(after_newlines).filter(|start| *start < text.len()).collect();
        Self { text, starts }
    }

    fn count(&self) -> usize {
        self.starts.len()
    }

    /// A line with its ending.
    fn line(&self, line: usize) -> &'t str {
        let end = self.starts.get(line + 1).copied();
        let end = end.unwrap_or(self.text.len());
        self.text.get(self.starts[line]..end).expect("lines start and end at characters")
    }

    fn ends_line(&self, at: usize) -> bool {
        at == 0 || at == self.text.len() || self.text.as_bytes()[at - 1] == b'\n'
    }

    /// The lines that bytes are in; the rest of the last line counts too unless `whole_lines`.
    fn touched(&self, bytes: &Range<usize>, whole_lines: bool) -> Range<usize> {
        let at_end = bytes.start == self.text.len() && self.text.ends_with('\n');
        let start = if at_end || self.text.is_empty() {
            self.count()
        } else {
            self.starts.partition_point(|start| *start <= bytes.start) - 1
        };
        let end = if whole_lines {
            self.starts.partition_point(|start| *start < bytes.end)
        } else {
            self.starts.partition_point(|start| *start <= bytes.end)
        };
        start..end.max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(old: &str, from: &str, to: &str, excerpt: &str) {
        let mut replacements = Vec::new();
        for (count, (at, _)) in old.match_indices(from).enumerate() {
            let start = at + count * to.len() - count * from.len();
            replacements
                .push(Replacement { old: at..at + from.len(), new: start..start + to.len() });
        }
        let new = old.replace(from, to);
        let changes = changes(old, &new, &replacements);
        assert_eq!(unified(old, &new, &changes), excerpt);
    }

    #[test]
    fn a_word_in_a_line() {
        check("a\nb\nc\nd x\ne\nf\ng\n", "x", "y", "@@ -2,5 +2,5 @@\n b\n c\n-d x\n+d y\n e\n f\n");
    }

    #[test]
    fn lines_removed_added_and_joined() {
        check("a\nb\nc\n", "b\n", "", "@@ -1,3 +1,2 @@\n a\n-b\n c\n");
        check("a\nc\n", "c\n", "b\nc\n", "@@ -1,2 +1,3 @@\n a\n+b\n c\n");
        check("a\nb\n", "a\n", "a", "@@ -1,2 +1,1 @@\n-a\n-b\n+ab\n");
        check("a\nb\n", "b\n", "", "@@ -1,2 +1,1 @@\n a\n-b\n");
        check("a\n", "a\n", "", "@@ -1,1 +0,0 @@\n-a\n");
        check("ab\n", "a", "a\n", "@@ -1,1 +1,2 @@\n-ab\n+a\n+b\n");
    }

    #[test]
    fn a_missing_last_newline_is_told() {
        check("a\n", "a\n", "a", "@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n");
    }

    #[test]
    fn several_in_one_line_near_and_far() {
        check("xx\n", "x", "y", "@@ -1,1 +1,1 @@\n-xx\n+yy\n");
        check(
            "x\n1\n2\n3\n4\nx\n1\n2\n3\n4\n5\nx\n",
            "x",
            "y",
            "@@ -1,8 +1,8 @@\n-x\n+y\n 1\n 2\n 3\n 4\n-x\n+y\n 1\n 2\n\
             @@ -10,3 +10,3 @@\n 4\n 5\n-x\n+y\n",
        );
    }
}
