use std::{
    fs::File,
    io::Read,
    sync::Mutex,
    time::{Duration, Instant},
};

use tokio::{sync::oneshot, time::timeout};
use workspace_tools::{
    CancellationToken, WorkspaceError,
    tools::run_command::{self, RunCommand, RunCommandOutput},
};

use super::{Workspace, check_error};

/// Far more than anything here takes; a test that needs it has failed.
const TOO_LONG: Duration = Duration::from_secs(30);

fn shell(command: &str) -> RunCommand {
    RunCommand { command: command.to_owned(), ..RunCommand::default() }
}

async fn run(workspace: &Workspace, args: &RunCommand) -> Result<RunCommandOutput, WorkspaceError> {
    let cancel = CancellationToken::new();
    timeout(TOO_LONG, run_command::run(&workspace.root, args, &cancel, |_| {})).await.unwrap()
}

async fn output_of(args: &RunCommand) -> RunCommandOutput {
    run(&Workspace::new(), args).await.unwrap()
}

/// A named pipe that ends when the last process that has it open for writing is gone.
///
/// This needs neither polling nor luck with process ids, and a zombie counts as gone.
struct Alive {
    ended: Option<oneshot::Receiver<()>>,
}

impl Alive {
    /// A command for `exec 9>alive`, which all its children inherit.
    fn watch(workspace: &Workspace) -> Self {
        let path = workspace.path("alive");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        let (sender, ended) = oneshot::channel();
        std::thread::spawn(move || {
            let mut all = Vec::new();
            File::open(path).unwrap().read_to_end(&mut all).unwrap();
            sender.send(()).unwrap();
        });
        Self { ended: Some(ended) }
    }

    fn now(&mut self) -> bool {
        self.ended.as_mut().unwrap().try_recv().is_err()
    }

    async fn end(&mut self) {
        timeout(TOO_LONG, self.ended.take().unwrap()).await.expect("all are gone").unwrap();
    }
}

/// Cancels once the command has printed `ready`.
async fn run_until_ready(
    workspace: &Workspace,
    command: &str,
) -> Result<RunCommandOutput, WorkspaceError> {
    let cancel = CancellationToken::new();
    let on_line = |line: &str| {
        if line == "ready" {
            cancel.cancel();
        }
    };
    let args = shell(command);
    let call = run_command::run(&workspace.root, &args, &cancel, on_line);
    timeout(TOO_LONG, call).await.unwrap()
}

#[tokio::test]
async fn output_and_errors_come_in_order() {
    let output = output_of(&shell("echo 1; echo 2 >&2; echo 3; printf 4 >&2")).await;
    let expected = RunCommandOutput {
        exit_code: Some(0),
        signal: None,
        output: "1\n2\n3\n4".to_owned(),
        cut_bytes: 0,
        background_stopped: false,
    };
    assert_eq!(output, expected);
    assert_eq!(run_command::render(&output), "1\n2\n3\n4\n");
}

#[tokio::test]
async fn lines_are_given_as_they_come() {
    let workspace = Workspace::new();
    let lines = Mutex::new(Vec::new());
    let on_line = |line: &str| lines.lock().unwrap().push(line.to_owned());
    let args = shell(r"printf 'a\nb'; printf 'c\n\nd' >&2");
    let cancel = CancellationToken::new();
    run_command::run(&workspace.root, &args, &cancel, on_line).await.unwrap();
    assert_eq!(*lines.lock().unwrap(), ["a", "bc", "", "d"]);
}

#[tokio::test]
async fn a_command_ends_with_a_code_or_a_signal() {
    let output = output_of(&shell("echo no; exit 3")).await;
    assert_eq!((output.exit_code, output.signal), (Some(3), None));
    assert_eq!(run_command::render(&output), "no\n[exit code 3]\n");

    let output = output_of(&shell("kill -9 $$")).await;
    assert_eq!((output.exit_code, output.signal), (None, Some(9)));
    assert_eq!(run_command::render(&output), "[ended by signal 9]\n");

    assert_eq!(run_command::render(&output_of(&shell("true")).await), "[no output]\n");
}

#[tokio::test]
async fn it_runs_in_the_root_or_below() {
    let workspace = Workspace::with(&[("dir/only-here", "")]);
    assert_eq!(run(&workspace, &shell("ls")).await.unwrap().output, "dir\n");
    let within = |cwd: &str| RunCommand { cwd: Some(cwd.into()), ..shell("ls") };
    assert_eq!(run(&workspace, &within("dir")).await.unwrap().output, "only-here\n");
    check_error(run(&workspace, &within("..")).await, "PATH_OUTSIDE_WORKSPACE", "`..`");
    check_error(run(&workspace, &within("none")).await, "NOT_FOUND", "`none`");
    check_error(run(&workspace, &within("dir/only-here")).await, "NOT_A_DIRECTORY", "only-here");
}

#[tokio::test]
async fn input_is_given_and_never_inherited() {
    assert_eq!(output_of(&shell("cat")).await.output, "");
    let fed = |text: String, command| RunCommand { stdin: Some(text), ..shell(command) };
    assert_eq!(output_of(&fed("hello".to_owned(), "cat")).await.output, "hello");
    // More than pipes hold, both ways at once, and more than the command cares to read.
    let long = "0123456789abcde\n".repeat(20_000);
    let output = output_of(&fed(long.clone(), "cat")).await;
    assert!(output.output.starts_with("0123456789abcde\n") && output.cut_bytes > 0);
    assert_eq!(output_of(&fed(long, "head -c 3")).await.output, "012");
}

#[tokio::test]
async fn a_big_output_lacks_its_middle() {
    let output = output_of(&shell("echo start; yes é | head -n 100000; echo end")).await;
    assert!(output.output.starts_with("start\né\n"));
    assert!(output.output.ends_with("é\nend\n"));
    assert!(!output.output.contains('\u{fffd}'));
    let note = format!("\n[{} bytes of output cut]\n", output.cut_bytes);
    assert!(output.output.contains(&note));
    let printed = "start\n".len() + 3 * 100_000 + "end\n".len();
    let kept = output.output.len() - note.len();
    assert_eq!(kept as u64 + output.cut_bytes, printed as u64);
    assert!(kept <= 32 * 1024);
}

#[tokio::test]
async fn output_that_is_no_text_is_replaced() {
    let output = output_of(&shell(r"printf 'a\377b'")).await;
    assert_eq!(output.output, "a\u{fffd}b");
}

#[tokio::test]
async fn a_background_process_does_not_hold_the_call() {
    let workspace = Workspace::new();
    let mut alive = Alive::watch(&workspace);
    let started = Instant::now();
    let args = shell("exec 9>alive; sleep 1000 & echo started");
    let output = run(&workspace, &args).await.unwrap();
    assert!(started.elapsed() < TOO_LONG);
    assert_eq!((output.exit_code, output.output.as_str()), (Some(0), "started\n"));
    assert!(output.background_stopped);
    assert!(run_command::render(&output).contains("background processes were stopped"));
    alive.end().await;
}

#[tokio::test]
async fn a_background_process_that_prints_elsewhere_is_stopped_too() {
    let workspace = Workspace::new();
    let mut alive = Alive::watch(&workspace);
    let args = shell("exec 9>alive; sleep 1000 >/dev/null 2>&1 & echo started");
    assert!(run(&workspace, &args).await.unwrap().background_stopped);
    alive.end().await;
}

#[tokio::test]
async fn cancelling_kills_grandchildren() {
    let workspace = Workspace::new();
    let mut alive = Alive::watch(&workspace);
    let command = "exec 9>alive; sh -c 'sleep 1000 & echo ready; wait'; echo not reached";
    check_error(run_until_ready(&workspace, command).await, "CANCELLED", "cancelled");
    alive.end().await;
}

#[tokio::test]
async fn cancelling_asks_before_it_kills() {
    let workspace = Workspace::new();
    let command = "trap 'echo asked > asked; exit' TERM; echo ready; sleep 1000 & wait";
    check_error(run_until_ready(&workspace, command).await, "CANCELLED", "cancelled");
    assert_eq!(workspace.read("asked"), "asked\n");
}

#[tokio::test]
async fn cancelling_kills_what_does_not_listen() {
    let workspace = Workspace::new();
    let mut alive = Alive::watch(&workspace);
    // An ignored signal stays ignored in the children.
    let command = "exec 9>alive; trap '' TERM; echo ready; while :; do sleep 1000; done";
    check_error(run_until_ready(&workspace, command).await, "CANCELLED", "cancelled");
    alive.end().await;
}

#[tokio::test]
async fn nothing_starts_after_cancelling() {
    let workspace = Workspace::new();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let args = shell("touch started");
    let result = run_command::run(&workspace.root, &args, &cancel, |_| {}).await;
    check_error(result, "CANCELLED", "cancelled");
    assert!(!workspace.path("started").exists());
}

#[tokio::test]
async fn dropping_kills_grandchildren() {
    let workspace = Workspace::new();
    let mut alive = Alive::watch(&workspace);
    let ready = CancellationToken::new();
    let on_line = |line: &str| {
        if line == "ready" {
            ready.cancel();
        }
    };
    let never = CancellationToken::new();
    let args = shell("exec 9>alive; trap '' TERM; sh -c 'sleep 1000 & echo ready; wait'");
    let call = run_command::run(&workspace.root, &args, &never, on_line);
    let mut call = Box::pin(call);
    tokio::select! {
        _ = &mut call => panic!("it ended by itself"),
        () = ready.cancelled() => {}
    }
    assert!(alive.now());
    drop(call);
    alive.end().await;
}

#[test]
fn the_call_can_move_between_threads() {
    fn check(_: &impl Send) {}
    let workspace = Workspace::new();
    let (args, cancel) = (shell("true"), CancellationToken::new());
    check(&run_command::run(&workspace.root, &args, &cancel, |_| {}));
}
