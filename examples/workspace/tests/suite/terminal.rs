//! The binary with a person at the terminal: questions and Ctrl-C.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::Workspace;

fn binary(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_workspace"));
    command.arg("--root").arg(workspace.root.path()).args(arguments);
    command
}

/// A terminal and the program that runs in it.
struct Terminal {
    screen: File,
    seen: String,
    child: Child,
}

impl Terminal {
    fn start(workspace: &Workspace, arguments: &[&str]) -> Self {
        let screen = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&screen).unwrap();
        unlockpt(&screen).unwrap();
        let name = ptsname(&screen, Vec::new()).unwrap();
        let side =
            || -> OwnedFd { open(&*name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap() };
        let child = binary(workspace, arguments)
            .env("NO_COLOR", "1")
            .stdin(side())
            .stdout(side())
            .stderr(side())
            .spawn()
            .unwrap();
        Self { screen: screen.into(), seen: String::new(), child }
    }

    fn wait_for(&mut self, text: &str) {
        let mut buffer = [0; 1024];
        while !self.seen.contains(text) {
            let read = self.screen.read(&mut buffer).unwrap_or(0);
            assert_ne!(read, 0, "it ended without {text:?}:\n{}", self.seen);
            self.seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
    }

    fn write(&mut self, text: &str) {
        self.screen.write_all(text.as_bytes()).unwrap();
    }

    /// The exit code, and all that was to be seen.
    fn finish(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().unwrap();
        let mut buffer = [0; 1024];
        // A terminal whose other side is closed gives an error in place of an end.
        while let Ok(read @ 1..) = self.screen.read(&mut buffer) {
            self.seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
        (status.code(), self.seen)
    }
}

#[test]
fn a_question_shows_the_call_and_is_answered_at_the_terminal() {
    for (answer, code, expected) in [
        ("y\n", 0, "[no output]"),
        ("n\n", 1, "the user rejected tool"),
        ("\n", 1, "the user rejected tool"),
    ] {
        let workspace = Workspace::new();
        let run = r#"{"command":"touch ran"}"#;
        let mut terminal = Terminal::start(&workspace, &["call", "run_command", run]);
        terminal.wait_for("[y/N]");
        assert!(terminal.seen.contains("run_command asks to run, it may destroy something"));
        assert!(terminal.seen.contains("\"command\": \"touch ran\""));
        assert!(terminal.seen.contains("reason: it runs `touch ran`"));
        terminal.write(answer);
        let (status, seen) = terminal.finish();
        assert!(seen.contains(expected), "{seen}");
        assert_eq!(status, Some(code));
        assert_eq!(workspace.names().len(), usize::from(code == 0));
    }
}

#[test]
fn a_question_cannot_hide_what_it_asks() {
    let run = "{\"command\":\"echo \u{202e}x\u{9b}2K\"}";
    let workspace = Workspace::new();
    let mut terminal = Terminal::start(&workspace, &["call", "run_command", run]);
    terminal.wait_for("[y/N]");
    assert!(terminal.seen.contains("\\u{202e}x\\u{9b}2K"), "{}", terminal.seen);
    assert!(!terminal.seen.contains('\u{202e}') && !terminal.seen.contains('\u{9b}'));
    terminal.write("n\n");
    terminal.finish();
}

#[test]
fn ctrl_c_ends_a_question() {
    let workspace = Workspace::new();
    let run = r#"{"command":"touch ran"}"#;
    let mut terminal = Terminal::start(&workspace, &["call", "run_command", run]);
    terminal.wait_for("[y/N]");
    kill_process(Pid::from_child(&terminal.child), Signal::INT).unwrap();
    let (status, seen) = terminal.finish();
    assert_eq!(status, Some(130), "{seen}");
    assert!(workspace.names().is_empty());
}

#[test]
fn long_calls_show_how_long_they_are_and_what_they_say() {
    let workspace = Workspace::new();
    let run = r#"{"command":"echo working; read line; echo $line", "stdin": null, "cwd": "."}"#;
    // Without input `read` ends at once, so the command waits for a pipe that the test opens.
    let run = run.replace("read line;", "mkfifo gate; read line < gate;");
    let mut terminal = Terminal::start(&workspace, &["call", "--approve", "run_command", &run]);
    terminal.wait_for("s run_command: working");
    std::fs::write(workspace.path("gate"), "go\n").unwrap();
    let (status, seen) = terminal.finish();
    assert_eq!(status, Some(0), "{seen}");
    assert!(seen.ends_with("working\r\ngo\r\n\r\n"), "{seen}");
}

#[test]
fn ctrl_c_cancels_the_call_and_leaves_no_process() {
    let workspace = Workspace::new();
    let gate = workspace.path("gate");
    assert!(Command::new("mkfifo").arg(&gate).status().unwrap().success());
    // Whatever the command starts has the pipe open, so the pipe ends with the last of it.
    let run = r#"{"command":"exec 9> gate; echo up >&9; sleep 1000 & wait"}"#;
    let child = binary(&workspace, &["call", "--approve", "run_command", run])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut gate = BufReader::new(File::open(gate).unwrap());
    let mut up = String::new();
    gate.read_line(&mut up).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    gate.read_to_string(&mut up).unwrap();
    assert_eq!(up, "up\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "Error: cancelled\n");
}
