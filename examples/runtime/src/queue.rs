//! The ordered queue between the callers of a stream and its thread.
//! Invariant: a failure is kept until one waiting call has taken it
//! (`a_panic_is_kept_for_the_next_wait_only_and_the_first_one_wins`).

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Work that may wait: as deep as CUDA's own launch queue; a faster caller waits for the stream.
const DEPTH: usize = 1024;

/// One piece of work and the name by which a failure tells it.
pub struct Job {
    /// The kernel, or what else it is.
    pub name: &'static str,
    /// The work.
    pub run: Box<dyn FnOnce() + Send>,
}

/// What went wrong on the stream's thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The job's name.
    pub name: &'static str,
    /// What it said.
    pub message: String,
}

/// The queue is closed: the stream was destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Closed;

#[derive(Default)]
/// Work under way from callers to one thread.
pub struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    submitted: u64,
    finished: u64,
    closed: bool,
    failure: Option<Failure>,
}

impl Queue {
    /// Puts work behind all earlier work.
    pub fn push(&self, job: Job) -> Result<(), Closed> {
        let mut state = self.lock();
        while state.jobs.len() >= DEPTH && !state.closed {
            state = self.wait_for_change(state);
        }
        if state.closed {
            return Err(Closed);
        }
        state.jobs.push_back(job);
        state.submitted += 1;
        self.changed.notify_all();
        Ok(())
    }

    /// Waits until everything pushed so far has ended.
    pub fn drain(&self) {
        drop(self.drained());
    }

    /// Waits in the same way, and takes the failure, if there is one.
    pub fn wait(&self) -> Result<(), Failure> {
        self.drained().failure.take().map_or(Ok(()), Err)
    }

    /// Lets no further work in; the thread ends after the work that is in.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// The life of the stream's thread.
    pub fn serve(&self) {
        let mut state = self.lock();
        loop {
            let Some(job) = state.jobs.pop_front() else {
                if state.closed {
                    return;
                }
                state = self.wait_for_change(state);
                continue;
            };
            drop(state);
            let name = job.name;
            let failure =
                catch_unwind(AssertUnwindSafe(job.run)).err().map(|payload| Failure { name, message: text(payload) });
            state = self.lock();
            state.finished += 1;
            // The first failure is the cause; later ones often follow from it.
            state.failure = state.failure.take().or(failure);
            self.changed.notify_all();
        }
    }

    fn drained(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        let target = state.submitted;
        while state.finished < target {
            state = self.wait_for_change(state);
        }
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_change<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }
}

/// The text of a panic. The payload may panic when it is dropped; that one is forgotten.
fn text(payload: Box<dyn Any + Send>) -> String {
    let text = match payload.downcast_ref::<&str>() {
        Some(text) => (*text).to_owned(),
        None => payload.downcast_ref::<String>().cloned().unwrap_or_else(|| "a panic without a text".to_owned()),
    };
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::mpsc;

    fn job(run: impl FnOnce() + Send + 'static) -> Job {
        Job { name: "test", run: Box::new(run) }
    }

    fn started() -> (Arc<Queue>, std::thread::JoinHandle<()>) {
        let queue = Arc::new(Queue::default());
        let served = queue.clone();
        (queue, std::thread::spawn(move || served.serve()))
    }

    #[test]
    fn work_runs_in_order_and_waiting_waits() {
        let (queue, thread) = started();
        let (sender, receiver) = mpsc::channel();
        // More than DEPTH, so that the caller has to wait for room.
        for number in 0..3000 {
            let sender = sender.clone();
            queue.push(job(move || sender.send(number).expect("the test listens"))).expect("open");
        }
        queue.wait().expect("nothing failed");
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), (0..3000).collect::<Vec<_>>());
        queue.close();
        thread.join().expect("the thread ends");
    }

    #[test]
    fn a_panic_is_kept_for_the_next_wait_only_and_the_first_one_wins() {
        let (queue, thread) = started();
        queue.push(job(|| panic!("first"))).expect("open");
        queue.push(job(|| panic!("second"))).expect("open");
        let failure = queue.wait().expect_err("it failed");
        assert_eq!(failure, Failure { name: "test", message: "first".to_owned() });
        queue.push(job(|| ())).expect("the stream still works");
        queue.wait().expect("told once");
        queue.close();
        assert_eq!(queue.push(job(|| ())), Err(Closed));
        thread.join().expect("the thread ends");
    }

    #[test]
    fn work_that_is_in_runs_although_the_queue_closes() {
        let (queue, thread) = started();
        let (go, wait) = mpsc::channel::<()>();
        queue.push(job(move || wait.recv().expect("the test sends"))).expect("open");
        let (sender, receiver) = mpsc::channel();
        queue.push(job(move || sender.send(()).expect("the test listens"))).expect("open");
        queue.close();
        go.send(()).expect("the job listens");
        queue.wait().expect("nothing failed");
        receiver.try_recv().expect("it ran");
        thread.join().expect("the thread ends");
    }
}
