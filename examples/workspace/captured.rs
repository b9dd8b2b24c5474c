//! What a command printed: its lines as they come, and its head and tail to keep.

use std::collections::VecDeque;

use crate::boundary::{complete_len, partial_start};

/// A line longer than this is given in pieces.
const MAX_LINE_BYTES: usize = 8 * 1024;

/// Splits bytes into lines of text as they arrive.
#[derive(Default)]
pub(crate) struct LineSplitter {
    pending: Vec<u8>,
}

impl LineSplitter {
    /// Takes bytes and gives the lines they complete.
    pub(crate) fn push(&mut self, bytes: &[u8], mut on_line: impl FnMut(&str)) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.pending.extend(piece);
            if let Some(line) = self.pending.strip_suffix(b"\n") {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                on_line(&String::from_utf8_lossy(line));
                self.pending.clear();
            } else if self.pending.len() > MAX_LINE_BYTES {
                let rest = self.pending.split_off(complete_len(&self.pending));
                on_line(&String::from_utf8_lossy(&self.pending));
                self.pending = rest;
            }
        }
    }

    /// Gives the last line if it had no ending.
    pub(crate) fn finish(self, mut on_line: impl FnMut(&str)) {
        if !self.pending.is_empty() {
            on_line(&String::from_utf8_lossy(&self.pending));
        }
    }
}

/// Keeps the first and the last bytes of an output of any length.
pub(crate) struct HeadAndTail {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    /// Bytes kept at each end.
    half: usize,
    total: u64,
}

impl HeadAndTail {
    pub(crate) fn new(budget: usize) -> Self {
        Self { head: Vec::new(), tail: VecDeque::new(), half: budget / 2, total: 0 }
    }

    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let room = (self.half - self.head.len()).min(bytes.len());
        let (head, tail) = bytes.split_at(room);
        self.head.extend(head);
        self.tail.extend(tail);
        let surplus = self.tail.len().saturating_sub(self.half);
        self.tail.drain(..surplus);
    }

    /// Gives the text, with a note where it was cut, and the number of bytes cut.
    pub(crate) fn finish(self) -> (String, u64) {
        let Self { mut head, tail, total, .. } = self;
        let tail = Vec::from(tail);
        if total == (head.len() + tail.len()) as u64 {
            head.extend(tail);
            return (String::from_utf8_lossy(&head).into_owned(), 0);
        }
        head.truncate(complete_len(&head));
        let tail = &tail[partial_start(&tail)..];
        let cut = total - (head.len() + tail.len()) as u64;
        let head = String::from_utf8_lossy(&head);
        let tail = String::from_utf8_lossy(tail);
        (format!("{head}\n[{cut} bytes of output cut]\n{tail}"), cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_lines(pushes: &[&[u8]], expected: &[&str]) {
        let mut lines = Vec::new();
        let mut splitter = LineSplitter::default();
        for bytes in pushes {
            splitter.push(bytes, |line| lines.push(line.to_owned()));
        }
        splitter.finish(|line| lines.push(line.to_owned()));
        assert_eq!(lines, expected);
    }

    #[test]
    fn lines_are_joined_across_reads() {
        check_lines(&[b"a\nb", b"c\r\n\nd"], &["a", "bc", "", "d"]);
        check_lines(&["é".as_bytes().split_at(1).0, b"\xa9\n"], &["é"]);
        check_lines(&[b"a\n"], &["a"]);
    }

    #[test]
    fn a_line_without_end_is_given_in_pieces() {
        let long = "é".repeat(MAX_LINE_BYTES);
        let mut pieces = Vec::new();
        let mut splitter = LineSplitter::default();
        for bytes in long.as_bytes().chunks(1001) {
            splitter.push(bytes, |piece| pieces.push(piece.to_owned()));
        }
        splitter.finish(|piece| pieces.push(piece.to_owned()));
        assert!(pieces.len() > 1);
        assert_eq!(pieces.concat(), long);
    }

    #[track_caller]
    fn check_kept(budget: usize, pushes: &[&str], expected: &str, cut: u64) {
        let mut kept = HeadAndTail::new(budget);
        for text in pushes {
            kept.push(text.as_bytes());
        }
        assert_eq!(kept.finish(), (expected.to_owned(), cut));
    }

    #[test]
    fn head_and_tail_are_kept() {
        check_kept(8, &["abcd", "efgh"], "abcdefgh", 0);
        check_kept(8, &["abcdefghi"], "abcd\n[1 bytes of output cut]\nfghi", 1);
        check_kept(8, &["ab", "cdefghijk", "lm"], "abcd\n[5 bytes of output cut]\njklm", 5);
        check_kept(8, &[], "", 0);
    }

    #[test]
    fn no_character_is_cut() {
        check_kept(8, &["abcéé€fgh"], "abc\n[7 bytes of output cut]\nfgh", 7);
        check_kept(8, &["abcé", "efg"], "abcéefg", 0);
    }
}
