//! Streams: create, wait, capture.

use std::sync::Arc;

use crate::abi::Out;
use crate::capture::{Mode, exchange};
use crate::codes::Code;
use crate::driver::{answer, driver};
use crate::event::Wait;
use crate::operation::{Graph, Operation};
use crate::stream::Stream;

#[unsafe(no_mangle)]
extern "C" fn cuStreamCreate(out: Out<u64>, _flags: u32) -> u32 {
    answer("cuStreamCreate", |call| {
        driver().ready()?;
        let stream = driver().streams.insert(Stream::start);
        call.note("stream", stream);
        out.set(stream)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamDestroy_v2(stream: u64) -> u32 {
    answer("cuStreamDestroy_v2", |call| {
        call.note("stream", stream);
        driver().streams.remove(stream)?.destroy();
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamSynchronize(stream: u64) -> u32 {
    answer("cuStreamSynchronize", |call| {
        call.note("stream", stream);
        driver().ready()?;
        let stream = driver().stream(stream)?;
        stream.refuse_capture()?;
        driver().captures.permit_unsafe_call()?;
        stream.synchronize();
        driver().usable()
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamQuery(stream: u64) -> u32 {
    answer("cuStreamQuery", |call| {
        call.note("stream", stream);
        driver().ready()?;
        let stream = driver().stream(stream)?;
        stream.refuse_capture()?;
        driver().captures.permit_unsafe_call()?;
        if stream.is_idle() { Ok(()) } else { Err(Code::NOT_READY) }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamWaitEvent(stream: u64, event: u64, _flags: u32) -> u32 {
    answer("cuStreamWaitEvent", |call| {
        call.note("stream", stream).note("event", event);
        driver().ready()?;
        let (stream, event) = (driver().stream(stream)?, driver().events.find(event)?);
        match (event.wait_for(), stream.capture()) {
            (Wait::Generation(generation), None) => stream.push(Operation::Wait { event, generation }),
            (Wait::Generation(_), Some(capture)) => {
                // What is outside a graph cannot be waited for inside.
                capture.invalidate();
                Err(Code::CAPTURE_UNSUPPORTED)
            }
            // The stream joins the capture that the event was recorded in. One list of operations keeps every order.
            (Wait::Capture(of_event), None) => {
                stream.set_capture(Some(of_event));
                Ok(())
            }
            (Wait::Capture(of_event), Some(own)) if Arc::ptr_eq(&of_event, &own) => Ok(()),
            (Wait::Capture(_), Some(_)) => Err(Code::CAPTURE_MERGE),
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamBeginCapture_v2(handle: u64, mode: u32) -> u32 {
    answer("cuStreamBeginCapture_v2", |call| {
        call.note("stream", handle).note("mode", mode);
        driver().ready()?;
        let (stream, mode) = (driver().stream(handle)?, Mode::of(mode)?);
        if handle <= 2 || stream.capture().is_some() {
            return Err(Code::CAPTURE_UNSUPPORTED);
        }
        stream.set_capture(Some(driver().captures.begin(handle, mode)));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamEndCapture(handle: u64, out: Out<u64>) -> u32 {
    answer("cuStreamEndCapture", |call| {
        call.note("stream", handle);
        driver().ready()?;
        let capture = driver().stream(handle)?.capture().ok_or(Code::INVALID_VALUE)?;
        if capture.origin != handle {
            capture.invalidate();
            return Err(Code::CAPTURE_UNMATCHED);
        }
        let operations = driver().captures.end(&capture);
        if !matches!(operations, Err(Code::CAPTURE_WRONG_THREAD)) {
            for stream in driver().every_stream() {
                if stream.capture().is_some_and(|known| Arc::ptr_eq(&known, &capture)) {
                    stream.set_capture(None);
                }
            }
        }
        let operations = operations?;
        let graph = driver().graphs.insert(|_| Arc::new(Graph(operations)));
        call.note("graph", graph);
        out.set(graph)
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuStreamIsCapturing(stream: u64, out: Out<u32>) -> u32 {
    answer("cuStreamIsCapturing", |call| {
        call.note("stream", stream);
        driver().usable()?;
        let capture = driver().stream(stream)?.capture();
        // None, active, invalidated.
        out.set(capture.map_or(0, |capture| if capture.is_invalid() { 2 } else { 1 }))
    })
}

#[unsafe(no_mangle)]
extern "C" fn cuThreadExchangeStreamCaptureMode(mode: Out<u32>) -> u32 {
    answer("cuThreadExchangeStreamCaptureMode", |_| mode.replace_with(|wanted| Ok(exchange(Mode::of(wanted)?) as u32)))
}
