//! Follows the file of a policy.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::shared::{parse, read};
use super::{LoadError, Policy, SharedPolicy};
use crate::panic::catch;

/// The shortest time between two looks at a file.
const SHORTEST: Duration = Duration::from_millis(1);

impl SharedPolicy {
    /// Follows a file until it is cancelled: what is written there becomes the policy.
    ///
    /// The file is looked at once in an `interval`, and what is in it counts when two looks in a
    /// row find the same, so a file that is being written is left alone. It is the contents that
    /// are compared: times of modification are coarse, and may go back. A file that is broken,
    /// missing or unreadable keeps the policy that is there.
    ///
    /// `listener` is told once of each replacement, of each error, and of a file that is right
    /// again; a panic in it is logged. A policy that was [replaced](Self::replace) by hand stays
    /// until the file changes.
    ///
    /// # Cancel safety
    /// Yes: dropping the future is as good as cancelling.
    ///
    /// # Examples
    /// ```no_run
    /// use std::time::Duration;
    ///
    /// use dsh_tools::policy::SharedPolicy;
    /// use tokio_util::sync::CancellationToken;
    ///
    /// # async fn run() -> Result<(), dsh_tools::policy::LoadError> {
    /// let policy = SharedPolicy::load("policy.toml")?;
    /// let stop = CancellationToken::new();
    /// let watch = policy.watch("policy.toml", Duration::from_secs(1), stop, |reload| match reload {
    ///     Ok(policy) => println!("now {policy:?}"),
    ///     Err(error) => println!("{error}, the old policy stays"),
    /// });
    /// # watch.await;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn watch(
        &self,
        path: impl Into<PathBuf>,
        interval: Duration,
        cancellation: CancellationToken,
        mut listener: impl FnMut(Result<Policy, LoadError>) + Send,
    ) {
        let path = path.into();
        let mut file = Watched { content: Content::Unseen, is_settled: false, is_wrong: false };
        loop {
            if let Some(found) = file.settle(look(&path).await)
                && let Some(reload) = self.take(&path, found, file.is_wrong)
            {
                file.is_wrong = reload.is_err();
                if let Err(error) = catch("a listener of policies", || listener(reload)) {
                    tracing::error!("{error}");
                }
            }
            tokio::select! {
                biased;
                () = cancellation.cancelled() => return,
                () = tokio::time::sleep(interval.max(SHORTEST)) => {}
            }
        }
    }

    /// Makes what was found the policy; none if there is nothing to tell.
    fn take(
        &self,
        path: &Path,
        found: io::Result<String>,
        was_wrong: bool,
    ) -> Option<Result<Policy, LoadError>> {
        if !was_wrong && found.as_ref().is_ok_and(|text| *text == self.current().text()) {
            return None;
        }
        let policy = parse(path, found);
        if let Ok(policy) = &policy {
            self.replace(policy.clone());
        }
        Some(policy)
    }
}

/// What was found at the last look.
struct Watched {
    content: Content,
    /// Whether it was found twice.
    is_settled: bool,
    /// Whether the listener was last told of an error.
    is_wrong: bool,
}

#[derive(PartialEq)]
enum Content {
    Unseen,
    Text(String),
    Error(io::ErrorKind),
}

impl Watched {
    /// Gives what was found if that is now found for the second time in a row.
    fn settle(&mut self, found: io::Result<String>) -> Option<io::Result<String>> {
        let content = match &found {
            Ok(text) => Content::Text(text.clone()),
            Err(error) => Content::Error(error.kind()),
        };
        if content != self.content {
            *self = Self { content, is_settled: false, ..*self };
            return None;
        }
        let was_settled = std::mem::replace(&mut self.is_settled, true);
        (!was_settled).then_some(found)
    }
}

/// Reads the file without holding up other tasks.
async fn look(path: &Path) -> io::Result<String> {
    let path = path.to_owned();
    let read = tokio::task::spawn_blocking(move || read(&path));
    read.await.unwrap_or_else(|error| Err(io::Error::other(error)))
}
