//! A stream of the CPU: a thread that does what is enqueued, in order.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use super::event::Event;
use super::memory::Memory;
use crate::device::{Argument, DeviceError, DevicePtr, LaunchConfig};

type Run = dyn Fn(&Invocation<'_>) -> Result<(), DeviceError> + Send + Sync;

pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) run: Box<Run>,
}

/// Jobs that wait on a stream; who brings more waits for room, as with a driver.
const ROOM: usize = 1_024;

/// What a stream does one after the other.
pub(super) enum Job {
    Kernel { kernel: Arc<Kernel>, config: LaunchConfig, arguments: Box<[Argument]> },
    Graph(Arc<[Job]>),
    Record(Arc<Event>, u64),
    Wait(Arc<Event>, u64),
    Free(DevicePtr),
    Write(DevicePtr, Box<[u8]>),
    Read(DevicePtr, usize, mpsc::Sender<Result<Vec<u8>, DeviceError>>),
}

/// The host's side of a stream's thread.
#[derive(Clone)]
pub(super) struct Worker(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    enqueued: u64,
    done: u64,
    capture: Option<Vec<Job>>,
    /// The first thing that went wrong since the last synchronisation.
    error: Option<DeviceError>,
    closed: bool,
}

impl Worker {
    pub(super) fn start(name: &str, memory: Arc<Memory>) -> Result<Self, DeviceError> {
        let shared = Arc::new(Shared { queue: Mutex::default(), changed: Condvar::new() });
        let theirs = shared.clone();
        std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || theirs.work(&memory))
            .map_err(|error| DeviceError::NoThread { what: error.to_string() })?;
        Ok(Self(shared))
    }

    /// Enqueues, or captures.
    pub(super) fn push(&self, job: Job) -> Result<(), DeviceError> {
        let mut queue = self.0.queue_with_room();
        match &mut queue.capture {
            Some(captured) => captured.push(job),
            None => self.0.enqueue(&mut queue, job),
        }
        Ok(())
    }

    /// Enqueues a recording. A captured one would be a dependency and no point in time, which we do not model.
    pub(super) fn record(&self, event: &Arc<Event>) -> Result<(), DeviceError> {
        let mut queue = self.0.queue_with_room();
        if queue.capture.is_some() {
            return Err(DeviceError::Capturing { what: "record" });
        }
        // Under the queue's lock, so that the generations of one stream are in its order.
        let generation = event.record();
        self.0.enqueue(&mut queue, Job::Record(event.clone(), generation));
        Ok(())
    }

    pub(super) fn read(&self, from: DevicePtr, length: usize) -> Result<Vec<u8>, DeviceError> {
        let (reply, answer) = mpsc::channel();
        self.push(Job::Read(from, length, reply))?;
        answer.recv().unwrap_or(Err(DeviceError::Unknown { what: "stream" }))
    }

    pub(super) fn synchronize(&self) -> Result<(), DeviceError> {
        let queue = self.0.queue();
        if queue.capture.is_some() {
            return Err(DeviceError::Capturing { what: "synchronize" });
        }
        let until = queue.enqueued;
        let mut queue =
            self.0.changed.wait_while(queue, |queue| queue.done < until).unwrap_or_else(PoisonError::into_inner);
        queue.error.take().map_or(Ok(()), Err)
    }

    pub(super) fn is_capturing(&self) -> bool {
        self.0.queue().capture.is_some()
    }

    pub(super) fn refuse_in_capture(&self, what: &'static str) -> Result<(), DeviceError> {
        if self.is_capturing() { Err(DeviceError::Capturing { what }) } else { Ok(()) }
    }

    pub(super) fn begin_capture(&self) -> Result<(), DeviceError> {
        let mut queue = self.0.queue();
        if queue.capture.is_some() {
            return Err(DeviceError::Capturing { what: "begin_capture" });
        }
        queue.capture = Some(Vec::new());
        Ok(())
    }

    pub(super) fn end_capture(&self) -> Result<Vec<Job>, DeviceError> {
        self.0.queue().capture.take().ok_or(DeviceError::NotCapturing)
    }

    /// No more comes; the thread ends when it has done the rest.
    pub(super) fn close(&self) {
        self.0.queue().closed = true;
        self.0.changed.notify_all();
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a stream waits for was recorded earlier, so that room comes whatever the caller does next.
    fn queue_with_room(&self) -> MutexGuard<'_, Queue> {
        let full = |queue: &mut Queue| queue.jobs.len() >= ROOM && queue.capture.is_none();
        self.changed.wait_while(self.queue(), full).unwrap_or_else(PoisonError::into_inner)
    }

    fn enqueue(&self, queue: &mut Queue, job: Job) {
        queue.jobs.push_back(job);
        queue.enqueued += 1;
        self.changed.notify_all();
    }

    fn work(&self, memory: &Memory) {
        loop {
            let queue = self.queue();
            let mut queue = self
                .changed
                .wait_while(queue, |queue| queue.jobs.is_empty() && !queue.closed)
                .unwrap_or_else(PoisonError::into_inner);
            let Some(job) = queue.jobs.pop_front() else { return };
            drop(queue);
            let result = job.run(memory);
            drop(job);
            let mut queue = self.queue();
            queue.done += 1;
            if let Err(error) = result {
                queue.error.get_or_insert(error);
            }
            self.changed.notify_all();
        }
    }
}

impl Job {
    fn run(&self, memory: &Memory) -> Result<(), DeviceError> {
        match self {
            Self::Kernel { kernel, config, arguments } => {
                let invocation = Invocation { kernel: &kernel.name, config, arguments, memory };
                catch_unwind(AssertUnwindSafe(|| (kernel.run)(&invocation)))
                    .unwrap_or_else(|panic| Err(panicked(&kernel.name, &*panic)))
            }
            Self::Graph(jobs) => jobs.iter().try_for_each(|job| job.run(memory)),
            Self::Record(event, generation) => {
                event.complete(*generation);
                Ok(())
            }
            Self::Wait(event, generation) => {
                event.wait(*generation);
                Ok(())
            }
            Self::Free(pointer) => memory.free(*pointer),
            Self::Write(to, from) => memory.with("copy_to_device", *to, from.len(), |to| to.copy_from_slice(from)),
            Self::Read(from, length, reply) => {
                // Who asked may have gone.
                let _ = reply.send(memory.with("copy_from_device", *from, *length, |from| from.to_vec()));
                Ok(())
            }
        }
    }
}

fn panicked(kernel: &str, panic: &(dyn Any + Send)) -> DeviceError {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    DeviceError::KernelPanicked { kernel: kernel.to_owned(), message: text.unwrap_or("not a text").to_owned() }
}

/// One run of a kernel: its shape, its arguments, the device's memory.
pub struct Invocation<'a> {
    kernel: &'a str,
    config: &'a LaunchConfig,
    arguments: &'a [Argument],
    memory: &'a Memory,
}

macro_rules! argument {
    ($($(#[$doc:meta])* $name:ident: $variant:ident($type:ty))*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// The launch gave no such argument, or one of another type.
        pub fn $name(&self, index: usize) -> Result<$type, DeviceError> {
            match self.arguments.get(index) {
                Some(Argument::$variant(value)) => Ok(*value),
                _ => Err(DeviceError::BadArgument { kernel: self.kernel.to_owned(), index, expected: stringify!($type) }),
            }
        }
    )*};
}

impl Invocation<'_> {
    /// The kernel's name.
    pub fn kernel(&self) -> &str {
        self.kernel
    }

    /// The shape of the launch. A kernel runs once, whatever its shape, and covers it by itself.
    pub fn config(&self) -> &LaunchConfig {
        self.config
    }

    argument! {
        /// The argument at `index`, an address.
        pointer: Pointer(DevicePtr)
        /// The argument at `index`.
        i32: I32(i32)
        /// The argument at `index`.
        i64: I64(i64)
        /// The argument at `index`.
        u32: U32(u32)
        /// The argument at `index`.
        u64: U64(u64)
        /// The argument at `index`.
        f32: F32(f32)
        /// The argument at `index`.
        f64: F64(f64)
    }

    /// `count` floats at an address.
    ///
    /// # Errors
    /// They are not in one allocation.
    pub fn read_f32(&self, from: DevicePtr, count: usize) -> Result<Vec<f32>, DeviceError> {
        self.memory.with(self.kernel, from, count.saturating_mul(4), |bytes| {
            bytes.chunks_exact(4).map(|four| f32::from_ne_bytes([four[0], four[1], four[2], four[3]])).collect()
        })
    }

    /// Writes floats to an address.
    ///
    /// # Errors
    /// They do not fit into the allocation.
    pub fn write_f32(&self, to: DevicePtr, values: &[f32]) -> Result<(), DeviceError> {
        self.memory.with(self.kernel, to, size_of_val(values), |bytes| {
            for (four, value) in bytes.chunks_exact_mut(4).zip(values) {
                four.copy_from_slice(&value.to_ne_bytes());
            }
        })
    }

    /// `length` bytes at an address.
    ///
    /// # Errors
    /// They are not in one allocation.
    pub fn read(&self, from: DevicePtr, length: usize) -> Result<Vec<u8>, DeviceError> {
        self.memory.with(self.kernel, from, length, |bytes| bytes.to_vec())
    }

    /// Writes bytes to an address.
    ///
    /// # Errors
    /// They do not fit into the allocation.
    pub fn write(&self, to: DevicePtr, values: &[u8]) -> Result<(), DeviceError> {
        self.memory.with(self.kernel, to, values.len(), |bytes| bytes.copy_from_slice(values))
    }
}

impl core::fmt::Debug for Invocation<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Invocation({} {:?})", self.kernel, self.config)
    }
}
