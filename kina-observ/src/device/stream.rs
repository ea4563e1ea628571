//! Streams, and the events by which they wait for each other.

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::backend::{RawEvent, RawStream};
use super::timing::{Driven, Timing};
use super::{Argument, Device, DeviceError, DevicePtr, Function, Graph, LaunchConfig};
use super::{launch, live};
use crate::ids::SpanContext;
use crate::{gate, local, module_id, span};

/// A queue of a device: what is enqueued runs in order.
#[derive(Clone)]
pub struct Stream(Arc<Inner>);

pub(super) struct Inner {
    device: Device,
    raw: RawStream,
    id: i64,
    name: String,
    /// A backend makes its name anew each time; a span of a launch has no time for that.
    device_name: String,
    /// The device in a context word.
    device_bits: u64,
    timing: Mutex<Timing>,
    /// It is one of the `CAPTURES`.
    captures: AtomicBool,
}

/// Captures under way: CUDA may lose a capture to another stream's question about an event.
static CAPTURES: AtomicUsize = AtomicUsize::new(0);

impl Stream {
    pub(super) fn new(device: Device, raw: RawStream, name: &str) -> Self {
        static STREAMS: AtomicI64 = AtomicI64::new(0);
        let id = STREAMS.fetch_add(1, Relaxed) + 1;
        let device_name = device.name();
        let device_bits = module_id::device_bits(&device_name);
        let inner = Arc::new(Inner {
            device,
            raw,
            id,
            name: name.to_owned(),
            device_name,
            device_bits,
            timing: Mutex::default(),
            captures: AtomicBool::new(false),
        });
        live::add(Arc::downgrade(&inner));
        Self(inner)
    }

    /// Number of the stream in this process, from 1: `runtime.stream.id`.
    pub fn id(&self) -> i64 {
        self.0.id
    }

    /// The name it was made with.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// Name of its device: `runtime.device`.
    pub(crate) fn device_name(&self) -> &str {
        &self.0.device_name
    }

    /// The backend's number of the stream, for calls of its own.
    pub fn raw(&self) -> RawStream {
        self.0.raw
    }

    /// Waits until everything enqueued so far has run.
    ///
    /// # Errors
    /// What failed on the stream since the last time, or the stream is capturing.
    pub fn synchronize(&self) -> Result<(), DeviceError> {
        let result = self.0.device.backend().synchronize(self.0.raw);
        launch::synchronized(self);
        result
    }

    /// Whether the stream's work goes into a graph.
    pub fn is_capturing(&self) -> bool {
        self.0.device.backend().is_capturing(self.0.raw).unwrap_or(false)
    }

    /// From now on the stream's work goes into a graph.
    ///
    /// # Errors
    /// The stream captures already, or the driver refuses.
    pub fn begin_capture(&self) -> Result<(), DeviceError> {
        // First, so that no question is on its way when the capture begins.
        self.0.capture_begins();
        let result = self.0.device.backend().begin_capture(self.0.raw);
        if !self.is_capturing() {
            self.0.capture_ends();
        }
        result
    }

    /// Ends the capture.
    ///
    /// # Errors
    /// The stream does not capture, or what was captured cannot be launched.
    pub fn end_capture(&self) -> Result<Graph, DeviceError> {
        let raw = self.0.device.backend().end_capture(self.0.raw);
        self.0.capture_ends();
        let raw = raw?;
        Ok(Graph::new(self.0.device.clone(), raw))
    }

    /// Enqueues a kernel.
    ///
    /// # Errors
    /// The driver refuses. What goes wrong while the kernel runs is told by [`synchronize`](Self::synchronize).
    ///
    /// # Safety
    /// The arguments are what the kernel expects, in number, type and order, and their pointers stay valid until it has run.
    pub unsafe fn launch(
        &self,
        function: &Function,
        config: &LaunchConfig,
        arguments: &[Argument],
    ) -> Result<(), DeviceError> {
        let backend = self.0.device.backend();
        launch::enqueue(self, function, config, || {
            // SAFETY: the caller's promise.
            unsafe { backend.launch(self.0.raw, function.raw(), config, arguments) }
        })
    }

    /// Allocates in the order of the stream.
    ///
    /// # Errors
    /// No memory is left, or the stream is capturing.
    pub fn allocate(&self, size: usize) -> Result<DevicePtr, DeviceError> {
        self.0.device.backend().allocate_async(size, self.0.raw)
    }

    /// Frees in the order of the stream.
    ///
    /// # Errors
    /// The driver refuses.
    ///
    /// # Safety
    /// `pointer` came from this device, is freed once, and nothing enqueued later uses it.
    pub unsafe fn free(&self, pointer: DevicePtr) -> Result<(), DeviceError> {
        // SAFETY: the caller's promise.
        unsafe { self.0.device.backend().free_async(pointer, self.0.raw) }
    }

    /// Copies to the device, in order. `from` may be reused when this returns.
    ///
    /// # Errors
    /// The driver refuses.
    ///
    /// # Safety
    /// `to` points to as many bytes on this device.
    pub unsafe fn copy_to_device(&self, to: DevicePtr, from: &[u8]) -> Result<(), DeviceError> {
        // SAFETY: the caller's promise.
        unsafe { self.0.device.backend().copy_to_device(to, from, self.0.raw) }
    }

    /// Copies from the device, in order. Returns when the bytes are there.
    ///
    /// # Errors
    /// The driver refuses, or something before it failed.
    ///
    /// # Safety
    /// `from` points to as many bytes on this device.
    pub unsafe fn copy_from_device(&self, to: &mut [u8], from: DevicePtr) -> Result<(), DeviceError> {
        // SAFETY: the caller's promise.
        unsafe { self.0.device.backend().copy_from_device(to, from, self.0.raw) }
    }

    /// Enqueues an event, which remembers the span that is open now.
    ///
    /// # Errors
    /// The driver refuses, or the stream is capturing.
    pub fn record(&self) -> Result<Event, DeviceError> {
        let backend = self.0.device.backend();
        let raw = backend.create_event()?;
        let span = if gate::records() { local::with(local::Local::current) } else { None };
        let event = Event(Arc::new(Recorded { device: self.0.device.clone(), raw, stream: self.0.id, span }));
        backend.record(self.0.raw, raw)?;
        Ok(event)
    }

    /// Makes what comes later on this stream wait for the event. The innermost open span links to the one that
    /// recorded it. Returns at once.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn wait(&self, event: &Event) -> Result<(), DeviceError> {
        launch::waits_for(event);
        self.0.device.backend().wait(self.0.raw, event.0.raw)
    }
}

/// For the launches of this module.
impl Stream {
    pub(super) fn timing(&self) -> MutexGuard<'_, Timing> {
        self.0.timing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn driven(&self) -> Driven<'_> {
        self.0.driven()
    }

    pub(super) fn device_bits(&self) -> u64 {
        self.0.device_bits
    }

    /// Tells the launches that are complete.
    pub(super) fn drain(&self) {
        if CAPTURES.load(Relaxed) == 0 {
            self.timing().drain(self.driven());
        }
    }
}

impl Inner {
    fn driven(&self) -> Driven<'_> {
        Driven { backend: self.device.backend(), stream: self.raw, id: self.id }
    }

    fn capture_begins(&self) {
        if !self.captures.swap(true, Relaxed) {
            CAPTURES.fetch_add(1, Relaxed);
        }
    }

    fn capture_ends(&self) {
        if self.captures.swap(false, Relaxed) {
            CAPTURES.fetch_sub(1, Relaxed);
        }
    }

    /// Tells the launches that are complete and gives up on the others. `false`: another thread is at it.
    pub(super) fn try_give_up(&self) -> bool {
        let Ok(mut timing) = self.timing.try_lock() else { return false };
        timing.give_up(self.driven());
        true
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.capture_ends();
        let timing = core::mem::take(self.timing.get_mut().unwrap_or_else(PoisonError::into_inner));
        timing.close(self.driven());
        self.device.backend().destroy_stream(self.raw);
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({} `{}` on {})", self.0.id, self.0.name, self.0.device.name())
    }
}

/// A point in a stream's work that others can wait for.
#[derive(Clone)]
pub struct Event(Arc<Recorded>);

struct Recorded {
    device: Device,
    raw: RawEvent,
    stream: i64,
    span: Option<SpanContext>,
}

impl Event {
    /// Number of the stream that recorded it.
    pub fn stream_id(&self) -> i64 {
        self.0.stream
    }

    /// The span that was open when it was recorded.
    pub fn span(&self) -> Option<SpanContext> {
        self.0.span
    }

    /// Whether the work before it has run. Never waits.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn is_complete(&self) -> Result<bool, DeviceError> {
        self.0.device.backend().is_complete(self.0.raw)
    }

    /// The time from this event to `end`, both complete. Never waits.
    ///
    /// # Errors
    /// One of them is not complete, or the driver refuses.
    pub fn elapsed_until(&self, end: &Self) -> Result<core::time::Duration, DeviceError> {
        self.0.device.backend().elapsed(self.0.raw, end.0.raw)
    }

    /// The innermost open span refers to the one that recorded this event.
    pub(crate) fn link(&self) {
        if let Some(span) = self.0.span.filter(|_| gate::records()) {
            span::link(span);
        }
    }
}

impl Drop for Recorded {
    fn drop(&mut self) {
        self.device.backend().destroy_event(self.raw);
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event(of stream {})", self.0.stream)
    }
}
