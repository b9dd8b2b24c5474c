//! Turns of calls at a rate.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;
use tokio::time::{Duration, Instant, sleep};

/// Turns that come at a rate, after those saved up in a pause.
///
/// This is the generic cell rate algorithm: every call adds its share of the period to what is owed,
/// time pays it off, and a call may go if what is owed is no more than the burst allows.
#[derive(Clone)]
pub(super) struct Rate {
    pub(super) period: Duration,
    pub(super) calls: NonZeroU32,
    pub(super) burst: NonZeroU32,
    line: Arc<Line>,
}

/// The calls that wait, and what those before them owe.
struct Line {
    /// Whoever is first in the line has it and waits for time to pass.
    first: Semaphore,
    state: Mutex<State>,
}

struct State {
    owed: Duration,
    /// When so much was owed.
    at: Option<Instant>,
    waiting: u32,
}

/// A place in the line; whoever is cancelled leaves it and those behind move up.
struct Place<'l>(&'l Line);

impl Rate {
    pub(super) fn new(period: Duration, calls: NonZeroU32) -> Self {
        let state = Mutex::new(State { owed: Duration::ZERO, at: None, waiting: 0 });
        let line = Arc::new(Line { first: Semaphore::new(1), state });
        Self { period, calls, burst: calls, line }
    }

    /// Takes a turn, if it may be had now and nobody waits for it.
    pub(super) fn try_take(&self) -> bool {
        let mut state = self.line.state();
        state.waiting == 0 && self.take_from(&mut state).is_ok()
    }

    /// Waits for a turn and takes it.
    ///
    /// The error is how long that would take, if that is too long. Nobody waits then.
    pub(super) async fn wait(&self, max_wait: Option<Duration>) -> Result<(), Duration> {
        let _place = self.join(max_wait)?;
        let _first = self.line.first.acquire().await.expect("nobody closes the line of a limit");
        while let Err(wait) = self.take() {
            sleep(wait).await;
        }
        Ok(())
    }

    fn join(&self, max_wait: Option<Duration>) -> Result<Place<'_>, Duration> {
        let mut state = self.line.state();
        let wait = self.wait_behind(&mut state);
        if max_wait.is_some_and(|max_wait| wait > max_wait) {
            return Err(wait);
        }
        state.waiting += 1;
        Ok(Place(&self.line))
    }

    fn take(&self) -> Result<(), Duration> {
        self.take_from(&mut self.line.state())
    }

    fn take_from(&self, state: &mut State) -> Result<(), Duration> {
        let wait = state.pay_off().saturating_sub(self.credit());
        if !wait.is_zero() {
            return Err(wait);
        }
        state.owed = state.owed.saturating_add(self.share());
        Ok(())
    }

    /// How long a call that comes now would wait behind those that wait already.
    fn wait_behind(&self, state: &mut State) -> Duration {
        let before = self.share().saturating_mul(state.waiting);
        state.pay_off().saturating_add(before).saturating_sub(self.credit())
    }

    /// What one call adds to what is owed.
    fn share(&self) -> Duration {
        self.period / self.calls.get()
    }

    /// What may be owed when a call goes.
    fn credit(&self) -> Duration {
        self.share().saturating_mul(self.burst.get() - 1)
    }
}

impl Line {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What is owed now.
    fn pay_off(&mut self) -> Duration {
        let now = Instant::now();
        let passed =
            self.at.replace(now).map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        self.owed = self.owed.saturating_sub(passed);
        self.owed
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.state().waiting -= 1;
    }
}
