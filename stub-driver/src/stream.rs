//! A stream: a thread that does one operation after the other, and its own account of when.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::capture::Capture;
use crate::codes::Code;
use crate::driver::driver;
use crate::operation::Operation;

pub(crate) struct Stream {
    handle: u64,
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Operation>,
    submitted: u64,
    finished: u64,
    destroyed: bool,
    capture: Option<Arc<Capture>>,
}

impl Stream {
    pub(crate) fn start(handle: u64) -> Arc<Self> {
        let stream = Arc::new(Self { handle, queue: Mutex::default(), changed: Condvar::new() });
        let worker = Arc::clone(&stream);
        std::thread::Builder::new()
            .name(format!("stub stream {handle}"))
            .spawn(move || worker.work())
            .expect("the system has a thread for a stream");
        stream
    }

    /// Work for the stream, or for the graph that it captures.
    pub(crate) fn push(&self, operation: Operation) -> Result<(), Code> {
        let mut queue = self.lock();
        match &queue.capture {
            Some(capture) if capture.is_invalid() => return Err(Code::CAPTURE_INVALIDATED),
            Some(capture) => capture.push(operation),
            None => {
                queue.submitted += 1;
                queue.waiting.push_back(operation);
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    pub(crate) fn capture(&self) -> Option<Arc<Capture>> {
        self.lock().capture.clone()
    }

    pub(crate) fn set_capture(&self, capture: Option<Arc<Capture>>) {
        self.lock().capture = capture;
    }

    /// For calls that a capturing stream cannot do: they fail, and spoil the capture.
    pub(crate) fn refuse_capture(&self) -> Result<(), Code> {
        match self.capture() {
            Some(capture) => {
                capture.invalidate();
                Err(Code::CAPTURE_UNSUPPORTED)
            }
            None => Ok(()),
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        let queue = self.lock();
        queue.finished == queue.submitted
    }

    /// Blocks until what was submitted before this call is done.
    pub(crate) fn synchronize(&self) {
        let mut queue = self.lock();
        let target = queue.submitted;
        while queue.finished < target {
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What is waiting is still done.
    pub(crate) fn destroy(&self) {
        self.lock().destroyed = true;
        self.changed.notify_all();
    }

    fn work(&self) {
        let mut end = Instant::now();
        while let Some((operation, was_waiting)) = self.take() {
            let begin = if was_waiting { end } else { Instant::now() };
            end = catch_unwind(AssertUnwindSafe(|| operation.run(self.handle, begin))).unwrap_or_else(|_| {
                driver().fail(Code::UNKNOWN);
                Instant::now()
            });
            self.lock().finished += 1;
            self.changed.notify_all();
        }
    }

    /// The next operation, and whether the stream went to it without a pause.
    fn take(&self) -> Option<(Operation, bool)> {
        let mut queue = self.lock();
        let mut was_waiting = true;
        loop {
            if let Some(operation) = queue.waiting.pop_front() {
                return Some((operation, was_waiting));
            }
            if queue.destroyed {
                return None;
            }
            was_waiting = false;
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
