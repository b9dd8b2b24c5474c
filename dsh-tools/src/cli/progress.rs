//! A line on standard error that tells how long calls are, and what they say, on a terminal.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{Instant, interval_at};

use super::output::visible;
use crate::context::Progress;
use crate::execution::Execution;

/// Shows what calls say while they run. Nothing is shown for calls that are quick, nor to a program.
pub(super) struct Display {
    said: Arc<Mutex<BTreeMap<String, String>>>,
    ticker: Option<JoinHandle<()>>,
}

/// How long a call may be before it is shown.
const PATIENCE: Duration = Duration::from_millis(400);
const PERIOD: Duration = Duration::from_millis(120);
const WIDTH: usize = 78;

impl Display {
    pub(super) fn start() -> Self {
        let said = Arc::default();
        let ticker = stderr().is_terminal().then(|| tokio::spawn(show(Arc::clone(&said))));
        Self { said, ticker }
    }

    /// What a call tells its progress to.
    pub(super) fn listener(&self) -> impl Fn(&Execution, Progress) + Send + Sync + 'static {
        let said = Arc::clone(&self.said);
        move |execution: &Execution, progress| {
            let text = format!("{}: {}", execution.name(), describe(&progress));
            let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.insert(execution.call_id().to_owned(), text);
        }
    }

    pub(super) fn stop(self) {
        if let Some(ticker) = self.ticker {
            ticker.abort();
            draw("");
        }
    }
}

async fn show(said: Arc<Mutex<BTreeMap<String, String>>>) {
    let started = Instant::now();
    let mut ticks = interval_at(started + PATIENCE, PERIOD);
    loop {
        ticks.tick().await;
        let last = {
            let said = said.lock().unwrap_or_else(PoisonError::into_inner);
            said.values().cloned().collect::<Vec<_>>().join(" │ ")
        };
        let seconds = started.elapsed().as_secs_f64();
        draw(&format!("{seconds:5.1}s {last}"));
    }
}

fn describe(progress: &Progress) -> String {
    let message = progress.message.as_deref().unwrap_or_default();
    match (progress.done, progress.total) {
        (Some(done), Some(total)) => format!("{done} of {total} {message}"),
        (Some(done), None) => format!("{done} {message}"),
        _ => message.to_owned(),
    }
}

/// Draws over the line. A terminal that went away is not an error.
fn draw(text: &str) {
    let line: String = visible(text).replace(['\n', '\t'], " ").chars().take(WIDTH).collect();
    let mut screen = stderr();
    let _gone = write!(screen, "\r\u{1b}[2K{line}").and_then(|()| screen.flush());
}
