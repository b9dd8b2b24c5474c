//! `run_command`: a shell command, with its output live and in the end.
//!
//! Nothing that the command starts outlives the call, unless it leaves the process group. What it
//! does while it runs is not confined to the root: it needs an approval, or a sandbox around.

use std::{
    future::Future,
    io,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    pin::{Pin, pin},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use dsh_tools::{Schema, State, ToolContext, tool};
use serde::{Deserialize, Serialize};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{ChildStdin, ChildStdout},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use crate::{
    Root, WorkspaceError,
    captured::{HeadAndTail, LineSplitter},
    process_group::{Pipes, ProcessGroup},
};

const MAX_OUTPUT_BYTES: usize = 32 * 1024;
/// Time to end by itself after it was asked to.
const GRACE: Duration = Duration::from_secs(1);
/// Time for what is still in the pipe, or just ending, when the shell has ended.
const DRAIN: Duration = Duration::from_millis(200);
/// Time in which even a killed process must have closed the pipe.
const LINGER: Duration = Duration::from_secs(1);

/// Arguments of `run_command`.
#[derive(Debug, Clone, Default, Deserialize, Schema)]
pub struct RunCommand {
    /// Command for `sh -c`; processes it leaves in the background are stopped when it ends.
    pub command: String,
    /// Directory to run in, relative to the workspace root; default the root.
    pub cwd: Option<PathBuf>,
    /// Text for its standard input; default none.
    pub stdin: Option<String>,
}

/// How a command ended, and what it printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Schema)]
pub struct RunCommandOutput {
    /// Exit code, unless a signal ended the command.
    pub exit_code: Option<i32>,
    /// Number of the signal that ended the command, if one did.
    pub signal: Option<i32>,
    /// Standard output and standard error as they came; a long output lacks its middle and says so.
    pub output: String,
    /// Number of bytes missing from `output`.
    pub cut_bytes: u64,
    /// Whether processes were still running in the background and had to be stopped.
    pub background_stopped: bool,
}

/// Run a shell command in the workspace and read what it prints.
#[tool(timeout = "2m", grace = "5s", annotations(destructive), tags("commands"), render = render)]
async fn run_command(
    args: RunCommand,
    root: State<Root>,
    cx: &ToolContext,
) -> Result<RunCommandOutput, WorkspaceError> {
    run(&root, &args, cx.cancellation(), |line| cx.progress(line)).await
}

/// Runs a shell command and gives each line of its output to `on_line` as it comes.
///
/// It runs in the environment of this process, so it sees the variables that are set there. After
/// `cancel` its whole process group gets SIGTERM and, if that is not enough, SIGKILL a second
/// later; then the call returns.
///
/// # Errors
///
/// `CANCELLED`, `NOT_A_DIRECTORY` for `cwd`, `IO` when no shell can be started or waited for, and
/// the codes of [`Root::resolve`]. A command that fails is not an error but an exit code.
///
/// # Cancel safety
///
/// Dropping the future kills the process group at once, with SIGKILL.
///
/// # Examples
///
/// ```
/// use workspace_tools::{CancellationToken, Root, tools::run_command::{self, RunCommand}};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let dir = tempfile::tempdir()?;
/// let args = RunCommand { command: "echo hello; exit 3".into(), ..RunCommand::default() };
/// let root = Root::new(dir.path())?;
/// let output = run_command::run(&root, &args, &CancellationToken::new(), |_| {}).await?;
/// assert_eq!((output.output.as_str(), output.exit_code), ("hello\n", Some(3)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub async fn run(
    root: &Root,
    args: &RunCommand,
    cancel: &CancellationToken,
    on_line: impl Fn(&str) + Send + Sync,
) -> Result<RunCommandOutput, WorkspaceError> {
    let path = args.cwd.as_deref().unwrap_or(Path::new("."));
    let cwd = root.resolve(path)?;
    if !cwd.is_dir() {
        return Err(WorkspaceError::NotADirectory { path: path.into() });
    }
    if cancel.is_cancelled() {
        return Err(WorkspaceError::Cancelled);
    }
    let stdin = if args.stdin.is_some() { Stdio::piped() } else { Stdio::null() };
    let (group, pipes) = ProcessGroup::start(&args.command, &cwd, stdin)
        .map_err(WorkspaceError::io("run a command in", path))?;
    let text = args.stdin.as_deref().unwrap_or_default();
    let mut running = Running::new(group, pipes, text, &on_line);
    let status = running.finish(cancel).await;
    match status.map_err(WorkspaceError::io("run a command in", path))? {
        Some(status) => Ok(running.into_output(status)),
        None => Err(WorkspaceError::Cancelled),
    }
}

/// Shows the output, and how the command ended if that is worth a word.
pub fn render(output: &RunCommandOutput) -> String {
    let printed = &output.output;
    let line_end = if printed.is_empty() || printed.ends_with('\n') { "" } else { "\n" };
    let end = match (output.exit_code, output.signal) {
        (Some(0), _) if printed.is_empty() => "[no output]\n".to_owned(),
        (Some(0), _) => String::new(),
        (Some(code), _) => format!("[exit code {code}]\n"),
        (None, Some(signal)) => format!("[ended by signal {signal}]\n"),
        (None, None) => "[ended in an unknown way]\n".to_owned(),
    };
    let background = if output.background_stopped {
        "[background processes were stopped; none outlives the command]\n"
    } else {
        ""
    };
    format!("{printed}{line_end}{end}{background}")
}

/// A command between its start and its end.
struct Running<'a> {
    group: ProcessGroup,
    output: ChildStdout,
    /// Whether somebody still holds the other end of `output`.
    open: bool,
    feeding: Option<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
    status: Option<ExitStatus>,
    background_stopped: bool,
    buffer: Vec<u8>,
    lines: LineSplitter,
    kept: HeadAndTail,
    on_line: &'a (dyn Fn(&str) + Send + Sync),
}

impl<'a> Running<'a> {
    fn new(
        group: ProcessGroup,
        pipes: Pipes,
        stdin: &'a str,
        on_line: &'a (dyn Fn(&str) + Send + Sync),
    ) -> Self {
        Self {
            group,
            output: pipes.output,
            open: true,
            feeding: pipes.stdin.map(|pipe| Box::pin(feed(pipe, stdin)) as _),
            status: None,
            background_stopped: false,
            buffer: vec![0; 16 * 1024],
            lines: LineSplitter::default(),
            kept: HeadAndTail::new(MAX_OUTPUT_BYTES),
            on_line,
        }
    }

    /// Sees the command and all it started to their end; `None` if it was cancelled.
    async fn finish(&mut self, cancel: &CancellationToken) -> io::Result<Option<ExitStatus>> {
        let ended = self.follow(cancel.cancelled(), Self::shell_ended).await?;
        if ended {
            self.drain(cancel).await?;
        } else {
            self.group.terminate();
            self.follow(after(GRACE), Self::settled).await?;
        }
        self.background_stopped = self.group.kill();
        self.follow(after(LINGER), Self::settled).await?;
        Ok(self.status.filter(|_| ended))
    }

    /// Lets what the shell has left behind end by itself, if that does not take long.
    async fn drain(&mut self, cancel: &CancellationToken) -> io::Result<()> {
        let mut limit = pin!(async {
            tokio::select! {
                () = after(DRAIN) => {}
                () = cancel.cancelled() => {}
            }
        });
        if self.follow(limit.as_mut(), Self::settled).await? {
            tokio::select! {
                () = limit => {}
                () = self.group.emptied() => {}
            }
        }
        Ok(())
    }

    fn into_output(self, status: ExitStatus) -> RunCommandOutput {
        self.lines.finish(self.on_line);
        let (output, cut_bytes) = self.kept.finish();
        RunCommandOutput {
            exit_code: status.code(),
            signal: status.signal(),
            output,
            cut_bytes,
            background_stopped: self.background_stopped,
        }
    }

    fn shell_ended(&self) -> bool {
        self.status.is_some()
    }

    fn settled(&self) -> bool {
        self.status.is_some() && !self.open
    }

    /// Goes on until `done` holds; false if `limit` was first.
    async fn follow(
        &mut self,
        limit: impl Future<Output = ()>,
        done: fn(&Self) -> bool,
    ) -> io::Result<bool> {
        let mut limit = pin!(limit);
        while !done(self) {
            tokio::select! {
                () = &mut limit => return Ok(false),
                step = self.step() => step?,
            }
        }
        Ok(true)
    }

    /// Waits for the next thing to happen. Nothing is lost when it is dropped before.
    async fn step(&mut self) -> io::Result<()> {
        tokio::select! {
            read = self.output.read(&mut self.buffer), if self.open => {
                let bytes = &self.buffer[..read?];
                self.open = !bytes.is_empty();
                self.kept.push(bytes);
                self.lines.push(bytes, self.on_line);
            }
            status = self.group.wait(), if self.status.is_none() => self.status = Some(status?),
            Some(()) = fed(&mut self.feeding) => self.feeding = None,
        }
        Ok(())
    }
}

/// Writes the input of a command and closes it.
async fn feed(mut pipe: ChildStdin, text: &str) {
    // A command need not read its input: that it closed the pipe is no failure of the call.
    drop(pipe.write_all(text.as_bytes()).await);
}

/// Waits until the input is written; `None` if there is none.
async fn fed(feeding: &mut Option<Pin<Box<dyn Future<Output = ()> + Send + '_>>>) -> Option<()> {
    feeding.as_mut()?.await;
    Some(())
}

async fn after(time: Duration) {
    sleep(time).await;
}
