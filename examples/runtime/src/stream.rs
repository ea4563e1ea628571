//! Streams: a thread each, that runs its work in order, and the events that let one wait for another.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::JoinHandle;

use kina_observ::Context;
use kina_observ::ffi::{Fault, Handle, HandleTable, Handled};

use crate::error::DriverError;
use crate::queue::{Closed, Failure, Job, Queue};

/// Events that a stream keeps: there is no call that destroys one, so the oldest makes room.
const EVENTS: usize = 1024;

/// What a stream handle stands for; the default stream has none.
pub struct Stream(Arc<Worker>);

/// A thread and its queue.
pub struct Worker {
    number: i64,
    queue: Arc<Queue>,
    thread: Mutex<Option<JoinHandle<()>>>,
    events: Mutex<VecDeque<Handle<Event>>>,
}

/// A point in the work of a stream.
pub struct Event {
    /// Number of the stream that it was recorded on.
    pub stream: i64,
    /// The span of the recording call: where the trace of a wait leads to.
    pub context: Context,
    reached: Arc<Flag>,
}

#[derive(Default)]
struct Flag {
    set: Mutex<bool>,
    changed: Condvar,
}

/// Every live worker, so that the device can be synchronised.
static WORKERS: Mutex<Vec<Weak<Worker>>> = Mutex::new(Vec::new());
static DEFAULT: Mutex<Option<Arc<Worker>>> = Mutex::new(None);

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

impl Stream {
    /// A stream with its own thread.
    pub fn start() -> Result<Self, DriverError> {
        // 0 is the default stream.
        static NEXT: AtomicI64 = AtomicI64::new(1);
        Worker::start(NEXT.fetch_add(1, Relaxed)).map(Self)
    }

    /// Its thread and queue.
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

/// The number behind a stream parameter.
pub fn number(stream: Option<&Handle<Stream>>) -> i64 {
    stream.map_or(0, |stream| stream.worker().number())
}

/// Every stream that lives, the default one too if it was used.
pub fn workers() -> Vec<Arc<Worker>> {
    lock(&WORKERS).iter().filter_map(Weak::upgrade).collect()
}

fn default_worker() -> Result<Arc<Worker>, DriverError> {
    let mut default = lock(&DEFAULT);
    match &*default {
        Some(worker) => Ok(worker.clone()),
        None => Ok(default.insert(Worker::start(0)?).clone()),
    }
}

impl Worker {
    fn start(number: i64) -> Result<Arc<Self>, DriverError> {
        let queue = Arc::new(Queue::default());
        let served = queue.clone();
        let thread = std::thread::Builder::new()
            .name(format!("runtime-stream-{number}"))
            .spawn(move || served.serve())
            .map_err(|error| DriverError::StreamStartFailed(error.to_string()))?;
        let worker = Arc::new(Self { number, queue, thread: Mutex::new(Some(thread)), events: Mutex::default() });
        let mut workers = lock(&WORKERS);
        workers.retain(|worker| worker.strong_count() > 0);
        workers.push(Arc::downgrade(&worker));
        Ok(worker)
    }

    /// Small and dense: the number in the trace and in the thread's name.
    pub fn number(&self) -> i64 {
        self.number
    }

    /// Puts work behind all earlier work of this stream.
    pub fn enqueue(&self, name: &'static str, run: impl FnOnce() + Send + 'static) -> Result<(), DriverError> {
        let job = Job { name, run: Box::new(run) };
        self.queue.push(job).map_err(|Closed| DriverError::StreamClosed { stream: self.number })
    }

    /// Waits for all work so far.
    pub fn drain(&self) {
        self.queue.drain();
    }

    /// Waits for all work so far; what failed since the last time is the error.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        self.queue.wait().map_err(|Failure { name, message }| DriverError::StreamFailed {
            stream: self.number,
            kernel: name,
            message,
        })
    }

    /// Marks this point of the stream's work.
    pub fn record(&self) -> Result<Handle<Event>, DriverError> {
        let reached = Arc::new(Flag::default());
        let marker = reached.clone();
        self.enqueue("event_record", move || marker.raise())?;
        let event = Event { stream: self.number, context: Context::current(), reached };
        let handle = Event::table().insert(event);
        let mut events = lock(&self.events);
        events.push_back(handle.clone());
        if events.len() > EVENTS {
            forget(events.pop_front());
        }
        Ok(handle)
    }

    /// Lets the work that follows on this stream wait for the event.
    pub fn wait_for(&self, event: &Event) -> Result<(), DriverError> {
        let reached = event.reached.clone();
        self.enqueue("stream_wait_event", move || reached.wait())
    }

    /// Ends the stream after the work that is in, and its events with it.
    pub fn finish(&self) -> Result<(), DriverError> {
        self.queue.close();
        let outcome = self.synchronize();
        if let Some(thread) = lock(&self.thread).take() {
            // The queue catches what work throws, so that joining cannot fail.
            let _ = thread.join();
        }
        self.end_events();
        outcome
    }

    fn end_events(&self) {
        std::mem::take(&mut *lock(&self.events)).into_iter().for_each(|event| forget(Some(event)));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.queue.close();
        // One may have been recorded while the stream was being destroyed.
        self.end_events();
    }
}

impl Flag {
    fn raise(&self) {
        *lock(&self.set) = true;
        self.changed.notify_all();
    }

    fn wait(&self) {
        let mut set = lock(&self.set);
        while !*set {
            set = self.changed.wait(set).unwrap_or_else(PoisonError::into_inner);
        }
    }
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
    use std::sync::mpsc;

    #[test]
    fn a_stream_waits_for_the_event_of_another() {
        let (first, second) = (Stream::start().expect("a thread"), Stream::start().expect("a thread"));
        let (go, gate) = mpsc::channel::<()>();
        let (sender, order) = mpsc::channel();
        let from_first = sender.clone();
        let blocked = move || {
            gate.recv().expect("the test opens the gate");
            from_first.send("first").expect("the test listens");
        };
        first.worker().enqueue("blocked", blocked).expect("open");
        let event = first.worker().record().expect("open");
        second.worker().wait_for(&event).expect("open");
        second.worker().enqueue("after", move || sender.send("second").expect("the test listens")).expect("open");
        go.send(()).expect("the stream listens");
        second.worker().synchronize().expect("nothing failed");
        assert_eq!(order.try_iter().collect::<Vec<_>>(), ["first", "second"]);
        first.worker().finish().expect("nothing failed");
        second.worker().finish().expect("nothing failed");
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
