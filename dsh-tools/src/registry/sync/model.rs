//! The same, seen by the scheduler of the test: each step of a pointer is one that others may come
//! before or after.

use std::ops::Deref;
use std::sync::{Arc, PoisonError};

pub(in crate::registry) use shuttle::sync::Mutex;

/// A pointer that is replaced while others read it.
pub(in crate::registry) struct ArcSwap<T>(Mutex<Arc<T>>);

/// One that may be missing.
pub(in crate::registry) struct ArcSwapOption<T>(Mutex<Option<Arc<T>>>);

/// What a pointer was when it was read.
pub(in crate::registry) struct Loaded<T>(T);

impl<T> ArcSwap<T> {
    pub(in crate::registry) fn from_pointee(value: T) -> Self {
        Self(Mutex::new(Arc::new(value)))
    }

    pub(in crate::registry) fn load(&self) -> Loaded<Arc<T>> {
        Loaded(Arc::clone(&self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    pub(in crate::registry) fn swap(&self, value: Arc<T>) -> Arc<T> {
        std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), value)
    }
}

impl<T> ArcSwapOption<T> {
    pub(in crate::registry) fn load(&self) -> Loaded<Option<Arc<T>>> {
        Loaded(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    pub(in crate::registry) fn store(&self, value: Option<Arc<T>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = value;
    }
}

impl<T> Default for ArcSwapOption<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T> Deref for Loaded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
