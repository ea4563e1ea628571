//! Events of the CPU: each recording is a generation of its own, so that a wait means the one before it.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::device::DeviceError;

#[derive(Default)]
pub(super) struct Event {
    state: Mutex<State>,
    completed: Condvar,
}

#[derive(Default)]
struct State {
    recorded: u64,
    completed: u64,
    at: Option<Instant>,
}

impl Event {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The generation of the last recording; 0 before the first.
    pub(super) fn recorded(&self) -> u64 {
        self.state().recorded
    }

    /// A recording is about to be enqueued.
    pub(super) fn record(&self) -> u64 {
        let mut state = self.state();
        state.recorded += 1;
        state.recorded
    }

    pub(super) fn complete(&self, generation: u64) {
        let mut state = self.state();
        state.completed = state.completed.max(generation);
        state.at = Some(Instant::now());
        self.completed.notify_all();
    }

    pub(super) fn is_complete(&self) -> bool {
        let state = self.state();
        state.completed >= state.recorded
    }

    /// When the last recording was complete.
    pub(super) fn completed_at(&self) -> Result<Instant, DeviceError> {
        let state = self.state();
        state.at.filter(|_| state.completed >= state.recorded).ok_or(DeviceError::NotReady)
    }

    pub(super) fn wait(&self, generation: u64) {
        let state = self.state();
        drop(
            self.completed
                .wait_while(state, |state| state.completed < generation)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }
}
