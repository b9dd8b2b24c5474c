//! What was called lately, by scope.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::num::NonZeroUsize;

use hmac_sha256::Hash as Sha256;

use crate::execution::Execution;
use crate::json::to_canonical;
use crate::model::{CallResult, ContentBlock};
use crate::registry::{Scope, WeakScope};

/// What tells a call, or a result, from others; of one size, however long that is.
pub(super) type Digest = [u8; 32];

/// The histories of all scopes.
#[derive(Default)]
pub(super) struct Histories {
    of_nobody: History,
    /// By address, which no other scope gets as long as it is kept here.
    of_scopes: HashMap<usize, (WeakScope, History)>,
}

/// The last few different calls of one scope, the latest last.
#[derive(Default)]
pub(super) struct History(VecDeque<Seen>);

struct Seen {
    call: Digest,
    /// What it came to the last time.
    result: Option<Digest>,
    /// How many times in a row it came to that.
    times: u32,
}

impl Histories {
    /// The history of a scope, or of calls for nobody. A new one takes the place of those whose
    /// scopes are gone.
    pub(super) fn of(&mut self, scope: Option<&Scope>) -> &mut History {
        let Some(scope) = scope else { return &mut self.of_nobody };
        if !self.of_scopes.contains_key(&scope.address()) {
            self.of_scopes.retain(|_, (scope, _)| !scope.is_gone());
        }
        let fresh = || (scope.downgrade(), History::default());
        &mut self.of_scopes.entry(scope.address()).or_insert_with(fresh).1
    }
}

impl History {
    /// How many times in a row this call has come to the same; it is the latest from now on.
    ///
    /// A call that is not among the last few begins all counts anew.
    pub(super) fn begin(&mut self, call: Digest, window: NonZeroUsize) -> u32 {
        let Self(calls) = self;
        let seen = calls.iter().position(|seen| seen.call == call).and_then(|at| calls.remove(at));
        let seen = seen.unwrap_or_else(|| {
            for other in &mut *calls {
                other.times = 0;
            }
            Seen { call, result: None, times: 0 }
        });
        let times = seen.times;
        calls.push_back(seen);
        while calls.len() > window.get() {
            calls.pop_front();
        }
        times
    }

    /// How many times in a row the call has come to this; none if it was forgotten meanwhile.
    pub(super) fn end(&mut self, call: Digest, result: Digest) -> u32 {
        let Some(seen) = self.0.iter_mut().find(|seen| seen.call == call) else { return 0 };
        let is_same = seen.result.replace(result) == Some(result);
        seen.times = if is_same { seen.times.saturating_add(1) } else { 1 };
        seen.times
    }
}

/// Tool and arguments of a call.
pub(super) fn call_digest(execution: &Execution) -> Digest {
    let mut hash = Sha256::new();
    hash.update(execution.arguments_hash().as_bytes());
    hash.update(execution.name());
    hash.finalize()
}

/// What a model reads of a result.
pub(super) fn result_digest(result: &CallResult) -> Digest {
    let mut hash = Sha256::new();
    hash.update([u8::from(result.is_error())]);
    let mut add = |part: &str| {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    };
    for block in result.content().blocks() {
        match block {
            ContentBlock::Text { text } => add(text),
            ContentBlock::Image { data, .. } | ContentBlock::Audio { data, .. } => add(data),
            ContentBlock::ResourceLink { uri, .. } => add(uri),
            ContentBlock::Resource { resource } => {
                for (name, member) in resource {
                    add(name);
                    add(&to_canonical(member));
                }
            }
        }
    }
    hash.finalize()
}

/// How many scopes and calls are remembered.
impl fmt::Debug for Histories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_scopes = self.of_scopes.values().map(|(_, history)| history.0.len());
        f.debug_struct("Histories")
            .field("scopes", &self.of_scopes.len())
            .field("calls", &(of_scopes.sum::<usize>() + self.of_nobody.0.len()))
            .finish()
    }
}
