//! Streams and events.

use kina_observ::ffi::{Handle, Handled};
use kina_observ::ffi_span;

use crate::error::DriverError;
use crate::fault;
use crate::stream::{Event, Stream, worker_of};

/// Makes a stream, whose work runs beside that of the others. The caller owns it and destroys it.
#[ffi_span(late(runtime.stream.id), returns = Result<u64, DriverError>, out = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_create(out: *mut u64) -> i32 {
    fault::point("runtime_stream_create");
    let stream = Stream::start()?;
    observ.runtime_stream_id(stream.worker().number());
    Ok(Stream::table().insert(stream).raw())
}

/// Ends a stream after the work that is in, and every event recorded on it. The stream is gone also when this reports a failure.
#[ffi_span(late(runtime.stream.id), returns = Result<(), DriverError>)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_destroy(stream: u64) -> i32 {
    fault::point("runtime_stream_destroy");
    let stream = Handle::<Stream>::lookup(stream, "stream")?;
    let worker = stream.worker().clone();
    observ.runtime_stream_id(worker.number());
    stream.destroy("stream")?;
    worker.finish()
}

/// Waits for the work of a stream; 0 is the default stream.
#[ffi_span(late(runtime.stream.id), returns = Result<(), DriverError>)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_synchronize(stream: u64) -> i32 {
    fault::point("runtime_stream_synchronize");
    let worker = worker_of(stream, "stream")?;
    observ.runtime_stream_id(worker.number());
    worker.synchronize()
}

/// Lets the further work of a stream wait for an event, which may be another stream's.
#[ffi_span(late(runtime.stream.id, runtime.stream.waits_on), returns = Result<(), DriverError>)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_stream_wait_event(stream: u64, event: u64) -> i32 {
    fault::point("runtime_stream_wait_event");
    let worker = worker_of(stream, "stream")?;
    observ.runtime_stream_id(worker.number());
    let event = Handle::<Event>::lookup(event, "event")?;
    observ.runtime_stream_waits_on(event.stream());
    worker.wait_for(&event)
}

/// Marks a point in the work of a stream. The event belongs to the stream, which keeps its last 1,024.
#[ffi_span(late(runtime.stream.id), returns = Result<u64, DriverError>, out = out)]
#[unsafe(no_mangle)]
pub extern "C" fn runtime_event_record(stream: u64, out: *mut u64) -> i32 {
    fault::point("runtime_event_record");
    let worker = worker_of(stream, "stream")?;
    observ.runtime_stream_id(worker.number());
    Ok(worker.record()?.raw())
}
