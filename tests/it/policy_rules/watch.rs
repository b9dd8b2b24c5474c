//! Following a file, on a paused clock.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use dsh_tools::policy::{LoadError, SharedPolicy};
use fixtures::Trace;
use tempfile::TempDir;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::policy;

const INTERVAL: Duration = Duration::from_secs(1);

/// A policy whose file is being followed.
struct Watched {
    shared: SharedPolicy,
    told: Trace,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    path: PathBuf,
    _directory: TempDir,
}

impl Watched {
    fn new(text: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("policy.toml");
        fs::write(&path, text).unwrap();
        let (shared, told, stop) =
            (SharedPolicy::load(&path).unwrap(), Trace::default(), CancellationToken::new());
        let task = tokio::spawn({
            let (shared, told, stop, path) =
                (shared.clone(), told.clone(), stop.clone(), path.clone());
            async move {
                let listener = |reload: Result<_, LoadError>| match reload {
                    Ok(policy) => {
                        assert_eq!(shared.current(), policy, "it is in force before it is told");
                        told.add(format!("now {}", policy.default_decision()));
                    }
                    Err(LoadError::Broken { source, .. }) => told.add(source.to_string()),
                    Err(LoadError::Unreadable { source, .. }) => {
                        told.add(format!("{:?}", source.kind()));
                    }
                    Err(_) => unreachable!(),
                };
                shared.watch(path, INTERVAL, stop, listener).await;
            }
        });
        Self { shared, told, stop, task, path, _directory: directory }
    }

    /// Gives it the time for so many looks, between two of which we are.
    async fn looks(&self, count: u32) {
        sleep(INTERVAL * count).await;
    }

    fn write(&self, text: &str) {
        fs::write(&self.path, text).unwrap();
    }
}

/// Half an interval behind a look.
async fn watched(text: &str) -> Watched {
    let watched = Watched::new(text);
    sleep(INTERVAL / 2).await;
    watched
}

#[tokio::test(start_paused = true)]
async fn a_change_becomes_the_policy_when_it_was_seen_twice() {
    let file = watched("default = \"allow\"").await;
    file.looks(3).await;
    assert!(file.told.lines().is_empty(), "nothing has changed");

    file.write("default = \"deny\"");
    file.looks(1).await;
    assert!(file.told.lines().is_empty());
    file.looks(1).await;
    assert_eq!(file.told.lines(), ["now deny"]);
    file.looks(5).await;
    assert_eq!(file.told.lines(), ["now deny"], "once");
    assert_eq!(file.shared.current(), policy("default = \"deny\""));
}

#[tokio::test(start_paused = true)]
async fn a_file_that_is_being_written_is_left_alone() {
    let file = watched("default = \"deny\"").await;
    let text = "default = \"allow\"\n[[rule]]\nname = \"a\"\ndecision = \"deny\"\n";
    for end in [0, 18, 30, 45] {
        file.write(text.get(..end).unwrap());
        file.looks(1).await;
    }
    file.write(text);
    file.looks(1).await;
    assert_eq!(file.shared.current(), policy("default = \"deny\""));
    file.looks(1).await;
    assert_eq!(file.told.lines(), ["now allow"]);
    assert_eq!(file.shared.current().text(), text);
}

#[tokio::test(start_paused = true)]
async fn a_change_is_seen_whatever_the_time_of_modification_says() {
    let file = watched("default = \"deny\" ").await;
    let before = fs::metadata(&file.path).unwrap().modified().unwrap();
    file.write("default = \"allow\"");
    let handle = fs::File::options().write(true).open(&file.path).unwrap();
    handle.set_modified(before).unwrap();
    file.looks(2).await;
    assert_eq!(file.told.lines(), ["now allow"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_broken_or_missing_keeps_the_policy_and_is_told_once() {
    let file = watched("default = \"deny\"").await;
    file.write("default = 1");
    file.looks(4).await;
    let broken = "line 1, column 11: \"default\" must be a string, got an integer";
    assert_eq!(file.told.lines(), [broken]);

    fs::remove_file(&file.path).unwrap();
    file.looks(4).await;
    assert_eq!(file.told.lines(), [broken, "NotFound"]);
    assert_eq!(file.shared.current(), policy("default = \"deny\""));

    file.write("default = \"deny\"");
    file.looks(4).await;
    assert_eq!(file.told.lines(), [broken, "NotFound", "now deny"], "it is right again");

    // An editor that replaces the file leaves it missing for a moment.
    fs::remove_file(&file.path).unwrap();
    file.looks(1).await;
    file.write("default = \"ask\"");
    file.looks(2).await;
    assert_eq!(file.told.lines(), [broken, "NotFound", "now deny", "now ask"]);
}

#[tokio::test(start_paused = true)]
async fn a_policy_set_by_hand_stays_until_the_file_changes() {
    let file = watched("default = \"deny\"").await;
    file.looks(2).await;
    file.shared.replace(policy("default = \"ask\""));
    file.looks(5).await;
    assert_eq!(file.shared.current(), policy("default = \"ask\""));
    file.write("default = \"allow\"");
    file.looks(2).await;
    assert_eq!(file.shared.current(), policy("default = \"allow\""));
}

#[tokio::test(start_paused = true)]
async fn it_ends_when_it_is_cancelled() {
    let file = watched("default = \"deny\"").await;
    let started = Instant::now();
    file.stop.cancel();
    file.task.await.unwrap();
    assert_eq!(started.elapsed(), Duration::ZERO);
    fs::write(&file.path, "default = \"allow\"").unwrap();
    sleep(INTERVAL * 5).await;
    assert!(file.told.lines().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_listener_that_panics_ends_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("policy.toml");
    fs::write(&path, "default = \"allow\"").unwrap();
    let shared = SharedPolicy::new(policy("default = \"deny\""));
    let stop = CancellationToken::new();
    let watch = shared.watch(&path, Duration::ZERO, stop.clone(), |_| panic!("in the listener"));
    let change = async {
        sleep(INTERVAL).await;
        assert_eq!(shared.current(), policy("default = \"allow\""));
        fs::write(&path, "default = \"ask\"").unwrap();
        sleep(INTERVAL).await;
        stop.cancel();
    };
    tokio::join!(watch, change);
    assert_eq!(shared.current(), policy("default = \"ask\""));
}
