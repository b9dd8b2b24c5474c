//! Globs of paths.

use dsh_tools::policy::Decision::{Allow, Deny};
use serde_json::json;

use super::matches;

#[track_caller]
fn check(glob: &str, matching: &[&str], other: &[&str]) {
    for (paths, expected) in [(matching, true), (other, false)] {
        for path in paths {
            for decision in [Allow, Deny] {
                let matched =
                    matches(decision, &format!("x = {{ glob = '{glob}' }}"), json!({"x": path}));
                assert_eq!(matched, expected, "{decision} where {glob} of {path}");
            }
        }
    }
}

#[test]
fn a_star_and_a_question_mark_stay_within_a_part() {
    check("*.rs", &["a.rs", ".rs", "./a.rs"], &["a/b.rs", "/a.rs", "a.rsx"]);
    check("src/?.rs", &["src/a.rs", "src/ä.rs"], &["src/.rs", "src/ab.rs", "src//.rs"]);
    check("/etc/*/x", &["/etc/a/x"], &["/etc/x", "/etc/a/b/x", "etc/a/x"]);
}

#[test]
fn two_stars_are_any_number_of_parts_and_the_directory_itself() {
    check(
        "**/.ssh/**",
        &[".ssh", ".ssh/id", "/home/me/.ssh", "/home/me/.ssh/", "/home/me/.ssh/a/b"],
        &["/home/me/.sshx", "/home/me/x.ssh/id", ""],
    );
    check("/work/**", &["/work", "/work/", "/work/a/b"], &["/workx", "work/a", "/", "/a/work/b"]);
    check("/**", &["/", "/a/b"], &["a"]);
    check("**", &["", "a", "/a/b"], &[]);
    check("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/xb", "b"]);
    check("a/**/**", &["a", "a/b"], &["ab"]);
    check("**/*.{pem,key}", &["a.pem", "/x/y/a.key"], &["a.pe", "a.pemkey", "/x/a.pem/b"]);
}

#[test]
fn braces_are_one_of_several_and_a_backslash_takes_the_meaning_away() {
    check("{a,b?,}c", &["ac", "bxc", "c"], &["bc", "abc"]);
    check(r"\*\[x\]\{\}", &["*[x]{}"], &["a[x]{}"]);
    check("a+(b).c", &["a+(b).c"], &["aab.c", "a+(b)xc"]);
    check("a,b", &["a,b"], &["a"]);
}

#[test]
fn a_path_is_looked_at_without_its_empty_parts_and_dots() {
    check("/etc/passwd", &["//etc/passwd", "/etc/./passwd", "/etc//passwd/"], &["/etcpasswd"]);
    check("/etc//./x", &["/etc/x"], &["/etc/a/x"]);
    check("https://example.com/**", &["https://example.com/a"], &["https://example.org/a"]);
}

#[test]
fn a_path_that_goes_up_is_never_let_through() {
    for path in ["/work/../etc", "..", "../a", "a/..", r"a\..\b"] {
        let arguments = || json!({"x": path});
        for glob in ["/work/**", "**", "nothing"] {
            assert!(!matches(Allow, &format!("x = {{ glob = '{glob}' }}"), arguments()), "{path}");
            assert!(
                !matches(Allow, &format!("x = {{ not = {{ glob = '{glob}' }} }}"), arguments()),
                "{path}"
            );
            assert!(matches(Deny, &format!("x = {{ glob = '{glob}' }}"), arguments()), "{path}");
        }
    }
    check("**", &["a..b", "...", "a/..b"], &[]);
}
