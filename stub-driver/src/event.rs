//! Events: a record is a generation, and whoever waits waits for the generation of the moment.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::capture::Capture;
use crate::codes::Code;

pub(crate) struct Event {
    timed: bool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    recorded: u64,
    completed: u64,
    at: Option<Instant>,
    /// It was last recorded in a stream that captures: it is a place in a graph and no time.
    captured: Option<Arc<Capture>>,
}

/// What waiting for an event means at the moment of the call.
pub(crate) enum Wait {
    Generation(u64),
    Capture(Arc<Capture>),
}

impl Event {
    pub(crate) fn new(timed: bool) -> Self {
        Self { timed, state: Mutex::default(), changed: Condvar::new() }
    }

    /// A record was called; the generation that it is.
    pub(crate) fn record(&self) -> u64 {
        let mut state = self.lock();
        state.captured = None;
        state.recorded += 1;
        state.recorded
    }

    pub(crate) fn record_captured(&self, capture: Arc<Capture>) {
        self.lock().captured = Some(capture);
    }

    /// The stream got to the record of `generation`.
    pub(crate) fn complete(&self, generation: u64, at: Instant) {
        let mut state = self.lock();
        state.completed = state.completed.max(generation);
        state.at = Some(at);
        self.changed.notify_all();
    }

    pub(crate) fn wait_for(&self) -> Wait {
        let state = self.lock();
        match &state.captured {
            Some(capture) => Wait::Capture(Arc::clone(capture)),
            None => Wait::Generation(state.recorded),
        }
    }

    pub(crate) fn query(&self) -> Result<(), Code> {
        let state = self.lock();
        if state.captured.is_some() {
            return Err(Code::CAPTURED_EVENT);
        }
        // What was never recorded is complete, as in CUDA.
        if state.completed == state.recorded { Ok(()) } else { Err(Code::NOT_READY) }
    }

    pub(crate) fn block(&self, generation: u64) {
        let mut state = self.lock();
        while state.completed < generation {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Milliseconds from `self` to `end`.
    pub(crate) fn elapsed(&self, end: &Self) -> Result<f32, Code> {
        let (start, end) = (self.time()?, end.time()?);
        let seconds = match end.checked_duration_since(start) {
            Some(forward) => forward.as_secs_f64(),
            None => -start.duration_since(end).as_secs_f64(),
        };
        Ok((seconds * 1e3) as f32)
    }

    fn time(&self) -> Result<Instant, Code> {
        let state = self.lock();
        if state.captured.is_some() {
            return Err(Code::INVALID_VALUE);
        }
        if !self.timed || state.recorded == 0 {
            return Err(Code::INVALID_HANDLE);
        }
        if state.completed != state.recorded {
            return Err(Code::NOT_READY);
        }
        state.at.ok_or(Code::NOT_READY)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
