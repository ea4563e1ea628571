//! Small numbers for what a thread carries along: module ids and device names.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A table that only grows; entry 0 means "none".
pub(crate) struct Interner<T>(Mutex<Vec<T>>);

impl<T: Copy> Interner<T> {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The number of `value`, from 1; `None` when `most` are taken. A new value is kept as `keep` makes it.
    pub(crate) fn number<Q: ?Sized>(&self, value: &Q, most: usize, keep: impl FnOnce(&Q) -> T) -> Option<usize>
    where
        T: PartialEq<Q>,
    {
        let mut values = self.freeze();
        if let Some(index) = values.iter().position(|known| known == value) {
            return Some(index + 1);
        }
        if values.len() >= most {
            return None;
        }
        values.push(keep(value));
        Some(values.len())
    }

    /// While the process forks, so that the child does not inherit the lock from a thread that it does not have.
    pub(crate) fn freeze(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The value behind a number.
    pub(crate) fn value(&self, number: usize) -> Option<T> {
        let index = number.checked_sub(1)?;
        self.freeze().get(index).copied()
    }
}
