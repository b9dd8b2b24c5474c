//! A shell command that leads its own process group, so that all it starts can be stopped.
//!
//! A process that leaves the group (`setsid`) escapes; only a sandbox holds that.

use std::{
    fs, io,
    os::fd::OwnedFd,
    path::Path,
    process::{ExitStatus, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::{
    process::{Child, ChildStdin, ChildStdout, Command},
    time::sleep,
};

const POLL: Duration = Duration::from_millis(20);

/// A running shell and its group, killed on drop.
pub(crate) struct ProcessGroup {
    child: Child,
    id: Option<Pid>,
}

/// The ends of the pipes that the parent holds.
pub(crate) struct Pipes {
    pub(crate) stdin: Option<ChildStdin>,
    /// Standard output and error in one pipe, which is what keeps them in order.
    pub(crate) output: ChildStdout,
}

impl ProcessGroup {
    /// Starts `sh -c` with the given command.
    pub(crate) fn start(command: &str, cwd: &Path, stdin: Stdio) -> io::Result<(Self, Pipes)> {
        let (reader, writer) = io::pipe()?;
        // The writing ends must be closed here, or the pipe never ends: `Command` holds them and
        // is a temporary.
        let mut child = Command::new("sh")
            .arg("-c")
            .arg(command)
            .current_dir(cwd)
            .env("TERM", "dumb")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(stdin)
            .stdout(writer.try_clone()?)
            .stderr(writer)
            .process_group(0)
            .spawn()?;
        let pipes = Pipes {
            stdin: child.stdin.take(),
            output: ChildStdout::from_std(OwnedFd::from(reader).into())?,
        };
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        let id = id.and_then(Pid::from_raw);
        Ok((Self { child, id }, pipes))
    }

    /// Waits for the shell itself.
    ///
    /// # Cancel safety
    ///
    /// Safe; the status is not lost.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        self.child.wait().await
    }

    /// Waits until no process of the group runs.
    pub(crate) async fn emptied(&self) {
        // The kernel tells nobody when a group becomes empty, so this has to ask.
        while self.any_runs() {
            sleep(POLL).await;
        }
    }

    /// Asks all processes of the group to end.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Kills all processes of the group for good and says whether any still ran.
    pub(crate) fn kill(&mut self) -> bool {
        let any = self.any_runs();
        self.signal(Signal::KILL);
        // The number may belong to another group as soon as this one is empty.
        self.id = None;
        any
    }

    fn any_runs(&self) -> bool {
        self.id.is_some_and(|id| test_kill_process_group(id).is_ok() && any_runs_in(id))
    }

    fn signal(&self, signal: Signal) {
        if let Some(id) = self.id {
            // It fails if the group is empty, which is what was wanted.
            let _ = kill_process_group(id, signal);
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
    }
}

/// Whether a process of a group that has any is more than a zombie.
///
/// In a container whose first process does not reap, orphans stay zombies for ever. Where there
/// is no `/proc` to ask, they count as running.
fn any_runs_in(group: Pid) -> bool {
    let group = group.as_raw_nonzero().to_string();
    match fs::read_dir("/proc") {
        Ok(processes) => processes
            .flatten()
            .filter_map(|process| fs::read_to_string(process.path().join("stat")).ok())
            .any(|stat| runs_in(&group, &stat)),
        Err(_) => true,
    }
}

/// Reads `/proc/<id>/stat`: "id (name) state parent group ...", where a name can hold anything.
fn runs_in(group: &str, stat: &str) -> bool {
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let mut fields = after_name.split_whitespace();
    let state = fields.next();
    fields.nth(1) == Some(group) && !matches!(state, Some("Z" | "X"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zombies_do_not_run() {
        assert!(runs_in("7", "9 (sleep) S 1 7 7 0"));
        assert!(runs_in("7", "9 (a) Z 1 8) R 1 7 7 0"));
        assert!(!runs_in("7", "9 (sleep) Z 1 7 7 0"));
        assert!(!runs_in("7", "9 (sleep) S 7 77 7 0"));
        assert!(!runs_in("7", ""));
    }
}
