//! Tells whoever listens that the set of tools changed.

use super::ToolRegistry;
use crate::model::ToolResult;
use crate::panic::catch;

/// Hears that tools came, went, or were hidden or shown, in whatever scope.
///
/// It is called after the change, and once more after one that was undone. Closures implement it.
pub trait ChangeListener: Send + Sync + 'static {
    /// Takes note of a change.
    ///
    /// # Errors
    /// What came is undone again, and whoever brought it gets the error. That something went is
    /// not undone; the error is logged then.
    fn changed(&self, registry: &ToolRegistry) -> ToolResult<()>;
}

impl<F> ChangeListener for F
where
    F: Fn(&ToolRegistry) -> ToolResult<()> + Send + Sync + 'static,
{
    fn changed(&self, registry: &ToolRegistry) -> ToolResult<()> {
        self(registry)
    }
}

impl ToolRegistry {
    /// Tells every listener; the first error is the answer. Nothing is locked.
    pub(super) fn announce(&self) -> ToolResult<()> {
        let mut answer = Ok(());
        for listener in &self.0.layers.load().listeners {
            let heard = catch("a change listener", || listener.hook.changed(self));
            if let Err(error) = heard.and_then(|heard| heard)
                && answer.is_ok()
            {
                answer = Err(error);
            }
        }
        answer
    }

    /// Tells every listener of what cannot be undone.
    pub(super) fn announce_undone(&self) {
        if let Err(error) = self.announce() {
            tracing::error!("a change listener failed: {error}");
        }
    }
}
