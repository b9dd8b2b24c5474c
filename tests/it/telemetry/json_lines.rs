//! Records as lines: appended by threads, cut off by crashes, read back.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::thread;

use dsh_tools::log::{JsonLines, Line, ReadError, read_json_lines};
use serde_json::{Value, json};

use super::disk::Disk;

/// What is read of a text: records, `torn <line>`, or the error.
#[track_caller]
fn check(bytes: impl AsRef<[u8]>, expected: &[&str]) {
    let lines = read_json_lines::<Value>(bytes.as_ref()).map(|line| match line {
        Ok(Line::Record(record)) => record.to_string(),
        Ok(Line::Torn { line }) => format!("torn {line}"),
        Err(error) => error.to_string(),
    });
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

#[test]
fn a_last_line_that_was_cut_off_is_torn_and_no_error() {
    check("", &[]);
    check("{\"n\":1}\n", &["{\"n\":1}"]);
    check("{\"n\":1}\n{\"n\"", &["{\"n\":1}", "torn 2"]);
    check("{\"n\":1}\n{\"n\":tr", &["{\"n\":1}", "torn 2"]);
    check("{\"n\":1}\n{\"n\":\"é", &["{\"n\":1}", "torn 2"]);
    // Cut within a character, and blocks that a crash left without data.
    check(b"{\"n\":1}\n{\"n\":\"\xc3", &["{\"n\":1}", "torn 2"]);
    check(b"{\"n\":1}\n\0\0\0\0", &["{\"n\":1}", "torn 2"]);
}

#[test]
fn a_last_record_that_lacks_only_the_line_break_is_whole() {
    check("{\"n\":1}\n{\"n\":2}", &["{\"n\":1}", "{\"n\":2}"]);
}

#[test]
fn a_line_that_was_cut_off_and_followed_by_others_is_torn() {
    check("{\"n\":1}\n{\"n\":\"a\n\n{\"n\":3}\n", &["{\"n\":1}", "torn 2", "{\"n\":3}"]);
}

#[test]
fn garbage_is_refused_with_the_number_of_its_line() {
    check("{\"n\":1}\nhello\n{\"n\":3}\n", &["{\"n\":1}", "line 2 is not a record", "{\"n\":3}"]);
    check("\n\n{} {}\n", &["line 3 is not a record"]);
    check(b"\xff\n{}\n", &["line 1 is not a record", "{}"]);
    let error = read_json_lines::<u8>("1\n\"x\"\n".as_bytes()).nth(1).unwrap().unwrap_err();
    assert!(matches!(error, ReadError::NotARecord { line: 2, .. }), "{error:?}");
    assert!(std::error::Error::source(&error).unwrap().to_string().starts_with("invalid type"));
}

#[test]
fn json_of_another_kind_is_no_torn_line_even_if_it_is_the_last() {
    let mut lines = read_json_lines::<u8>("\"x\"".as_bytes());
    assert_eq!(lines.next().unwrap().unwrap_err().to_string(), "line 1 is not a record");
    assert!(lines.next().is_none());
}

#[test]
fn a_reader_that_fails_ends_the_records() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let first = BufReader::new("{}\n".as_bytes().chain(Broken));
    let mut lines = read_json_lines::<Value>(first);
    assert_eq!(lines.next().unwrap().unwrap().record(), Some(json!({})));
    assert!(matches!(lines.next(), Some(Err(ReadError::Io(_)))));
    assert!(lines.next().is_none());
}

#[test]
fn a_file_is_appended_to_and_a_torn_line_is_left_behind() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lines");
    for (n, torn) in [(1, ""), (2, "{\"n\":"), (3, "")] {
        JsonLines::open(&path).unwrap().append(&json!({ "n": n })).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text + torn).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "{\"n\":1}\n{\"n\":2}\n{\"n\":\n{\"n\":3}\n");
    assert!(JsonLines::open(directory.path().join("none").join("lines")).is_err());
}

#[test]
fn after_a_write_that_failed_the_next_record_starts_on_a_new_line() {
    let disk = Disk::default();
    let lines = JsonLines::new(disk.clone());
    lines.append("first").unwrap();
    disk.set_full(true);
    assert_eq!(lines.append("second").unwrap_err().kind(), io::ErrorKind::StorageFull);
    disk.set_full(false);
    lines.append("third").unwrap();
    lines.append("fourth").unwrap();
    assert_eq!(disk.text(), "\"first\"\n\"sec\n\"third\"\n\"fourth\"\n");
}

#[test]
fn lines_of_threads_do_not_mix() {
    let disk = Disk::default();
    let lines = Arc::new(JsonLines::new(disk.clone()));
    let write = |thread: usize| {
        let lines = Arc::clone(&lines);
        move || (0..50).for_each(|n| lines.append(&json!([thread, n])).unwrap())
    };
    let threads: Vec<_> = (0..4).map(|thread| thread::spawn(write(thread))).collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let text = disk.text();
    for thread in 0..4 {
        let of_thread = text.as_bytes().lines().map(Result::unwrap);
        let of_thread = of_thread.filter(|line| line.starts_with(&format!("[{thread},")));
        let expected = (0..50).map(|n| format!("[{thread},{n}]"));
        assert_eq!(of_thread.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }
}
