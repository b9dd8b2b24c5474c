//! Searching many files for a regular expression.
//!
//! Files are searched on several threads. The result is the same as if they were searched one
//! after the other: which lines are kept depends on the order of the files alone.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkMatch};
use tokio_util::sync::CancellationToken;

use crate::boundary::{complete_len, partial_start};

const MAX_THREADS: usize = 8;
/// Longest line that is searched; a file with a longer one counts as unreadable.
const MAX_SEARCHED_LINE: usize = 16 * 1024 * 1024;
const MAX_SHOWN_LINE: usize = 400;
/// Bytes shown before the match in a line that is cut.
const LEAD: usize = 100;

/// What to search for, and how much to keep.
pub(crate) struct Plan {
    pub(crate) matcher: RegexMatcher,
    /// Lines kept before and after a matching line.
    pub(crate) context: usize,
    /// Matching lines kept of one file.
    pub(crate) per_file: usize,
    /// Matching lines kept of all files together, at least.
    pub(crate) limit: usize,
}

/// The files that match, in the order they were given.
pub(crate) struct Searched {
    pub(crate) files: Vec<FileHits>,
    pub(crate) unreadable: u64,
}

/// The matching lines of one file.
#[derive(Default)]
pub(crate) struct FileHits {
    /// Place of the file among those searched.
    pub(crate) index: usize,
    /// Number of matching lines, kept or not.
    pub(crate) total: u64,
    pub(crate) matches: Vec<Hit>,
    pub(crate) context: Vec<Hit>,
}

/// A line that is kept.
pub(crate) struct Hit {
    pub(crate) line_number: u64,
    pub(crate) line: String,
}

/// Searches files, or as many as it gets to before it is cancelled.
///
/// The first `limit` matching lines are kept, `per_file` of each file; the others are counted.
pub(crate) fn search(files: &[PathBuf], plan: &Plan, cancel: &CancellationToken) -> Searched {
    let searched = Mutex::new(Searched { files: Vec::new(), unreadable: 0 });
    let next = AtomicUsize::new(0);
    let kept = AtomicUsize::new(0);
    let work = || {
        let mut searcher = searcher(plan);
        while !cancel.is_cancelled() {
            // Whatever is kept by now is of files before this one, since they are taken in
            // order. If that is enough, nothing of this file can be among the first.
            let enough = kept.load(Ordering::SeqCst) >= plan.limit;
            let index = next.fetch_add(1, Ordering::SeqCst);
            let Some(path) = files.get(index) else { break };
            let keep = if enough { 0 } else { plan.per_file };
            let hits = search_file(&mut searcher, path, index, keep, plan, cancel);
            let mut searched = searched.lock().unwrap_or_else(PoisonError::into_inner);
            match hits {
                Ok(hits) if hits.total > 0 => {
                    kept.fetch_add(hits.matches.len(), Ordering::SeqCst);
                    searched.files.push(hits);
                }
                Ok(_) => {}
                Err(_) => searched.unreadable += 1,
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..threads.min(MAX_THREADS).min(files.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut searched = searched.into_inner().unwrap_or_else(PoisonError::into_inner);
    searched.files.sort_by_key(|hits| hits.index);
    searched
}

fn searcher(plan: &Plan) -> Searcher {
    SearcherBuilder::new()
        .binary_detection(BinaryDetection::quit(0))
        .heap_limit(Some(MAX_SEARCHED_LINE))
        .before_context(plan.context)
        .after_context(plan.context)
        .build()
}

fn search_file(
    searcher: &mut Searcher,
    path: &Path,
    index: usize,
    keep: usize,
    plan: &Plan,
    cancel: &CancellationToken,
) -> io::Result<FileHits> {
    let source = File::open(path)?;
    let reader = Cancellable { source, cancel };
    let hits = FileHits { index, ..FileHits::default() };
    let mut collect = Collect { plan, keep, binary: false, hits };
    searcher.search_reader(&plan.matcher, reader, &mut collect)?;
    if collect.binary {
        return Ok(FileHits::default());
    }
    Ok(collect.hits)
}

/// A reader that fails once the search is cancelled, however long it goes without a match.
struct Cancellable<'a, R> {
    source: R,
    cancel: &'a CancellationToken,
}

impl<R: Read> Read for Cancellable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancel.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        self.source.read(buffer)
    }
}

/// Collects what the searcher finds in one file.
struct Collect<'a> {
    plan: &'a Plan,
    keep: usize,
    binary: bool,
    hits: FileHits,
}

impl Collect<'_> {
    /// Whether a context line belongs to a match that is or will be kept.
    fn keeps_context(&self, line_number: u64) -> bool {
        let after = self.hits.matches.last().map_or(0, |hit| hit.line_number);
        self.hits.matches.len() < self.keep
            || (self.keep > 0 && line_number <= after + self.plan.context as u64)
    }
}

impl Sink for Collect<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        self.hits.total += 1;
        if self.hits.matches.len() < self.keep {
            let bytes = without_ending(found.bytes());
            let at = match self.plan.matcher.find(bytes) {
                Ok(Some(place)) => place.start(),
                _ => 0,
            };
            self.hits.matches.push(Hit {
                line_number: found.line_number().unwrap_or(0),
                line: cut_around(bytes, at),
            });
        }
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        let line_number = found.line_number().unwrap_or(0);
        if self.keeps_context(line_number) {
            let line = cut_around(without_ending(found.bytes()), 0);
            self.hits.context.push(Hit { line_number, line });
        }
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(false)
    }
}

fn without_ending(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Gives a line as text; of a long one only the surroundings of `at`.
fn cut_around(line: &[u8], at: usize) -> String {
    if line.len() <= MAX_SHOWN_LINE {
        return String::from_utf8_lossy(line).into_owned();
    }
    let start = at.saturating_sub(LEAD);
    let start = start + partial_start(&line[start..]);
    let end = (start + MAX_SHOWN_LINE).min(line.len());
    let end = if end == line.len() { end } else { complete_len(&line[..end]) };
    let before = if start > 0 { "[…] " } else { "" };
    let after = if end < line.len() { " […]" } else { "" };
    format!("{before}{}{after}", String::from_utf8_lossy(&line[start..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines without end; the first of them are read before somebody cancels.
    struct Endless<'a>(&'a CancellationToken);

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.cancel();
            buffer.fill(b'\n');
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_file_without_matches_is_left_when_cancelled() {
        let cancel = CancellationToken::new();
        let matcher = RegexMatcher::new_line_matcher("x").unwrap();
        let plan = Plan { matcher, context: 0, per_file: 1, limit: 1 };
        let reader = Cancellable { source: Endless(&cancel), cancel: &cancel };
        let hits = FileHits::default();
        let mut collect = Collect { plan: &plan, keep: 1, binary: false, hits };
        let result = searcher(&plan).search_reader(&plan.matcher, reader, &mut collect);
        assert_eq!(result.unwrap_err().to_string(), "cancelled");
    }

    #[test]
    fn long_lines_are_cut_around_the_match() {
        let line = format!("{}needle{}", "é".repeat(500), "x".repeat(500));
        let cut = cut_around(line.as_bytes(), 1000);
        assert!(cut.starts_with("[…] é"), "{cut}");
        assert!(cut.contains("needle"), "{cut}");
        assert!(cut.ends_with("x […]"), "{cut}");
        assert!(!cut.contains('\u{fffd}'), "{cut}");
        assert_eq!(cut_around(b"short", 3), "short");
    }
}
