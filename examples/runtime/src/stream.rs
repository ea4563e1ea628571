//! Streams of the device, and the events that let one wait for another.
//! Invariant: a failure is kept until one waiting call has taken it (`a_failure_is_told_once_and_the_first_one_wins`).

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use kina_observ::device::{self, DeviceError};
use kina_observ::ffi::{Fault, Handle, HandleTable, Handled};
use kina_observ::stream_sync;

use crate::backend::{Opened, opened};
use crate::error::DriverError;

/// Events that a stream keeps: there is no call that destroys one, so the oldest makes room.
const EVENTS: usize = 1024;

/// What a stream handle stands for; the default stream has none.
pub struct Stream(Arc<Worker>);

/// A stream of the device, and what the host knows of it.
pub struct Worker {
    opened: &'static Opened,
    stream: device::Stream,
    /// False when the stream was destroyed. Held while something is enqueued.
    open: RwLock<bool>,
    failure: Mutex<Option<DriverError>>,
    events: Mutex<VecDeque<Handle<Event>>>,
}

/// A point in the work of a stream.
pub struct Event(device::Event);

impl Handled for Stream {
    const NAME: &'static str = "stream";

    fn table() -> &'static HandleTable<Self> {
        static TABLE: HandleTable<Stream> = HandleTable::new(2);
        &TABLE
    }
}

impl Handled for Event {
    const NAME: &'static str = "event";

    fn table() -> &'static HandleTable<Self> {
        static TABLE: HandleTable<Event> = HandleTable::new(3);
        &TABLE
    }
}

impl Event {
    /// Number of the stream that it was recorded on.
    pub fn stream(&self) -> i64 {
        self.0.stream_id()
    }
}

impl Stream {
    /// Another stream of the device.
    pub fn start() -> Result<Self, DriverError> {
        Worker::start().map(Self)
    }

    /// What the host knows of it.
    pub fn worker(&self) -> &Arc<Worker> {
        &self.0
    }
}

/// The worker behind a stream parameter: 0 is the default stream.
pub fn worker(stream: Option<&Handle<Stream>>) -> Result<Arc<Worker>, DriverError> {
    match stream {
        Some(stream) => Ok(stream.worker().clone()),
        None => default_worker(),
    }
}

/// The same for a parameter that the boundary has not looked up.
pub fn worker_of(raw: u64, parameter: &'static str) -> Result<Arc<Worker>, DriverError> {
    if raw == 0 { default_worker() } else { Ok(Handle::<Stream>::lookup(raw, parameter)?.worker().clone()) }
}

/// Every stream that lives, the default one too if it was used.
pub fn workers() -> Vec<Arc<Worker>> {
    opened().map_or(Vec::new(), |opened| lock(&opened.workers).iter().filter_map(Weak::upgrade).collect())
}

fn default_worker() -> Result<Arc<Worker>, DriverError> {
    let mut default = lock(&opened()?.default);
    match &*default {
        Some(worker) => Ok(worker.clone()),
        None => Ok(default.insert(Worker::start()?).clone()),
    }
}

impl Worker {
    fn start() -> Result<Arc<Self>, DriverError> {
        let opened = opened()?;
        let stream = opened.stream("stream")?;
        let (failure, events) = (Mutex::default(), Mutex::default());
        let worker = Arc::new(Self { opened, stream, open: RwLock::new(true), failure, events });
        let mut workers = lock(&opened.workers);
        workers.retain(|worker| worker.strong_count() > 0);
        workers.push(Arc::downgrade(&worker));
        Ok(worker)
    }

    /// Its number in the trace and in its name.
    pub fn number(&self) -> i64 {
        self.stream.id()
    }

    /// The device's stream.
    pub fn stream(&self) -> &device::Stream {
        &self.stream
    }

    /// Puts work behind all earlier work of this stream.
    pub fn enqueue<R>(&self, work: impl FnOnce(&device::Stream) -> Result<R, DeviceError>) -> Result<R, DriverError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        // A forked child has its parent's handles, but not the threads behind them.
        if !*open || !self.opened.is_here() {
            return Err(DriverError::StreamClosed { stream: self.number() });
        }
        work(&self.stream).map_err(|error| DriverError::of_stream(self.number(), error))
    }

    /// Waits for all work so far. What failed is kept for the next [`synchronize`](Self::synchronize).
    pub fn drain(&self) {
        if !self.opened.is_here() {
            lock(&self.failure).get_or_insert(DriverError::StreamClosed { stream: self.number() });
        } else if let Err(error) = wait_for(&self.stream) {
            // The first failure is the cause; later ones often follow from it.
            lock(&self.failure).get_or_insert(DriverError::of_stream(self.number(), error));
        }
    }

    /// Waits for all work so far; what failed since the last time is the error.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        self.drain();
        self.failed()
    }

    /// What failed until the last [`drain`](Self::drain), once.
    pub fn failed(&self) -> Result<(), DriverError> {
        lock(&self.failure).take().map_or(Ok(()), Err)
    }

    /// Marks this point of the stream's work.
    pub fn record(&self) -> Result<Handle<Event>, DriverError> {
        let event = self.enqueue(device::Stream::record)?;
        let handle = Event::table().insert(Event(event));
        let mut events = lock(&self.events);
        events.push_back(handle.clone());
        if events.len() > EVENTS {
            forget(events.pop_front());
        }
        Ok(handle)
    }

    /// Lets the work that follows on this stream wait for the event. The open span refers to the one that recorded it.
    pub fn wait_for(&self, event: &Event) -> Result<(), DriverError> {
        self.enqueue(|stream| stream.wait(&event.0))
    }

    /// Ends the stream after the work that is in, and its events with it.
    pub fn finish(self: &Arc<Self>) -> Result<(), DriverError> {
        if !self.opened.is_here() {
            // Giving it back would ask a device whose locks may be taken for good.
            std::mem::forget(self.clone());
        }
        *self.open.write().unwrap_or_else(PoisonError::into_inner) = false;
        let outcome = self.synchronize();
        self.end_events();
        outcome
    }

    fn end_events(&self) {
        std::mem::take(&mut *lock(&self.events)).into_iter().for_each(|event| forget(Some(event)));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // One may have been recorded while the stream was being destroyed.
        self.end_events();
    }
}

/// The host waits. A call may wait for many streams, so that each wait is a span.
#[stream_sync("runtime.sync.stream")]
fn wait_for(stream: &device::Stream) -> Result<(), DeviceError> {
    stream.synchronize()
}

fn forget(event: Option<Handle<Event>>) {
    if let Some(event) = event {
        // Nobody else destroys events, and a stale one would be gone already.
        let _: Result<(), Fault> = event.destroy("event");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::launch::testing::run;
    use std::sync::mpsc;

    #[test]
    fn a_stream_waits_for_the_event_of_another() {
        let (first, second) = (Stream::start().expect("a thread"), Stream::start().expect("a thread"));
        let (go, gate) = mpsc::channel::<()>();
        let (sender, order) = mpsc::channel();
        let from_first = sender.clone();
        run(first.worker(), "blocked", move || {
            gate.recv().expect("the test opens the gate");
            from_first.send("first").expect("the test listens");
        });
        let event = first.worker().record().expect("open");
        second.worker().wait_for(&event).expect("open");
        run(second.worker(), "after", move || sender.send("second").expect("the test listens"));
        go.send(()).expect("the stream listens");
        second.worker().synchronize().expect("nothing failed");
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["first", "second"]);
        first.worker().finish().expect("nothing failed");
        second.worker().finish().expect("nothing failed");
    }

    #[test]
    fn a_failure_is_told_once_and_the_first_one_wins() {
        let _alone = crate::fault::testing::device_alone();
        let stream = Stream::start().expect("a thread");
        run(stream.worker(), "first", || panic!("the cause"));
        run(stream.worker(), "second", || panic!("what follows from it"));
        stream.worker().drain();
        let error = stream.worker().synchronize().expect_err("it failed").to_string();
        assert_eq!(error, format!("stream {} failed in `first`: the cause", stream.worker().number()));
        run(stream.worker(), "third", || ());
        stream.worker().synchronize().expect("told once, and the stream still works");
        stream.worker().finish().expect("nothing failed");
    }

    #[test]
    fn work_that_is_in_runs_although_the_stream_is_destroyed() {
        let stream = Stream::start().expect("a thread");
        let (sender, receiver) = mpsc::channel();
        run(stream.worker(), "last", move || sender.send(()).expect("the test listens"));
        stream.worker().finish().expect("nothing failed");
        receiver.try_recv().expect("it ran");
    }

    #[test]
    fn events_end_with_their_stream_and_the_oldest_makes_room() {
        let stream = Stream::start().expect("a thread");
        let raw: Vec<u64> = (0..=EVENTS).map(|_| stream.worker().record().expect("open").raw()).collect();
        assert!(Handle::<Event>::lookup(raw[0], "event").is_err());
        assert!(raw[1..].iter().all(|&raw| Handle::<Event>::lookup(raw, "event").is_ok()));
        stream.worker().finish().expect("nothing failed");
        assert!(raw.iter().all(|&raw| Handle::<Event>::lookup(raw, "event").is_err()));
        assert!(matches!(stream.worker().record().map(|event| event.raw()), Err(DriverError::StreamClosed { .. })));
    }
}
